import Hummingbird
import Logging

/// Logs each request with its route instead of its path and query, which contain values of users.
struct RequestLogMiddleware: RouterMiddleware {
    func handle(
        _ request: Request, context: ServiceRequestContext,
        next: (Request, ServiceRequestContext) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        let response = try await next(request, context)
        context.logger.info(
            "request",
            metadata: [
                "method": "\(request.method)", "route": "\(context.endpointPath ?? "")",
                "status": "\(response.status.code)", "duration": "\(ContinuousClock.now - start)",
            ])
        return response
    }
}
