import Foundation
import StrataPersistence
import StrataTesting

/// The kinds of stores that every rule is tested on.
enum StoreKind: String, Sendable, CaseIterable, CustomStringConvertible {
    case sqlite
    case inMemory

    var description: String { rawValue }

    /// Opens an empty store; the folder of a SQLite store goes with the container that holds it.
    func open(_ model: ManagedObjectModel, in folder: TemporaryFolder) throws -> any PersistentStore {
        switch self {
        case .sqlite: try SQLiteStore.open(at: folder.file("\(UUID().uuidString).sqlite"), model: model)
        case .inMemory: InMemoryStore(model: model)
        }
    }

    /// A loaded container, and the folder that must live as long.
    func stack(
        _ model: ManagedObjectModel, mainQueue: PersistentContainer.MainQueue = .private
    ) throws -> TestStack {
        let folder = try TemporaryFolder()
        let description: PersistentStoreDescription =
            self == .sqlite ? .sqlite(at: folder.file("store.sqlite")) : .inMemory
        return TestStack(
            container: try PersistentContainer(model: model, description, mainQueue: mainQueue), folder: folder)
    }
}

/// A container over either kind of store, and its folder.
struct TestStack: Sendable {
    let container: PersistentContainer
    let folder: TemporaryFolder

    var background: ManagedObjectContext { container.backgroundContext }
}
