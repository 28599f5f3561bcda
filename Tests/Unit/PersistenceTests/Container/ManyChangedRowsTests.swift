import PersistenceTestSupport
import StrataTesting
import Testing

@testable import StrataCore
@testable import StrataPersistence
@testable import StrataStoreKit

/// Changes of more rows than a change names.
///
/// The cache and merging contexts discard their rows nevertheless.
@Suite("Changes of more rows than are listed by identifier")
struct ManyChangedRowsTests {
    private static let count = Int64(ChangedIdentifiers.maximumCount + 2)

    /// Returns a container with a cache whose rows never expire, and a number of teams.
    private static func container(_ kind: StoreKind, in folder: TemporaryFolder) throws -> PersistentContainer {
        let store = try kind.open(try League.model(), in: folder)
        var description = PersistentStoreDescription.custom("kept") { _ in store }
        description.stalenessInterval = nil
        let container = try PersistentContainer(model: store.model, description, mainQueue: .private)
        try write("old", container)
        return container
    }

    private static func write(_ name: String, _ container: PersistentContainer) throws {
        try container.batchWrite { writer in
            let inserter = try writer.inserter(of: "Team", InsertOptions(onConflict: .update))
            for id in 1...count {
                try inserter.insert(
                    id: id, values: [.string(name), .null, .integer(0)],
                    location: RowLocation(line: Int(id), record: Int(id)))
            }
        }
    }

    private static func ends() throws -> [TeamID] { try [1, count].map { try #require(TeamID(rawValue: $0)) } }

    /// Returns the names of the first and the last team in a new context, which may read from the cache; `nil` for a
    /// deleted team.
    private static func names(_ container: PersistentContainer) throws -> [String?] {
        let ends = try ends()
        return try container.newBackgroundContext().performAndWait { context in
            try ends.map { try context.findObject(with: $0, of: Team.entity)?.name }
        }
    }

    /// Returns the names of the first and the last team in a merging context that retains them during a change.
    private static func held(
        _ container: PersistentContainer, _ change: () throws -> Void
    ) throws -> [String] {
        let keeper = Keeper()
        let ends = try ends()
        try container.mainContext.performAndWait { context in
            for id in ends { keeper.keep(try context.existingObject(with: id, of: Team.self)) }
        }
        try change()
        return try container.mainContext.performAndWait { context in
            defer { keeper.release() }
            _ = try context.count(FetchRequest<Team>())
            return keeper.kept.map { $0.state == .detached ? "detached" : ($0 as? Managed<Team>)?.name ?? "" }
        }
    }

    @Test(
        "after a batch update of very many rows, the cache and merging contexts have no old row",
        arguments: StoreKind.allCases)
    func batchUpdate(_ kind: StoreKind) throws {
        let folder = try TemporaryFolder()
        let container = try Self.container(kind, in: folder)
        #expect(try Self.names(container) == ["old", "old"])
        let held = try Self.held(container) {
            let result = try container.batchUpdate(Team.self, [.set(\.name, to: "new")])
            #expect(result.changes.updated["Team"]?.count == Int(Self.count))
        }
        #expect(held == ["new", "new"])
        #expect(try Self.names(container) == ["new", "new"])
    }

    @Test(
        "after a batch deletion of very many rows, the cache and merging contexts have no old row",
        arguments: StoreKind.allCases)
    func batchDelete(_ kind: StoreKind) throws {
        let folder = try TemporaryFolder()
        let container = try Self.container(kind, in: folder)
        #expect(try Self.names(container) == ["old", "old"])
        let held = try Self.held(container) {
            let result = try container.batchDelete(Team.self)
            #expect(result.changes.deleted["Team"]?.count == Int(Self.count))
        }
        #expect(held == ["detached", "detached"])
        #expect(try Self.names(container) == [nil, nil])
    }

    @Test(
        "after a bulk write that updates very many rows, the cache and merging contexts have no old row",
        arguments: StoreKind.allCases)
    func batchWrite(_ kind: StoreKind) throws {
        let folder = try TemporaryFolder()
        let container = try Self.container(kind, in: folder)
        #expect(try Self.names(container) == ["old", "old"])
        #expect(try Self.held(container) { try Self.write("new", container) } == ["new", "new"])
        #expect(try Self.names(container) == ["new", "new"])
    }
}
