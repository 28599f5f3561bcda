import Foundation
import StrataPersistence
import StrataRepositories

/// The kinds of stores under a repository.
enum StoreKind: CaseIterable {
    case inMemory
    case sqlite
    case xml
    case binary
    #if PostgreSQL
    /// A separate schema on the server that `make test-postgres` starts.
    case postgreSQL

    private static let server = ProcessInfo.processInfo.environment["STRATA_POSTGRESQL"]
    static let allCases: [StoreKind] = [.inMemory, .sqlite, .xml, .binary] + (server == nil ? [] : [.postgreSQL])
    #endif

    /// Returns the description of an empty store in a folder.
    func description(in folder: URL) -> PersistentStoreDescription {
        switch self {
        case .inMemory: .inMemory
        case .sqlite: .sqlite(at: folder.appendingPathComponent("store.sqlite"))
        case .xml: .xml(at: folder.appendingPathComponent("store.stxml"))
        case .binary: .binary(at: folder.appendingPathComponent("store.stbin"))
        #if PostgreSQL
        case .postgreSQL: .postgreSQL(Self.server ?? "", schema: "strata \(UUID().uuidString)")
        #endif
        }
    }

    /// Runs `body` with the four repositories over an empty store of this kind, and destroys the store afterwards.
    func withRepositories(_ body: (StoredRepositories) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("strata-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let container = try PersistentContainer(model: ReferenceModel.model(), description(in: folder))
        try await body(StoredRepositories(container: container))
        try container.close()
    }
}

/// The four repositories over one context, and the container for tests that need a second context.
struct StoredRepositories {
    let container: PersistentContainer
    let colors: StoredColorRepository
    let bosses: StoredBossRepository
    let employees: StoredEmployeeRepository
    let items: StoredItemRepository

    init(container: PersistentContainer) {
        self.container = container
        let context = container.backgroundContext
        colors = StoredColorRepository(context)
        bosses = StoredBossRepository(context)
        employees = StoredEmployeeRepository(context)
        items = StoredItemRepository(context)
    }
}
