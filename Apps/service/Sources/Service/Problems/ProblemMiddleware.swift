import HTTPTypes
import Hummingbird
import Logging
import StrataPersistence

/// Converts each error of the handlers to problem details, and logs the errors of the service.
struct ProblemMiddleware: RouterMiddleware {
    func handle(
        _ request: Request, context: ServiceRequestContext,
        next: (Request, ServiceRequestContext) async throws -> Response
    ) async throws -> Response {
        do { return try await next(request, context) } catch {
            let problem = ProblemTable.problem(error)
            if problem.status.kind == .serverError {
                // The description contains no values of users; the debug description does.
                let reason = problem.underlying ?? error
                context.logger.error("request failed", metadata: ["error": "\(reason)"])
                context.logger.debug("request failed", metadata: ["error": "\(String(reflecting: reason))"])
            }
            return try problem.response(from: request, context: context)
        }
    }
}
