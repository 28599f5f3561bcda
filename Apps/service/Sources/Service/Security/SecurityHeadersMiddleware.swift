import HTTPTypes
import Hummingbird

/// Adds the fields that restrict what a browser does with a response.
struct SecurityHeadersMiddleware: RouterMiddleware {
    private static let policy = """
        default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'
        """

    func handle(
        _ request: Request, context: ServiceRequestContext,
        next: (Request, ServiceRequestContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        response.headers[.contentSecurityPolicy] = Self.policy
        response.headers[.xContentTypeOptions] = "nosniff"
        response.headers[.xFrameOptions] = "DENY"
        response.headers[.referrerPolicy] = "no-referrer"
        if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
        return response
    }
}
