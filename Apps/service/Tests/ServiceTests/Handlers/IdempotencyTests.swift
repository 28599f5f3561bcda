import HTTPTypes
import StrataPersistence
import Testing

@testable import Service

@Suite("Idempotency keys")
struct IdempotencyTests {
    private static let key: HTTPFields = [.idempotencyKey: "key 1"]

    @Test("the same request is done once, and its response is repeated")
    func repetition() async throws {
        try await TestService().run { client in
            let first = try await client.send(.post, "/colors", #"{"hex":"111"}"#, headers: Self.key)
            let second = try await client.send(.post, "/colors", #"{"hex":"111"}"#, headers: Self.key)
            #expect(second.status == .created)
            #expect(second.body == first.body)
            #expect(second.headers[.eTag] == first.headers[.eTag])
            #expect(second.headers[.location] == first.headers[.location])
            #expect(second.headers[.idempotentReplayed] == "true")
            #expect(try await client.send(.get, "/colors").strings("id").count == 1)
        }
    }

    @Test("another body with the same key is 422, and the first response remains")
    func otherBody() async throws {
        try await TestService().run { client in
            let first = try await client.send(.post, "/colors", #"{"hex":"111"}"#, headers: Self.key)
            let other = try await client.send(.post, "/colors", #"{"hex":"222"}"#, headers: Self.key)
            #expect(other.status == .unprocessableContent)
            let second = try await client.send(.post, "/colors", #"{"hex":"111"}"#, headers: Self.key)
            #expect(second.body == first.body)
        }
    }

    @Test("keys of different routes are independent")
    func otherRoute() async throws {
        try await TestService().run { client in
            let body = #"{"firstName":"a","lastName":"b"}"#
            try await client.expect(.created, .post, "/bosses", body, headers: Self.key)
            let employee = #"{"firstName":"a","lastName":"b","salary":1}"#
            try await client.expect(.created, .post, "/employees", employee, headers: Self.key)
        }
    }

    @Test("a rejection is repeated, too")
    func rejection() async throws {
        try await TestService().run { client in
            let first = try await client.send(.post, "/colors", "{}", headers: Self.key)
            let second = try await client.send(.post, "/colors", "{}", headers: Self.key)
            #expect(first.status == .unprocessableContent)
            #expect(second.body == first.body)
            #expect(second.headers[.contentType] == "application/problem+json")
        }
    }

    @Test("concurrent requests with the same key create one record")
    func concurrency() async throws {
        try await TestService().run { client in
            let bodies = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        try await client.send(.post, "/colors", #"{"hex":"111"}"#, headers: Self.key).body
                    }
                }
                return try await group.reduce(into: Set<String>()) { $0.insert($1) }
            }
            #expect(bodies.count == 1)
            #expect(try await client.send(.get, "/colors").strings("id").count == 1)
        }
    }

    @Test("a key that is too long is 400")
    func longKey() async throws {
        try await TestService().run { client in
            let headers: HTTPFields = [.idempotencyKey: String(repeating: "k", count: 256)]
            try await client.expect(.badRequest, .post, "/colors", #"{"hex":"111"}"#, headers: headers)
        }
    }
}
