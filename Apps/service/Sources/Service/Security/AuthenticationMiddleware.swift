import HTTPTypes
import Hummingbird

/// Rejects requests without valid credentials, and writes from pages of other origins.
struct AuthenticationMiddleware: RouterMiddleware {
    static let cookie = "strata_session"

    let authenticator: any Authenticator

    func handle(
        _ request: Request, context: ServiceRequestContext,
        next: (Request, ServiceRequestContext) async throws -> Response
    ) async throws -> Response {
        let bearer = Self.bearer(request)
        let cookie = request.cookies[Self.cookie]?.value
        guard let principal = authenticator.principal(token: bearer ?? cookie) else {
            throw Problem(
                .unauthorized, "unauthorized", title: "Authentication required",
                detail: "send the header Authorization: Bearer TOKEN, or open a session",
                headers: [.wwwAuthenticate: "Bearer"])
        }
        try Self.checkOrigin(request, isRequired: bearer == nil && cookie != nil)
        var context = context
        context.principal = principal
        return try await next(request, context)
    }

    private static func bearer(_ request: Request) -> String? {
        guard let field = request.headers[.authorization], field.lowercased().hasPrefix("bearer ") else { return nil }
        return String(field.dropFirst("bearer ".count)).trimmingSpaces()
    }

    /// Rejects a write whose `Origin` is not the host of the request.
    ///
    /// Browsers send the field with each write. A client that authenticates by a cookie must send it.
    static func checkOrigin(_ request: Request, isRequired: Bool) throws {
        guard ![.get, .head, .options].contains(request.method) else { return }
        guard let origin = request.headers[.origin] else {
            if isRequired { throw otherOrigin }
            return
        }
        guard let host = origin.split(separator: "/", omittingEmptySubsequences: false).dropFirst(2).first,
            host.lowercased() == request.head.authority?.lowercased()
        else { throw otherOrigin }
    }

    private static var otherOrigin: Problem {
        Problem(
            .forbidden, "otherOrigin", title: "Request of another page",
            detail: "the Origin of a write must be the host of the service")
    }
}

/// Rejects names of other hosts.
///
/// Without authentication, a page of another host could otherwise read the records after
/// its name was changed to this machine (DNS rebinding).
struct LoopbackHostMiddleware: RouterMiddleware {
    func handle(
        _ request: Request, context: ServiceRequestContext,
        next: (Request, ServiceRequestContext) async throws -> Response
    ) async throws -> Response {
        let authority = request.head.authority ?? ""
        let host = authority.hasPrefix("[") ? "::1" : String(authority.prefix { $0 != ":" })
        guard Configuration.loopbackHosts.contains(host.lowercased()) else {
            throw Problem(
                HTTPResponse.Status(code: 421, reasonPhrase: "Misdirected Request"), "otherHost", title: "Unknown host",
                detail: "use the name localhost, or start the service with a token file")
        }
        return try await next(request, context)
    }
}
