import Foundation
import HTTPTypes
import StrataDomain
import StrataPersistence
import Testing

@testable import Service

@Suite("Records")
struct RecordTests {
    private static let day = Date(timeIntervalSinceReferenceDate: 0)
    private static let navy = Color(id: 1, hex: HexColor(red: 0, green: 0, blue: 128), name: "navy", dateCreated: day)

    @Test("a created record is returned with its location, entity tag and defaults")
    func creation() async throws {
        try await TestService().run { client in
            let created = try await client.send(.post, "/colors", #"{"hex":"abc"}"#)
            #expect(created.status == .created)
            #expect(created.headers[.location] == "/colors/1")
            #expect(created["hex"] == "#AABBCC")
            #expect(created["name"] == JSON.null)
            let read = try await client.send(.get, "/colors/1")
            #expect(read.body == created.body)
            #expect(read.headers[.eTag] == created.headers[.eTag])
        }
    }

    @Test("decimals are exact")
    func decimals() async throws {
        try await TestService().run { client in
            let body = #"{"name":"A","unitCost":0.01,"unitPrice":92233720368547758.07}"#
            let created = try await client.send(.post, "/items", body)
            #expect(created.body.contains(#""unitPrice":92233720368547758.07"#))
        }
    }

    @Test(
        "an invalid body is rejected with a pointer",
        arguments: [
            (#"{"hex":"x1"}"#, 422, "/hex"), (#"{"name":"a"}"#, 422, "/hex"), (#"{"hex":null}"#, 422, "/hex"),
            (#"{"hex":5}"#, 400, "/hex"), (#"{"hex":"000","size":5}"#, 400, "/size"),
            (#"{"hex":"000","id":5}"#, 400, "/id"), ("[]", 400, nil), ("{", 400, ""),
        ] as [(String, Int, String?)])
    func invalidBody(body: String, status: Int, pointer: String?) async throws {
        try await TestService().run { client in
            let answer = try await client.send(.post, "/colors", body)
            #expect(answer.status.code == status)
            var found = answer["pointer"]
            if case .array(let errors)? = answer["errors"] { found = errors.first?.members?["pointer"] }
            #expect(found == pointer.map(JSON.string))
        }
    }

    @Test("the rules of the record type are reported with the property")
    func recordRule() async throws {
        try await TestService().run { client in
            let body = #"{"firstName":"Ada","lastName":"Lace","salary":-1}"#
            let answer = try await client.send(.post, "/employees", body)
            #expect(answer.status == .unprocessableContent)
            #expect(answer.body.contains(#""pointer":"/salary""#))
        }
    }

    @Test("a dangling reference is a conflict with a pointer")
    func danglingReference() async throws {
        try await TestService().run { client in
            let body = #"{"firstName":"Ada","lastName":"Lace","salary":1,"boss":77}"#
            let answer = try await client.send(.post, "/employees", body)
            #expect(answer.status == .conflict)
            #expect(answer["pointer"] == "/boss")
        }
    }

    @Test("a body over the limit is rejected")
    func largeBody() async throws {
        var service = try TestService()
        service.limits.bodyBytes = 100
        try await service.run { client in
            let body = #"{"hex":"000","name":"\#(String(repeating: "a", count: 200))"}"#
            try await client.expect(.contentTooLarge, .post, "/colors", body)
        }
    }

    @Test("a merge patch changes the given members only")
    func patch() async throws {
        try await TestService([Self.navy]).run { client in
            let tag = try #require(try await client.send(.get, "/colors/1").headers[.eTag])
            let patched = try await client.send(
                .patch, "/colors/1", #"{"name":null}"#, headers: [.ifMatch: tag])
            #expect(patched.status == .ok)
            #expect(patched["hex"] == "#000080")
            #expect(patched["name"] == JSON.null)
            #expect(patched.headers[.eTag] != tag)
            #expect(try await client.send(.get, "/colors/1").headers[.eTag] == patched.headers[.eTag])
        }
    }

    @Test("a patch without changes retains the entity tag")
    func emptyPatch() async throws {
        try await TestService([Self.navy]).run { client in
            let tag = try #require(try await client.send(.get, "/colors/1").headers[.eTag])
            let patched = try await client.send(.patch, "/colors/1", "{}", headers: [.ifMatch: tag])
            #expect(patched.headers[.eTag] == tag)
        }
    }

    @Test("a replacement sets absent members to their defaults, and retains immutable ones")
    func replacement() async throws {
        try await TestService().run { client in
            let created = try await client.send(
                .post, "/items", #"{"name":"A","unitCost":1,"unitPrice":2,"stockCount":7}"#)
            let replaced = try await client.send(
                .put, "/items/1", #"{"name":"B","unitCost":1,"unitPrice":2}"#, headers: [.ifMatch: "*"])
            #expect(replaced.status == .ok)
            #expect(replaced["stockCount"] == 0)
            #expect(replaced["itemId"] == created["itemId"])
            #expect(replaced["dateCreated"] == created["dateCreated"])
        }
    }

    @Test("an immutable attribute cannot be changed")
    func immutable() async throws {
        try await TestService().run { client in
            try await client.send(.post, "/items", #"{"name":"A","unitCost":1,"unitPrice":2}"#)
            let answer = try await client.send(
                .patch, "/items/1", #"{"dateCreated":"2020-01-01T00:00:00Z"}"#, headers: [.ifMatch: "*"])
            #expect(answer.status == .unprocessableContent)
            #expect(answer.body.contains(#""pointer":"/dateCreated""#))
        }
    }

    @Test("a write without If-Match is 428, with another tag or a weak one 412", arguments: ["PATCH", "PUT", "DELETE"])
    func preconditions(method: String) async throws {
        try await TestService([Self.navy]).run { client in
            let method = try #require(HTTPRequest.Method(method))
            let body = method == .delete ? nil : #"{"hex":"000"}"#
            let tag = try #require(try await client.send(.get, "/colors/1").headers[.eTag])
            try await client.expect(HTTPResponse.Status(code: 428), method, "/colors/1", body)
            for other in ["\"0\"", "W/\(tag)", "\"0\", \"2\""] {
                let answer = try await client.send(method, "/colors/1", body, headers: [.ifMatch: other])
                #expect(answer.status == .preconditionFailed)
            }
            let answer = try await client.send(method, "/colors/1", body, headers: [.ifMatch: "\"0\", \(tag)"])
            #expect(answer.status.kind == .successful)
        }
    }

    @Test("of concurrent writes with the same tag, one succeeds")
    func concurrentWrites() async throws {
        try await TestService([Self.navy]).run { client in
            let tag = try #require(try await client.send(.get, "/colors/1").headers[.eTag])
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 1...8 {
                    group.addTask {
                        let body = #"{"name":"\#(number)"}"#
                        return try await client.send(.patch, "/colors/1", body, headers: [.ifMatch: tag]).status.code
                    }
                }
                return try await group.reduce(into: [Int]()) { $0.append($1) }
            }
            #expect(statuses.sorted() == [200] + Array(repeating: 412, count: 7))
        }
    }

    @Test("a missing record is 404", arguments: ["/colors/9", "/colors/0", "/colors/x"])
    func missing(path: String) async throws {
        try await TestService().run { client in
            try await client.expect(.notFound, .get, path)
            try await client.expect(.notFound, .delete, path, headers: [.ifMatch: "*"])
        }
    }

    @Test("an unchanged record is 304")
    func notModified() async throws {
        try await TestService([Self.navy]).run { client in
            let tag = try #require(try await client.send(.get, "/colors/1").headers[.eTag])
            for condition in [tag, "W/\(tag)", "\"0\", \(tag)", "*"] {
                let answer = try await client.send(.get, "/colors/1", headers: [.ifNoneMatch: condition])
                #expect(answer.status == .notModified)
            }
            try await client.expect(.ok, .get, "/colors/1", headers: [.ifNoneMatch: "\"0\""])
        }
    }

    @Test("another method is 405 with the permitted ones")
    func otherMethod() async throws {
        try await TestService().run { client in
            let answer = try await client.send(.delete, "/colors")
            #expect(answer.status == .methodNotAllowed)
            #expect(answer.headers[.allow] == "GET, POST")
            try await client.expect(.notFound, .get, "/nothing")
        }
    }

    @Test("a request that takes too long is 503")
    func timeLimit() async throws {
        var service = TestService(context: SilentContext())
        service.limits.requestTime = .milliseconds(1)
        try await service.run { client in
            let answer = try await client.send(.get, "/colors/1")
            #expect(answer.status == .serviceUnavailable)
            #expect(answer["type"] == "urn:strata:problem:timeout")
        }
    }
}
