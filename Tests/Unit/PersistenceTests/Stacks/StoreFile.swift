import Foundation
import PersistenceTestSupport
import StrataTesting

@testable import StrataCore
@testable import StrataInMemory
@testable import StrataPersistence
@testable import StrataSQLite
@testable import StrataStoreKit

/// A closed store of the library in a folder of its own, as a command creates it for tests.
struct StoreFile {
    let folder: TemporaryFolder

    var url: URL { folder.file("fixtures.sqlite") }

    /// Creates a library with rows and join rows, a gap at the end of its identifiers, and a metadata entry of the
    /// user.
    init() throws {
        folder = try TemporaryFolder()
        let store = try open()
        try Library.fill(store)
        _ = try store.reserveIdentifiers(40, of: "Tag")
        try store.writeRows { try $0.setMetadata("7", forKey: "seed") }
        try store.close()
    }

    func open() throws -> SQLiteStore { try SQLiteStore.open(at: url, model: try Library.model()) }

    /// Copies the current file and its log, which are the files left if the process with the open store is killed.
    func killed(in other: TemporaryFolder) throws -> URL {
        for suffix in ["", "-wal"] {
            try Data(contentsOf: folder.file("fixtures.sqlite\(suffix)"))
                .write(to: other.file("killed.sqlite\(suffix)"))
        }
        return other.file("killed.sqlite")
    }

    /// Returns a Boolean value that indicates whether file and log are unchanged since ``killed(in:)``.
    func isSame(_ killed: URL) throws -> Bool {
        try ["", "-wal"].allSatisfy { suffix in
            try Data(contentsOf: URL(fileURLWithPath: killed.path + suffix))
                == Data(contentsOf: folder.file("fixtures.sqlite\(suffix)"))
        }
    }

    /// Returns the files in the folder, byte by byte.
    func contents() throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        return try Dictionary(uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: folder.file($0))) })
    }

    /// Runs a statement on the file, as another program would.
    func change(_ sql: String) throws {
        let connection = try SQLiteConnection(path: url.path, access: .readWrite, busyTimeout: .zero)
        try connection.execute("PRAGMA foreign_keys = OFF")
        try connection.execute(sql)
        connection.close()
    }
}

/// The two ways to copy a store's file, which have the same results.
enum StoreFileCopy: String, Sendable, CaseIterable, CustomStringConvertible {
    case inMemory
    case sqlite

    var description: String { rawValue }

    /// Returns a closure that creates stacks over copies; the folder of an SQLite stack is deleted with its owner.
    func prepare(_ model: ManagedObjectModel, _ url: URL) throws -> () throws -> CopiedStack {
        switch self {
        case .inMemory:
            let prepared = try PreparedStack(model: model, copyOf: url)
            return { CopiedStack(container: try prepared.container(), stack: nil) }
        case .sqlite:
            let prepared = try PreparedStore(model: model, copyOf: url)
            return {
                let stack = try prepared.temporaryCopy()
                return CopiedStack(container: stack.container, stack: stack)
            }
        }
    }
}

/// A stack over a copy, and the objects that must live as long.
struct CopiedStack {
    let container: PersistentContainer
    let stack: TemporaryStack?

    var store: any PersistentStore { container.coordinator.store }
}
