import Foundation
import StrataPersistence
import StrataTesting

/// The kinds of stores that every rule is tested on.
enum StoreKind: String, Sendable, CaseIterable, CustomStringConvertible {
    case sqlite
    case inMemory
    case xml
    case binary

    /// The two that share no code: every rule is tested on them.
    static let allCases: [StoreKind] = [.sqlite, .inMemory]
    /// Those that are one file too, which are a store in memory that is written: the contract, random requests and random saves are tested on all.
    static let everyKind = allCases + [.xml, .binary]

    var description: String { rawValue }

    /// Where an empty store is.
    func provider(in folder: TemporaryFolder, named name: String = UUID().uuidString) -> any StoreProvider {
        let file = folder.file(name)
        return switch self {
        case .sqlite: SQLiteStoreProvider(at: file)
        case .inMemory: InMemoryStoreProvider()
        case .xml: AtomicStoreProvider(.xml, at: file)
        case .binary: AtomicStoreProvider(.binary, at: file)
        }
    }

    /// Opens an empty store; the folder of a store with a file goes with the container that holds it.
    func open(_ model: ManagedObjectModel, in folder: TemporaryFolder) throws -> any PersistentStore {
        try provider(in: folder).open(model, options: StoreOptions())
    }

    /// A loaded container, and the folder that must live as long.
    func stack(
        _ model: ManagedObjectModel, mainQueue: PersistentContainer.MainQueue = .private
    ) throws -> TestStack {
        let folder = try TemporaryFolder()
        let description = PersistentStoreDescription(provider(in: folder, named: "store.sqlite"))
        return TestStack(
            container: try PersistentContainer(model: model, description, mainQueue: mainQueue), folder: folder)
    }
}

/// A container over a store of any kind, and its folder.
struct TestStack: Sendable {
    let container: PersistentContainer
    let folder: TemporaryFolder

    var background: ManagedObjectContext { container.backgroundContext }
}
