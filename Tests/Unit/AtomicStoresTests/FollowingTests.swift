import Foundation
import StrataCore
import StrataStoreKit
import StrataTesting
import Synchronization
import Testing

@testable import StrataAtomicStores

/// The errors and the file after a store of another model is opened.
@Suite("Files migrated to another model")
struct FollowingTests {
    private static func model(_ properties: [(String, AttributeType)], rules: [AttributeRule] = []) throws
        -> ManagedObjectModel
    {
        try ManagedObjectModel([
            EntityDescription(
                "Note",
                properties.map {
                    .attribute(AttributeDescription($0.0, $0.1, isOptional: true, rules: $0.0 == "text" ? rules : []))
                })
        ])
    }

    /// Returns a store with a row, and its bytes.
    private func earlier(_ kind: FileKind) throws -> (TemporaryFolder, URL, Data) {
        let folder = try TemporaryFolder()
        let url = kind.file(in: folder)
        let store = try kind.open(url, try Self.model([("text", .string), ("old", .string)]))
        var changes = ChangeSet()
        changes["Note"].insertions = [.init(id: 7, values: [.string("12"), .string("x")])]
        _ = try store.save(changes)
        try store.close()
        return (folder, url, try Data(contentsOf: url))
    }

    @Test("a migration that is rejected or canceled leaves the file unchanged", arguments: FileKind.allCases)
    func refused(_ kind: FileKind) throws {
        let (folder, url, before) = try earlier(kind)
        let dropping = try Self.model([("text", .string)])
        var options = MigrationOptions()
        #expect(failure { _ = try kind.open(url, dropping) }?.code == .dataLoss)
        options.mode = .refuse
        options.drops = .everything
        let refused = failure { _ = try kind.open(url, dropping, options) }
        #expect(refused?.code == .incompatibleModel)
        #expect(refused?.path == url.path)
        options.mode = .migrate
        let copy = folder.file("before")
        options.backup = copy
        options.willCommit = { throw CancellationError() }
        #expect(throws: CancellationError.self) { _ = try kind.open(url, dropping, options) }
        #expect(!FileManager.default.fileExists(atPath: copy.path))
        options.willCommit = {}
        try Data("mine".utf8).write(to: copy)
        #expect(failure { _ = try kind.open(url, dropping, options) }?.code == .cannotCreate)
        #expect(try Data(contentsOf: copy) == Data("mine".utf8))
        #expect(failure { _ = try kind.open(url, dropping, isReadOnly: true, options) }?.code == .incompatibleModel)
        #expect(try Data(contentsOf: url) == before)
        // The store's lock is released too.
        try kind.open(url, try Self.model([("text", .string), ("old", .string)])).close()
        #expect(try Data(contentsOf: url) == before)
    }

    @Test("a migration copies the file to the backup and then writes the file once", arguments: FileKind.allCases)
    func followed(_ kind: FileKind) throws {
        let (folder, url, before) = try earlier(kind)
        let calls = Mutex<[String]>([])
        var options = MigrationOptions()
        options.drops = .named(["Note.old"])
        options.backup = folder.file("before")
        options.willCommit = { calls.withLock { $0.append("will") } }
        options.didCommit = { calls.withLock { $0.append("did") } }
        let later = try Self.model([("text", .integer64), ("more", .string)])
        #expect(try kind.provider(url).previewMigration(to: later, options: StoreOptions()).isPhysical)
        let store = try kind.open(url, later, options)
        #expect(calls.withLock { $0 } == ["will", "did"])
        #expect(try Data(contentsOf: folder.file("before")) == before)
        let row = try #require(try store.rows(StoreRequest("Note")).first)
        #expect(row.id == 7 && row.values == [.integer(12), .null])
        try store.close()
        #expect(try kind.open(url, later, isReadOnly: true).rows(StoreRequest("Note")) == [row])
        #expect(try kind.provider(url).previewMigration(to: later, options: StoreOptions()).steps.isEmpty)
        // The copy is a store.
        let copy = try kind.open(folder.file("before"), try Self.model([("text", .string), ("old", .string)]))
        #expect(try copy.rows(StoreRequest("Note")).first?.values == [.string("12"), .string("x")])
        try copy.close()
    }

    @Test(
        "opening a store adopts changed rules and a changed order of attributes, and a reader writes nothing",
        arguments: FileKind.allCases)
    func takenOver(_ kind: FileKind) throws {
        let (folder, url, before) = try earlier(kind)
        defer { withExtendedLifetime(folder) {} }
        let model = try Self.model([("old", .string), ("text", .string)], rules: [.maximumLength(1)])
        let reader = try kind.open(url, model, isReadOnly: true)
        #expect(try reader.rows(StoreRequest("Note")).first?.values == [.string("x"), .string("12")])
        #expect(try Data(contentsOf: url) == before)
        #expect(failure { _ = try kind.open(url, model) }?.code == .validation)
        #expect(try Data(contentsOf: url) == before)
        let longer = try Self.model([("old", .string), ("text", .string)], rules: [.maximumLength(2)])
        let store = try kind.open(url, longer)
        #expect(try Data(contentsOf: url) != before)
        #expect(try store.rows(StoreRequest("Note")).first?.values == [.string("x"), .string("12")])
        try store.close()
    }

    @Test("a deferred migration is written with the first successful bulk write", arguments: FileKind.allCases)
    func deferred(_ kind: FileKind) throws {
        let (folder, url, before) = try earlier(kind)
        let calls = Mutex(0)
        var options = MigrationOptions()
        options.isDeferred = true
        options.backup = folder.file("before")
        options.didCommit = { calls.withLock { $0 += 1 } }
        let later = try Self.model([("text", .string), ("old", .string), ("more", .string)])
        let store = try kind.open(url, later, options)
        #expect(try Data(contentsOf: url) == before)
        #expect(throws: CancellationError.self) { try store.writeRows { _ in throw CancellationError() } }
        #expect(try Data(contentsOf: url) == before)
        #expect(!FileManager.default.fileExists(atPath: folder.file("before").path))
        try store.writeRows { _ in }
        #expect(calls.withLock { $0 } == 1)
        #expect(try Data(contentsOf: url) != before)
        #expect(try Data(contentsOf: folder.file("before")) == before)
        try store.writeRows { try $0.setMetadata("v", forKey: "k") }
        #expect(calls.withLock { $0 } == 1)
        try store.close()
        #expect(try kind.open(url, later).metadata(forKey: "k") == "v")
    }
}
