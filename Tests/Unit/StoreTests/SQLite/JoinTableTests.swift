import Foundation
import StrataTesting
import Testing

@testable import StrataCore
@testable import StrataInMemory
@testable import StrataPersistence
@testable import StrataSQL
@testable import StrataSQLite
@testable import StrataStoreKit

/// The tables of many-to-many relationships.
@Suite("Join tables")
struct JoinTableTests {
    private func store() throws -> (store: SQLiteStore, folder: TemporaryFolder) {
        let folder = try TemporaryFolder()
        return (try SQLiteStore.open(at: folder.file("store.sqlite"), model: try StoreContract.model()), folder)
    }

    private func fill(_ store: any PersistentStore, _ count: Int64) throws {
        var changes = ChangeSet()
        changes["Article"].insertions = (1...count).map { .init(id: $0, values: [.null]) }
        changes["Tag"].insertions = [.init(id: 1, values: [.string("t")])]
        changes.joins["Article_tags", default: .init()].added = (1...count).map {
            JoinRow(JoinPair(source: $0, target: 1))
        }
        #expect(try store.save(changes).isEmpty)
    }

    @Test("a join table has no row id, and has a position column only for an ordered side")
    func schema() throws {
        let layout = SQLLayout(model: try StoreContract.model(), dialect: SQLiteDialect())
        let table = TableDescription(try layout.model.join(named: "Playlist_songs"))
        #expect(
            [layout.creation(of: table)] + table.indexes.map { layout.creation(of: $0, on: table) } == [
                #"CREATE TABLE "Playlist_songs" ("#
                    + #""source" INTEGER NOT NULL REFERENCES "Playlist" ("id") DEFERRABLE INITIALLY DEFERRED, "#
                    + #""target" INTEGER NOT NULL REFERENCES "Song" ("id") DEFERRABLE INITIALLY DEFERRED, "#
                    + #""sourcePosition" INTEGER, PRIMARY KEY ("source", "target")) STRICT, WITHOUT ROWID"#,
                #"CREATE INDEX "Playlist_songs_target" ON "Playlist_songs" ("target")"#,
            ])
    }

    @Test(
        "reading the join rows of any number of objects runs one statement, which is prepared once",
        arguments: [1, 10, 2000])
    func oneStatement(_ count: Int64) throws {
        let (store, folder) = try store()
        try fill(store, count)
        let before = try store.pool.withConnection(\.counts)
        for _ in 1...2 {
            #expect(try store.joins(JoinRequest("Article_tags", ids: Array(1...count))).count == Int(count))
        }
        let after = try store.pool.withConnection(\.counts)
        #expect(after.prepared - before.prepared == 1)
        #expect(after.runs - before.runs == 2)
        try store.close()
        withExtendedLifetime(folder) {}
    }

    @Test("join rows are looked up by index from either end", arguments: [JoinRequest.Side.source, .target])
    func plan(_ side: JoinRequest.Side) throws {
        let (store, folder) = try store()
        for name in ["Article_tags", "Person_friends"] {
            let request = try JoinRequest(name, of: side, ids: [1]).resolved(in: store.model)
            let (sql, _) = store.layout.selection(request)
            let plan = try store.pool.withConnection { try $0.texts("EXPLAIN QUERY PLAN " + sql, column: 3) }
            #expect(plan.contains { $0.hasPrefix("SEARCH \(name) USING") }, "\(plan)")
            #expect(!plan.contains { $0.hasPrefix("SCAN \(name)") }, "\(plan)")
        }
        try store.close()
        withExtendedLifetime(folder) {}
    }

    @Test("join rows exist after the store is reopened, and are removed with the store")
    func again() throws {
        let (store, folder) = try store()
        try fill(store, 3)
        try store.close()
        let url = folder.file("store.sqlite")
        let again = try SQLiteStore.open(at: url, model: try StoreContract.model())
        #expect(try again.joins(JoinRequest("Article_tags")).map(\.pair.source) == [1, 2, 3])
        try again.close()
        #expect(try SQLiteStore.destroy(at: url, onlyIfEmpty: true) == false)
        #expect(try SQLiteStore.destroy(at: url))
    }

    @Test("join rows that two stores add and remove are merged row by row")
    func merging() throws {
        let (first, folder) = try store()
        try fill(first, 4)
        let second = try SQLiteStore.open(at: folder.file("store.sqlite"), model: try StoreContract.model())
        func change(_ store: SQLiteStore, removing removed: Int64, adding added: Int64) throws {
            var changes = ChangeSet()
            changes.joins["Article_tags", default: .init()].removed = [JoinPair(source: removed, target: 1)]
            changes.joins["Article_tags", default: .init()].added = [JoinRow(JoinPair(source: added, target: 1))]
            #expect(try store.save(changes).isEmpty)
        }
        try change(first, removing: 1, adding: 2)
        try change(second, removing: 3, adding: 1)
        #expect(try first.joins(JoinRequest("Article_tags")).map(\.pair.source) == [1, 2, 4])
        try first.close()
        try second.close()
    }

    @Test("changes of join rows in a copy of an in-memory store do not affect the original")
    func copy() throws {
        let store = InMemoryStore(model: try StoreContract.model())
        try fill(store, 2)
        let copy = try store.copy()
        var changes = ChangeSet()
        changes.joins["Article_tags", default: .init()].removed = [JoinPair(source: 1, target: 1)]
        #expect(try copy.save(changes).isEmpty)
        #expect(try store.joins(JoinRequest("Article_tags")).count == 2)
        #expect(try copy.joins(JoinRequest("Article_tags")).count == 1)
    }
}

extension SQLiteConnection {
    /// Returns one column of a statement's rows as texts.
    fileprivate func texts(_ sql: String, column: Int32) throws -> [String] {
        let statement = try SQLiteStatement(sql, on: self)
        defer { statement.reset() }
        var texts: [String] = []
        while try statement.step() {
            if case .string(let text) = SQLiteValues.read(statement.handle, column, as: .string) { texts.append(text) }
        }
        return texts
    }
}
