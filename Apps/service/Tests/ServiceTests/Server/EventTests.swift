import Foundation
import NIOHTTP1
import ServiceLifecycle
import Testing

@testable import Service

@Suite("Events")
struct EventTests {
    @Test("a change is an event with the version of the record")
    func change() async throws {
        let folder = try TestFolder()
        try await LiveService.run(store: folder.store) { service in
            var events = try await service.events()
            let first = try #require(try await events.next())
            #expect(first.retry == "2000")
            #expect(first.id != nil && first.data == nil)
            let id = try await service.create()
            let inserted = try #require(try await events.next())
            #expect(inserted.event == "change")
            #expect(inserted.json["entity"] == "Color")
            #expect(inserted.json["id"] == .integer(id))
            #expect(inserted.json["kind"] == "inserted")
            let tag = try await service.send("GET", "/colors/\(id)").headers.first(name: "ETag")
            guard case .integer(let version)? = inserted.json["version"] else { throw CancellationError() }
            #expect(tag == "\"\(version)\"")
            try await service.send("PATCH", "/colors/\(id)", #"{"name":"a"}"#)
            #expect(try await events.next()?.json["kind"] == "updated")
            try await service.send("DELETE", "/colors/\(id)")
            #expect(try await events.next()?.json["kind"] == "deleted")
        }
    }

    @Test("a client that resumes receives each change once and in order, also after a restart")
    func resumption() async throws {
        let folder = try TestFolder()
        let position = Position()
        try await LiveService.run(store: folder.store) { service in
            var events = try await service.events()
            position.id = try await events.next()?.id
            for expected in 1...3 {
                try await service.create()
                let event = try #require(try await events.next())
                #expect(event.json["id"] == .integer(Int64(expected)))
                position.id = event.id
            }
            // The client has disconnected; these changes happen without it.
            for _ in 4...5 { try await service.create() }
        }
        try await LiveService.run(store: folder.store) { service in
            var events = try await service.events(after: position.id)
            #expect(try await events.next()?.retry == "2000")
            // A process reserves identifiers, so that those of the next process are greater.
            for expected in [4, 5, try await service.create()] {
                #expect(try await events.next()?.json["id"] == .integer(expected))
            }
        }
    }

    @Test("a client that does not read receives each change once when it reads")
    func slowClient() async throws {
        let folder = try TestFolder()
        try await LiveService.run(store: folder.store) { service in
            var slow = try await service.events()
            var fast = try await service.events()
            _ = try await fast.next()
            // More transactions than the feed retains.
            for expected in 1...700 {
                try await service.create()
                #expect(try await fast.next()?.json["id"] == .integer(Int64(expected)))
            }
            _ = try await slow.next()
            for expected in 1...700 {
                #expect(try await slow.next()?.json["id"] == .integer(Int64(expected)))
            }
        }
    }

    @Test("a position before the retained changes is read from the history")
    func oldPosition() async throws {
        let folder = try TestFolder()
        try await LiveService.run(store: folder.store) { service in
            var first = try await service.events()
            let start = try await first.next()?.id
            for _ in 1...600 { try await service.create() }
            var events = try await service.events(after: start)
            _ = try await events.next()
            for expected in 1...600 {
                #expect(try await events.next()?.json["id"] == .integer(Int64(expected)))
            }
        }
    }

    @Test("a change of another instance on the same file is an event")
    func otherInstance() async throws {
        let folder = try TestFolder()
        try await LiveService.run(store: folder.store) { first in
            try await LiveService.run(store: folder.store) { second in
                var events = try await first.events()
                _ = try await events.next()
                let id = try await second.create()
                #expect(try await events.next()?.json["id"] == .integer(id))
            }
        }
    }

    @Test("changes of other entities are not sent")
    func otherEntities() async throws {
        let folder = try TestFolder()
        try await LiveService.run(store: folder.store) { service in
            var events = try await service.events(entities: "Boss")
            _ = try await events.next()
            try await service.create()
            try await service.send("POST", "/bosses", #"{"firstName":"a","lastName":"b"}"#)
            #expect(try await events.next()?.json["entity"] == "Boss")
        }
    }

    @Test(
        "an unknown position is answered with an event to read all lists again",
        arguments: ["x", "00000000-0000-0000-0000-000000000001:0:5"])
    func unknownPosition(id: String) async throws {
        let folder = try TestFolder()
        try await LiveService.run(store: folder.store) { service in
            var events = try await service.events(after: id)
            var resync = try await events.next()
            if resync?.event == nil { resync = try await events.next() }
            #expect(resync?.event == "resync")
            #expect(resync?.id != nil && resync?.id != id)
            let created = try await service.create()
            #expect(try await events.next()?.json["id"] == .integer(created))
        }
    }

    @Test("an import of many rows is one event to read all lists again")
    func largeImport() async throws {
        let folder = try TestFolder()
        try await LiveService.run(store: folder.store) { service in
            var events = try await service.events()
            _ = try await events.next()
            let lines = String(repeating: #"{"hex":"111"}"# + "\n", count: 1_001)
            #expect(try await service.send("POST", "/colors/import", lines).status == 200)
            #expect(try await events.next()?.event == "resync")
        }
    }

    @Test("a stream over the limit is 503, until a client disconnects")
    func limit() async throws {
        let folder = try TestFolder()
        var limits = Configuration.Limits()
        limits.streams = 1
        try await LiveService.run(store: folder.store, limits: limits) { service in
            do {
                var events = try await service.events()
                _ = try await events.next()
                let other = try await service.events()
                #expect(other.status == 503)
            }
            // The client has released its response, which closes its connection. The service notices it without a
            // change. Each attempt is a complete request.
            while try await service.events().status == 503 {}
        }
    }

    @Test("a stop ends the streams")
    func stop() async throws {
        let folder = try TestFolder()
        try await LiveService.run(store: folder.store) { service in
            var events = try await service.events()
            _ = try await events.next()
            await service.group.triggerGracefulShutdown()
            #expect(try await events.next() == nil)
        }
    }

    // SAFETY: two services run one after the other, so that no two tasks use the position at once.
    private final class Position: @unchecked Sendable {
        var id: String?
    }
}
