import Foundation
import NIOHTTP1
import ServiceLifecycle
import Testing

@testable import Service

@Suite("Server")
struct ServerTests {
    @Test("the page and its files are served")
    func page() async throws {
        let folder = try TestFolder()
        try await LiveService.run(store: folder.store) { service in
            for (path, type) in [("/", "text/html"), ("/app.css", "text/css"), ("/app.js", "text/javascript")] {
                let response = try await service.send("GET", path)
                #expect(response.status == 200)
                #expect(response.headers.first(name: "Content-Type")?.hasPrefix(type) == true)
            }
            #expect(try await service.text("/ready").contains("ready"))
            #expect(try await service.text("/metrics").contains("db_client_operation_duration_seconds_bucket"))
        }
    }

    @Test("an import stores all records or none, and names the lines of all errors")
    func importing() async throws {
        let folder = try TestFolder()
        try await LiveService.run(store: folder.store) { service in
            let lines = #"{"hex":"111"}"# + "\n" + #"{"hex":"x"}"# + "\n" + #"{"name":"y"}"# + "\n"
            let rejected = try await service.send("POST", "/colors/import", lines)
            #expect(rejected.status == 422)
            let problem = rejected.body
            #expect(problem.contains(#""line":2"#) && problem.contains(#""line":3"#))
            #expect(try await service.text("/colors") == "[]")
            let all = (1...1_000).map { #"{"hex":"111","name":"color \#($0)"}"# + "\n" }.joined()
            #expect(try await service.send("POST", "/colors/import", all).status == 200)
            #expect(try await service.text("/colors/export").split(separator: "\n").count == 1_000)
        }
    }

    @Test(
        "a client that ends its body early stores nothing",
        arguments: [
            "Content-Length: 1000\r\n\r\n{\"hex\":\"111\"}\n{\"hex\":\"222\"}\n",
            "Transfer-Encoding: chunked\r\n\r\nE\r\n{\"hex\":\"111\"}\n\r\n",
        ])
    func earlyEnd(rest: String) async throws {
        let folder = try TestFolder()
        try await LiveService.run(store: folder.store) { service in
            for path in ["/colors/import", "/colors"] {
                let connection = try RawConnection(port: service.port)
                connection.send("POST \(path) HTTP/1.1\r\nHost: localhost\r\n\(rest)")
                let answer = await connection.finish()
                #expect(!answer.contains(" 200 ") && !answer.contains(" 201 "), "\(answer)")
            }
            #expect(try await service.text("/colors") == "[]")
        }
    }

    @Test("header fields over the limit are rejected")
    func largeHeader() async throws {
        let folder = try TestFolder()
        try await LiveService.run(store: folder.store) { service in
            let connection = try RawConnection(port: service.port)
            let field = String(repeating: "a", count: 20_000)
            connection.send("GET /colors HTTP/1.1\r\nHost: localhost\r\nX-Large: \(field)\r\n\r\n")
            let answer = await connection.finish()
            #expect(!answer.contains(" 200 "))
        }
    }

    @Test("another host name is rejected without authentication")
    func otherHost() async throws {
        let folder = try TestFolder()
        try await LiveService.run(store: folder.store) { service in
            let connection = try RawConnection(port: service.port)
            connection.send("GET /colors HTTP/1.1\r\nHost: attacker.example\r\n\r\n")
            let answer = await connection.finish()
            #expect(answer.contains(" 421 "))
        }
    }

    @Test("records and responses of keys remain after a restart")
    func restart() async throws {
        let folder = try TestFolder()
        try await LiveService.run(store: folder.store) { try await $0.create() }
        try await LiveService.run(store: folder.store) { service in
            let text = try await service.text("/colors")
            #expect(text.contains("#123456"))
        }
    }
}
