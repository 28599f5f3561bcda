import Foundation
import HTTPTypes
import Hummingbird

/// The cookie with which the page authenticates: `EventSource` sets no header fields.
struct SessionRoutes: Sendable {
    private struct Credentials: Decodable {
        let token: String
    }

    private static let maximumBytes = 4_096

    let authenticator: any Authenticator
    let hasSecureCookies: Bool

    func add(to table: inout RouteTable) {
        table.add(.post, "/session", use: open)
        table.add(.delete, "/session", use: close)
    }

    private func open(_ request: Request, _ context: ServiceRequestContext) async throws -> Response {
        try AuthenticationMiddleware.checkOrigin(request, isRequired: false)
        let body = try await request.body.collect(upTo: Self.maximumBytes)
        let token = try JSONDecoder().decode(Credentials.self, from: Data(body.readableBytesView)).token
        guard authenticator.principal(token: token) != nil else {
            throw Problem(
                .unauthorized, "unauthorized", title: "Authentication required", detail: "the token is unknown")
        }
        return response(try cookie(token, maxAge: nil))
    }

    private func close(_ request: Request, _ context: ServiceRequestContext) async throws -> Response {
        try AuthenticationMiddleware.checkOrigin(request, isRequired: false)
        return response(try cookie("", maxAge: 0))
    }

    private func cookie(_ value: String, maxAge: Int?) throws -> Cookie {
        do {
            return try Cookie.validated(
                name: AuthenticationMiddleware.cookie, value: value, maxAge: maxAge, path: "/",
                secure: hasSecureCookies, httpOnly: true, sameSite: .strict)
        } catch {
            throw Problem.badRequest("the token contains characters that a cookie cannot contain")
        }
    }

    private func response(_ cookie: Cookie) -> Response {
        var response = Response(status: .noContent)
        response.setCookie(cookie)
        return response
    }
}
