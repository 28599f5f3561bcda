import Foundation
import PersistenceTestSupport
import StrataTesting
import Testing

@testable import StrataCore
@testable import StrataInMemory
@testable import StrataPersistence
@testable import StrataSQLite

/// Each operation runs one statement for all rows, and prepares it once.
@Suite("Numbers of statements")
struct StatementCountTests {
    private func store(_ stack: TestStack) throws -> SQLiteStore {
        try #require(stack.container.coordinator.store as? SQLiteStore)
    }

    /// Returns the counts of the only idle reader during `body`.
    private func reading(_ store: SQLiteStore, _ body: () throws -> Void) throws -> SQLiteConnection.Counts {
        let before = try store.pool.withConnection(\.counts)
        try body()
        let after = try store.pool.withConnection(\.counts)
        return after - before
    }

    private func writing(_ store: SQLiteStore, _ body: () throws -> Void) throws -> SQLiteConnection.Counts {
        let before = try store.withWriter(\.counts)
        try body()
        return try store.withWriter(\.counts) - before
    }

    private func stack(teams: Int) throws -> TestStack {
        let stack = try StoreKind.sqlite.league()
        try stack.background.performAndWait { context in
            for number in 1...teams { try context.insert(Team.self) { Team(id: $0, name: "T\(number)") } }
            try context.save()
        }
        return stack
    }

    @Test("a fetch of any number of objects runs one statement", arguments: [1, 10, 500])
    func fetch(_ teams: Int) throws {
        let stack = try stack(teams: teams)
        let counts = try reading(try store(stack)) {
            let found = try stack.background.performAndWait { try $0.fetch(FetchRequest<Team>()).count }
            #expect(found == teams)
        }
        #expect(counts == .init(prepared: 1, runs: 1, transactions: 0))
    }

    @Test("a fetch and a count with pending changes run one statement each")
    func pending() throws {
        let stack = try stack(teams: 50)
        try stack.background.performAndWait { context in
            for team in try context.fetch(FetchRequest<Team>(limit: 20)) { team.points = 1 }
            let counts = try reading(try store(stack)) { _ = try context.fetch(FetchRequest<Team>()) }
            #expect(counts.runs == 1)
            #expect(try reading(try store(stack)) { _ = try context.count(FetchRequest<Team>()) }.runs == 1)
        }
    }

    @Test("a repeated request with other values reuses its prepared statement")
    func reuse() throws {
        let stack = try stack(teams: 10)
        let counts = try reading(try store(stack)) {
            for number in 1...9 {
                let name = "T\(number)"
                let request = FetchRequest<Team>(where: #Predicate { $0.name == name })
                let found = try stack.background.performAndWait { try $0.fetchRecords(request).map(\.name) }
                #expect(found == [name])
            }
        }
        #expect(counts == .init(prepared: 1, runs: 9, transactions: 0))
    }

    @Test("a save of any number of objects runs one transaction and prepares one statement", arguments: [1, 10, 500])
    func save(_ number: Int) throws {
        let stack = try stack(teams: 1)
        let counts = try stack.background.performAndWait { context in
            for number in 1...number { try context.insert(Fan.self) { Fan(id: $0, name: "F\(number)") } }
            return try writing(try store(stack)) { try context.save() }
        }
        #expect(counts.transactions == 1)
        #expect(counts.prepared == 1, "the insertion")
        #expect(counts.runs == number + 1, "a row each, and the identifiers' mark")
    }

    @Test("a save of one changed attribute prepares one statement and runs one transaction")
    func update() throws {
        let stack = try stack(teams: 20)
        let counts = try stack.background.performAndWait { context in
            for team in try context.fetch(FetchRequest<Team>()) { team.points += 1 }
            return try writing(try store(stack)) { try context.save() }
        }
        #expect(counts == .init(prepared: 1, runs: 20, transactions: 1))
    }

    @Test("a second fetch after a deletion runs one statement, because delete rules are applied once")
    func deletedOnce() throws {
        let stack = try stack(teams: 5)
        try stack.background.performAndWait { context in
            context.delete(try #require(try context.fetch(FetchRequest<Team>(limit: 1)).first))
            _ = try context.fetch(FetchRequest<Player>())
            let counts = try reading(try store(stack)) { _ = try context.fetch(FetchRequest<Player>()) }
            #expect(counts.runs == 1)
        }
    }

    @Test("refreshing all objects runs one statement for each entity", arguments: [1, 500])
    func refreshAll(_ teams: Int) throws {
        let stack = try stack(teams: teams)
        try stack.team("other")
        try stack.player("Ann")
        try stack.container.newBackgroundContext().performAndWait { context in
            let teams = try context.fetch(FetchRequest<Team>())
            let players = try context.fetch(FetchRequest<Player>())
            let counts = try reading(try store(stack)) { try context.refreshAllObjects() }
            #expect(counts.runs == 2 && !teams.isEmpty && !players.isEmpty)
        }
    }

    @Test("an upsert of any number of new objects runs at most six reading statements", arguments: [10, 1000])
    func upserting(_ number: Int) throws {
        let stack = try StoreKind.sqlite.stack(try ManagedObjectModel(records: [Badge.self, Sticker.self]))
        let context = stack.container.newBackgroundContext(mergePolicy: .mergeByPropertyStoreTrump)
        func save() throws -> SavedChanges {
            try context.performAndWait { context in
                for number in 1...number { try context.insert(Badge.self) { Badge(id: $0, text: "\(number)") } }
                return try context.save()
            }
        }
        _ = try save()
        let store = try store(stack)
        var (upserted, written) = (0, SQLiteConnection.Counts())
        let read = try reading(store) {
            written = try writing(store) { upserted = try save().upserted["Badge"]?.count ?? 0 }
        }
        #expect(written.transactions == 1, "the one that the store refused")
        // Two statements test if identifiers of a partly used block are free.
        #expect(read.runs <= 6, "identifiers, values in parts of 500, and all owners at once")
        #expect(upserted == number)
    }
}

extension SQLiteConnection.Counts {
    fileprivate static func - (left: Self, right: Self) -> Self {
        Self(
            prepared: left.prepared - right.prepared, runs: left.runs - right.runs,
            transactions: left.transactions - right.transactions)
    }
}
