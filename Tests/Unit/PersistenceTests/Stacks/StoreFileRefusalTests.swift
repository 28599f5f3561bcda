import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

/// Files that are not an intact store of the model are rejected and stay unchanged.
@Suite("Files that cannot be copied")
struct StoreFileRefusalTests {
    @Test("copying a missing store throws and does not create the store", arguments: StoreFileCopy.allCases)
    func missing(_ kind: StoreFileCopy) throws {
        let folder = try TemporaryFolder()
        let url = folder.file("none.sqlite")
        let error = try persistenceError { _ = try kind.prepare(try Library.model(), url) }
        #expect(error.code == .storeNotFound && error.message == "there is no store" && error.path == url.path)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
    }

    @Test("copying an empty file throws and leaves the file empty", arguments: StoreFileCopy.allCases)
    func empty(_ kind: StoreFileCopy) throws {
        let folder = try TemporaryFolder()
        let url = folder.file("empty.sqlite")
        try Data().write(to: url)
        #expect(try persistenceError { _ = try kind.prepare(try Library.model(), url) }.code == .storeNotFound)
        #expect(try Data(contentsOf: url).isEmpty)
    }

    @Test("copying a store of another model throws and leaves the store unchanged", arguments: StoreFileCopy.allCases)
    func otherModel(_ kind: StoreFileCopy) throws {
        let file = try StoreFile()
        let before = try file.contents()
        let error = try persistenceError { _ = try kind.prepare(try League.model(), file.url) }
        #expect(error.code == .incompatibleModel && error.path == file.url.path)
        #expect(try file.contents() == before)
    }

    @Test("copying a file that is not a database throws", arguments: StoreFileCopy.allCases)
    func noDatabase(_ kind: StoreFileCopy) throws {
        let folder = try TemporaryFolder()
        let url = folder.file("notes.txt")
        try Data("not a database".utf8).write(to: url)
        #expect(try persistenceError { _ = try kind.prepare(try Library.model(), url) }.code == .notADatabase)
    }

    @Test("copying a store into memory throws an error that names a row that breaks a rule")
    func rule() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("league.sqlite")
        let store = try SQLiteStore.open(at: url, model: try League.model())
        var changes = ChangeSet()
        changes["Team"].insertions = [.init(id: 1, values: [.string("a name of many letters"), .null, .integer(0)])]
        // The store itself does not check rules; contexts and imports do.
        _ = try store.save(changes)
        try store.close()
        let error = try persistenceError { _ = try PreparedStack(model: try League.model(), copyOf: url) }
        #expect(error.code == .validation && error.entity == "Team" && error.path == url.path)
        #expect(error.failures.map(\.attribute) == ["name"])
        #expect(error.failures.map(\.id) == [1])
    }

    @Test("copying a store with a dangling reference or join row into memory throws")
    func references() throws {
        let reference = try StoreFile()
        try reference.change("DELETE FROM \"Author\" WHERE id = 2; DELETE FROM \"Contract\"")
        let first = try persistenceError { _ = try PreparedStack(model: try Library.model(), copyOf: reference.url) }
        #expect(first.code == .danglingReference && first.entity == "Book" && first.attribute == "author")
        let pair = try StoreFile()
        try pair.change("DELETE FROM \"Tag\" WHERE id = 1")
        let second = try persistenceError { _ = try PreparedStack(model: try Library.model(), copyOf: pair.url) }
        #expect(second.code == .danglingReference && second.entity == "Book" && second.attribute == "tags")
        #expect(second.path == pair.url.path)
    }

    @Test(
        "copying a store with a log in a read-only folder throws an error with a solution",
        .enabled(if: geteuid() != 0, "root may read and write everything"),
        arguments: StoreFileCopy.allCases)
    func logInReadOnlyFolder(_ kind: StoreFileCopy) throws {
        let file = try StoreFile()
        let open = try file.open()
        _ = try open.reserveIdentifiers(60, of: "Tag")
        let folder = try TemporaryFolder()
        let killed = try file.killed(in: folder)
        try open.close()
        try #require(chmod(folder.url.path, 0o555) == 0)
        defer { _ = chmod(folder.url.path, 0o755) }
        let error = try persistenceError { _ = try kind.prepare(try Library.model(), killed) }
        #expect(error.code == .permissionDenied && error.path == killed.path)
        let message = """
            the store's log cannot be read, because the folder \(folder.url.path) cannot be written; copy the store and \
            its -wal file to a folder that can be
            """
        #expect(error.message == message)
    }
}
