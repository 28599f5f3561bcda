import Foundation
import HTTPTypes
import Testing

@testable import Service

@Suite("Security")
struct SecurityTests {
    private static let token = "0123456789abcdef0123"

    private func service() throws -> TestService {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("tokens-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data("first aaaaaaaaaaaaaaaaaaaa\nadmin \(Self.token)\n".utf8).write(to: file)
        var service = try TestService()
        service.authenticator = try TokenAuthenticator(file: file)
        service.isOpen = false
        return service
    }

    @Test("a request needs a valid token")
    func bearer() async throws {
        try await service().run { client in
            try await client.expect(.unauthorized, .get, "/colors")
            for wrong in ["Bearer x", "Bearer \(Self.token)0", "Basic \(Self.token)", Self.token] {
                let answer = try await client.send(.get, "/colors", headers: [.authorization: wrong])
                #expect(answer.status == .unauthorized)
                #expect(answer.headers[.wwwAuthenticate] == "Bearer")
            }
            let headers: HTTPFields = [.authorization: "Bearer \(Self.token)"]
            try await client.expect(.ok, .get, "/colors", headers: headers)
            try await client.expect(.created, .post, "/colors", #"{"hex":"111"}"#, headers: headers)
        }
    }

    @Test("health, readiness and the description need no token; metrics do")
    func openRoutes() async throws {
        try await service().run { client in
            try await client.expect(.ok, .get, "/health")
            try await client.expect(.ok, .get, "/ready")
            try await client.expect(.ok, .get, "/openapi.json")
            try await client.expect(.unauthorized, .get, "/metrics")
        }
    }

    @Test("a session sets a cookie for the page, whose writes need the origin of the host")
    func session() async throws {
        try await service().run { client in
            let session = try await client.send(.post, "/session", #"{"token":"\#(Self.token)"}"#)
            #expect(session.status == .noContent)
            let cookie = try #require(session.headers[.setCookie])
            #expect(cookie.contains("HttpOnly"))
            #expect(cookie.contains("SameSite=Strict"))
            var headers: HTTPFields = [.cookie: "strata_session=\(Self.token)"]
            try await client.expect(.ok, .get, "/colors", headers: headers)
            try await client.expect(.forbidden, .post, "/colors", #"{"hex":"111"}"#, headers: headers)
            headers[.origin] = "https://elsewhere.example"
            try await client.expect(.forbidden, .post, "/colors", #"{"hex":"111"}"#, headers: headers)
            headers[.origin] = "http://localhost"
            try await client.expect(.created, .post, "/colors", #"{"hex":"111"}"#, headers: headers)
            let end = try await client.send(.delete, "/session")
            #expect(end.headers[.setCookie]?.contains("Max-Age=0") == true)
        }
    }

    @Test("a session with an unknown token is 401")
    func unknownToken() async throws {
        try await service().run { client in
            try await client.expect(.unauthorized, .post, "/session", #"{"token":"x"}"#)
            try await client.expect(.badRequest, .post, "/session", "{}")
        }
    }

    @Test("without authentication, pages of other origins cannot write")
    func openOrigin() async throws {
        try await TestService().run { client in
            let headers: HTTPFields = [.origin: "https://elsewhere.example"]
            try await client.expect(.forbidden, .post, "/colors", #"{"hex":"111"}"#, headers: headers)
            try await client.expect(.created, .post, "/colors", #"{"hex":"111"}"#)
        }
    }

    @Test("each response has the security fields")
    func fields() async throws {
        try await TestService().run { client in
            for path in ["/health", "/colors", "/colors/1", "/nothing"] {
                let headers = try await client.send(.get, path).headers
                #expect(headers[.xContentTypeOptions] == "nosniff")
                #expect(headers[.contentSecurityPolicy]?.hasPrefix("default-src 'self'") == true)
                #expect(headers[.cacheControl] == "no-store")
            }
        }
    }

    @Test("tokens of equal content are equal only")
    func comparison() {
        let bytes = Array("0123456789".utf8)
        #expect(TokenAuthenticator.isEqual(bytes, bytes))
        #expect(!TokenAuthenticator.isEqual(bytes, Array("0123456788".utf8)))
        #expect(!TokenAuthenticator.isEqual(bytes, Array("01234567890".utf8)))
        #expect(!TokenAuthenticator.isEqual(bytes, []))
    }

    @Test(
        "a token file with a short token or without clients is an error without the token",
        arguments: ["", "a b", "short"])
    func tokenFile(content: String) throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("tokens-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(content.utf8).write(to: file)
        #expect(throws: ConfigurationError.self) { try TokenAuthenticator(file: file) }
    }
}
