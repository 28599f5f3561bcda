import Foundation
package import StrataPersistence
package import StrataStoreKit
package import StrataTesting

#if PostgreSQL
import StrataPostgreSQL
#endif

/// The kinds of stores that every rule is tested on.
package enum StoreKind: String, Sendable, CaseIterable, CustomStringConvertible {
    case sqlite
    case inMemory
    case xml
    case binary
    #if PostgreSQL
    /// A store in a schema of its own on the server that `make test-postgres` starts.
    case postgreSQL
    #endif

    /// The two kinds of stores that share no code, and a store on a server if one was started; they test every rule.
    package static let allCases: [StoreKind] = [.sqlite, .inMemory] + onServer

    #if PostgreSQL
    /// The connection string of the server; `nil` if none was started.
    private static let server = ProcessInfo.processInfo.environment["STRATA_POSTGRESQL"]
    private static let onServer: [StoreKind] = server == nil ? [] : [.postgreSQL]
    #else
    private static let onServer: [StoreKind] = []
    #endif

    /// All kinds, including those in one file, which write an in-memory store: the contract and the random tests use
    /// them.
    package static let everyKind = allCases + [.xml, .binary]

    /// The kinds that can keep a history.
    package static let withHistory: [StoreKind] = [.sqlite] + onServer

    package var description: String { rawValue }

    /// Returns the provider of an empty store.
    package func provider(in folder: TemporaryFolder, named name: String = UUID().uuidString) -> any StoreProvider {
        let file = folder.file(name)
        return switch self {
        case .sqlite: SQLiteStoreProvider(at: file)
        case .inMemory: InMemoryStoreProvider()
        case .xml: AtomicStoreProvider(.xml, at: file)
        case .binary: AtomicStoreProvider(.binary, at: file)
        #if PostgreSQL
        case .postgreSQL:
            PostgreSQLStoreProvider(PostgreSQLSettings(Self.server ?? "", schema: "strata \(UUID().uuidString)"))
        #endif
        }
    }

    /// Opens an empty store; the folder of a store with a file is deleted with the container that holds it.
    package func open(_ model: ManagedObjectModel, in folder: TemporaryFolder) throws -> any PersistentStore {
        try provider(in: folder).open(model, options: StoreOptions())
    }

    /// Returns a loaded container and the folder that must live as long.
    package func stack(
        _ model: ManagedObjectModel, mainQueue: PersistentContainer.MainQueue = .private
    ) throws -> TestStack {
        let folder = try TemporaryFolder()
        let description = PersistentStoreDescription(provider(in: folder, named: "store.sqlite"))
        return TestStack(
            container: try PersistentContainer(model: model, description, mainQueue: mainQueue), folder: folder)
    }
}

/// A container over a store of any kind, and its folder.
package struct TestStack: Sendable {
    package let container: PersistentContainer
    package let folder: TemporaryFolder

    package init(container: PersistentContainer, folder: TemporaryFolder) {
        self.container = container
        self.folder = folder
    }

    package var background: ManagedObjectContext { container.backgroundContext }
}
