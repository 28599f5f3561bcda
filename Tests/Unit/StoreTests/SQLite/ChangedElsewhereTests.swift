import Foundation
import PersistenceTestSupport
import StrataTesting
import Testing

@testable import StrataCore
@testable import StrataInMemory
@testable import StrataPersistence
@testable import StrataSQLite
@testable import StrataStoreKit

/// Stores that another program has changed.
@Suite("A store changed by another program")
struct ChangedElsewhereTests {
    private let folder: TemporaryFolder
    private let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.file("store.sqlite")
        let store = try SQLiteStore.open(at: url, model: try StoreContract.model())
        _ = try store.save(Self.insertion(1))
        try store.close()
    }

    private static func insertion(_ id: Int64) -> ChangeSet {
        var changes = ChangeSet()
        changes["Owner"].insertions = [.init(id: id, values: [.null, .integer(0), .null])]
        return changes
    }

    private func execute(_ sql: String) throws {
        let connection = try SQLiteConnection(path: url.path, access: .readWrite, busyTimeout: .seconds(1))
        defer { connection.close() }
        try connection.execute(sql)
    }

    private func openingError() throws -> PersistenceError {
        try persistenceError { _ = try SQLiteStore.open(at: url, model: try StoreContract.model()) }
    }

    @Test("a store with a missing column is rejected, and the column's name is not read as a text")
    func missingColumn() throws {
        try execute("ALTER TABLE \"Owner\" RENAME COLUMN \"rank\" TO \"other\"")
        let error = try openingError()
        #expect(error.code == .corrupt)
        #expect(error.message == "the table Owner has no column rank; another program changed the store")
    }

    @Test("a store with a missing join table or a missing position column is rejected")
    func missingPairs() throws {
        try execute("ALTER TABLE \"Playlist_songs\" DROP COLUMN \"sourcePosition\"")
        var message = "the table Playlist_songs has no column sourcePosition; another program changed the store"
        #expect(try openingError().message == message)
        try execute("DROP TABLE \"Article_tags\"")
        message = "the table Article_tags is missing; another program changed the store"
        #expect(try openingError().message == message)
    }

    @Test("a store without the table of its metadata is rejected")
    func missingMetadata() throws {
        try execute("DROP TABLE strata_metadata")
        #expect(try openingError().message == "the store's own tables are missing; another program changed it")
    }

    @Test("a save does not run a trigger that another program added")
    func trigger() throws {
        try execute("CREATE TRIGGER evil AFTER INSERT ON \"Owner\" BEGIN DELETE FROM \"Owner\"; END")
        let store = try SQLiteStore.open(at: url, model: try StoreContract.model())
        _ = try store.save(Self.insertion(2))
        #expect(try store.count(StoreRequest("Owner")) == 2)
        try store.close()
    }

    @Test("opening a store whose write-ahead log was turned off turns the log on again")
    func journalMode() throws {
        try execute("PRAGMA journal_mode = DELETE")
        let store = try SQLiteStore.open(at: url, model: try StoreContract.model())
        let cursor = try store.openCursor(StoreRequest("Owner"))
        _ = try cursor.next { _ in }
        // In a rollback journal's mode, the reader would block the writer.
        _ = try store.save(Self.insertion(2))
        #expect(try store.count(StoreRequest("Owner")) == 2)
        try store.close()
    }

    @Test("a store with rows is not removed if only an empty store may be removed")
    func destroyOnlyIfEmpty() throws {
        #expect(try SQLiteStore.destroy(at: url, onlyIfEmpty: true) == false)
        let store = try SQLiteStore.open(at: url, model: try StoreContract.model())
        #expect(try store.count(StoreRequest("Owner")) == 1)
        var changes = ChangeSet()
        let version = try #require(try store.rows(StoreRequest("Owner")).first?.version)
        changes["Owner"].deletions = [.init(id: 1, expectedVersion: version)]
        _ = try store.save(changes)
        try store.close()
        #expect(try SQLiteStore.destroy(at: url, onlyIfEmpty: true))
        #expect(!FileManager.default.fileExists(atPath: url.path))
    }

    @Test("removing a store through a symbolic link deletes the file and keeps the link")
    func link() throws {
        let link = folder.file("link.sqlite")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: url)
        #expect(try SQLiteStore.destroy(at: link))
        #expect(!FileManager.default.fileExists(atPath: url.path))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == url.path)
    }

    @Test("a removed store cannot be opened through another hard link")
    func removedUnderAnotherName() throws {
        let other = folder.file("other.sqlite")
        try FileManager.default.linkItem(at: url, to: other)
        try SQLiteStore.destroy(at: url)
        let error = try persistenceError { _ = try SQLiteStore.open(at: other, model: try StoreContract.model()) }
        #expect(error.code == .foreignStore)
    }

    @Test("a store file that cannot be removed is reported with the system's reason")
    func notRemovable() throws {
        try execute("PRAGMA journal_mode = DELETE")
        try FileManager.default.createDirectory(at: folder.file("store.sqlite-shm"), withIntermediateDirectories: false)
        let error = try persistenceError { try SQLiteStore.destroy(at: url) }
        #expect(error.code == .inputOutput)
        #expect(error.message == "the file cannot be removed: Is a directory")
    }

    @Test("a store whose first transaction was interrupted is created again")
    func brokenOffCreation() throws {
        let half = folder.file("half.sqlite")
        let connection = try SQLiteConnection(path: half.path, access: .create, busyTimeout: .seconds(1))
        defer { connection.close() }
        // With such a small cache, the journal that records the empty file is on the disk before the end of the
        // transaction.
        try connection.execute("PRAGMA cache_size = 1")
        try connection.execute("BEGIN IMMEDIATE")
        try connection.execute("PRAGMA application_id = \(SQLiteFormat.applicationID)")
        try connection.execute("PRAGMA user_version = \(SQLiteFormat.version)")
        for number in 0..<50 { try connection.execute("CREATE TABLE t\(number) (x TEXT DEFAULT '\(url.path)')") }
        let copy = folder.file("copy.sqlite")
        try FileManager.default.copyItem(at: folder.file("half.sqlite-journal"), to: folder.file("copy.sqlite-journal"))
        try connection.execute("COMMIT")
        // SQLite writes the first page first.
        try Data(contentsOf: half).prefix(4096).write(to: copy)
        let store = try SQLiteStore.open(at: copy, model: try StoreContract.model())
        _ = try store.save(Self.insertion(1))
        #expect(try store.count(StoreRequest("Owner")) == 1)
        try store.close()
    }

    @Test("an open store whose file is deleted throws on reads and can be closed")
    func deletedFile() throws {
        let store = try SQLiteStore.open(at: url, model: try StoreContract.model())
        try FileManager.default.removeItem(at: url)
        var cursors: [any RowCursor] = []
        let error = try persistenceError {
            for _ in 0..<100 { cursors.append(try store.openCursor(StoreRequest("Owner"))) }
        }
        #expect(error.path == url.path, "\(error.code) \(error)")
        cursors = []
        try store.close()
        #expect(try persistenceError { _ = try store.count(StoreRequest("Owner")) }.code == .closed)
    }

    @Test("a cursor that is opened while the store closes does not keep the store open")
    func cursorRace() throws {
        for round in 0..<20 {
            let store = try SQLiteStore.open(at: folder.file("race\(round).sqlite"), model: try StoreContract.model())
            let opening = DispatchGroup()
            DispatchQueue.global().async(group: opening) {
                var held: [any RowCursor] = []
                // The loop ends when the store is closed, and the error then reports that.
                while let cursor = try? store.openCursor(StoreRequest("Owner")) { held.append(cursor) }
                withExtendedLifetime(held) {}
            }
            try store.close()
            opening.wait()
        }
    }
}
