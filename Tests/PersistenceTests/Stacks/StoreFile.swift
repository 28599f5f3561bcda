import Foundation
import PersistenceTestSupport
import StrataTesting

@testable import StrataCore
@testable import StrataInMemory
@testable import StrataPersistence
@testable import StrataSQLite

/// A closed store of the library in a folder of its own, as a command made it for tests.
struct StoreFile {
    let folder: TemporaryFolder

    var url: URL { folder.file("fixtures.sqlite") }

    /// A library with rows and pairs, a gap at the end of its identifiers, and a text under a key of the user's.
    init() throws {
        folder = try TemporaryFolder()
        let store = try open()
        try Library.fill(store)
        _ = try store.reserveIdentifiers(40, of: "Tag")
        try store.writeRows { try $0.setMetadata("7", forKey: "seed") }
        try store.close()
    }

    func open() throws -> SQLiteStore { try SQLiteStore.open(at: url, model: try Library.model()) }

    /// The file and its log as they are now, elsewhere: what is there when the process that has the store open is killed.
    func killed(in other: TemporaryFolder) throws -> URL {
        for suffix in ["", "-wal"] {
            try Data(contentsOf: folder.file("fixtures.sqlite\(suffix)"))
                .write(to: other.file("killed.sqlite\(suffix)"))
        }
        return other.file("killed.sqlite")
    }

    /// Whether file and log are still what they were in ``killed(in:)``.
    func isSame(_ killed: URL) throws -> Bool {
        try ["", "-wal"].allSatisfy { suffix in
            try Data(contentsOf: URL(fileURLWithPath: killed.path + suffix))
                == Data(contentsOf: folder.file("fixtures.sqlite\(suffix)"))
        }
    }

    /// What stands in the folder, byte for byte.
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

/// The two ways to a copy of a store's file, of which the same is true.
enum StoreFileCopy: String, Sendable, CaseIterable, CustomStringConvertible {
    case inMemory
    case sqlite

    var description: String { rawValue }

    /// Makes fresh stacks over copies; the folder of a SQLite stack goes with what holds it.
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

/// A stack over a copy, and what must live as long.
struct CopiedStack {
    let container: PersistentContainer
    let stack: TemporaryStack?

    var store: any PersistentStore { container.coordinator.store }
}
