import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

/// The part of a context that works with values only, which repositories use.
@Suite("Record contexts")
struct RecordContextTests {
    @Test(
        "a record context has saved each insert, update and deletion when the call returns",
        arguments: StoreKind.allCases)
    func wholeUnits(_ kind: StoreKind) async throws {
        let stack = try kind.league()
        let records: any RecordContext = stack.background
        let reds = try await records.insert(Team.self) { Team(id: $0, name: "Reds") }
        _ = try await records.insert(Team.self) { Team(id: $0, name: "Blues") }
        #expect(try stack.stored(Team.self).map(\.name) == ["Reds", "Blues"])
        let changed = try await records.update(Team.self, id: reds.id) { $0.points = 4 }
        #expect(changed.points == 4)
        #expect(try await records.fetch(FetchRequest<Team>()).map(\.points) == [4, 0])
        #expect(try await records.count(FetchRequest<Team>(where: #Predicate { $0.points == 4 })) == 1)
        #expect(try await records.delete(FetchRequest<Team>(where: #Predicate { $0.name == "Blues" })) == 1)
        #expect(try stack.stored(Team.self).map(\.name) == ["Reds"])
    }

    /// A record whose hook counts its saves.
    private struct Stamped: PersistentRecord, LifecycleHooks, Hashable {
        let id: LibraryID
        var text: String
        var stamps = 0

        static let entity = RecordEntity<Stamped>(
            "Stamped", id: \.id, [.attribute("text", \.text), .attribute("stamps", \.stamps)]
        ) { row in Stamped(id: try row.id(), text: try row.next(), stamps: try row.next()) }

        static func willSave(_ object: Managed<Stamped>, in context: ConfinedContext) {
            if object.text != "done" { (object.text, object.stamps) = ("done", object.stamps + 1) }
        }
    }

    @Test("an insert and an update return the record with the changes of its save hook", arguments: StoreKind.allCases)
    func stamped(_ kind: StoreKind) async throws {
        let stack = try kind.stack(try ManagedObjectModel(records: [Stamped.self]))
        let records: any RecordContext = stack.background
        let inserted = try await records.insert(Stamped.self) { Stamped(id: $0, text: "new") }
        #expect(inserted == Stamped(id: inserted.id, text: "done", stamps: 1))
        let updated = try await records.update(Stamped.self, id: inserted.id) { $0.text = "more" }
        #expect(updated == Stamped(id: inserted.id, text: "done", stamps: 2))
        #expect(try stack.stored() == [updated])
    }

    @Test("records that are inserted one by one have consecutive identifiers", arguments: StoreKind.allCases)
    func numbering(_ kind: StoreKind) async throws {
        let stack = try kind.league()
        for number in 1...40 {
            let team = try await stack.background.insert(Team.self) { Team(id: $0, name: "T\(number)") }
            #expect(team.id.rawValue == Int64(number))
        }
    }

    @Test("an insert of a record that breaks a rule throws and leaves no pending change", arguments: StoreKind.allCases)
    func refused(_ kind: StoreKind) async throws {
        let stack = try kind.league()
        await #expect(throws: PersistenceError.self) {
            try await stack.background.insert(Team.self) { Team(id: $0, name: "") }
        }
        #expect(try await stack.background.count(FetchRequest<Team>()) == 0)
        #expect(!(await stack.background.perform { $0.hasChanges }))
    }

    @Test("updating a record that does not exist throws", arguments: StoreKind.allCases)
    func missing(_ kind: StoreKind) async throws {
        let stack = try kind.league()
        let id = try #require(TeamID(rawValue: 5))
        let error = await #expect(throws: PersistenceError.self) {
            try await stack.background.update(Team.self, id: id) { $0.points = 1 }
        }
        #expect(error?.code == .objectNotFound)
    }

    @Test("record operations of a context neither see nor save its unsaved changes", arguments: StoreKind.allCases)
    func apart(_ kind: StoreKind) async throws {
        let stack = try kind.league()
        let reds = try stack.team("Reds")
        try await stack.background.perform { context in
            try context.existingObject(with: reds.id, of: Team.self).name = "Unsaved"
        }
        #expect(try await stack.background.fetch(FetchRequest<Team>()).map(\.name) == ["Reds"])
        _ = try await stack.background.update(Team.self, id: reds.id) { $0.points = 2 }
        #expect(try stack.stored() == [Team(id: reds.id, name: "Reds", points: 2)])
        #expect(await stack.background.perform { $0.hasChanges })
    }

    @Test("a stream returns every record once, in order, from one snapshot", arguments: StoreKind.allCases)
    func stream(_ kind: StoreKind) async throws {
        let stack = try kind.league()
        try stack.container.batchInsert(into: "Team") { rows in
            for number in 1...700 {
                let place = RowLocation(line: number, record: number)
                try rows.insert(values: [.string("T"), .null, .integer(Int64(number % 3))], location: place)
            }
        }
        var ids: [Int64] = []
        for try await team in stack.background.stream(FetchRequest<Team>(sort: [SortKey(\.id, order: .reverse)])) {
            if ids.isEmpty { _ = try await stack.background.delete(FetchRequest<Team>(limit: 10)) }
            ids.append(team.id.rawValue)
        }
        #expect(ids == (1...700).reversed())
        #expect(try await stack.background.count(FetchRequest<Team>()) == 690)
    }

    @Test("a deletion through a record context applies the delete rules", arguments: StoreKind.allCases)
    func rules(_ kind: StoreKind) async throws {
        let stack = try kind.league()
        let reds = try stack.team("Reds")
        try stack.player("Ann", team: reds.id)
        #expect(try await stack.background.delete(FetchRequest<Team>()) == 1)
        #expect(try stack.stored(Player.self).map(\.team) == [nil])
    }

    /// Runs tasks that increment a team's points, each in one of the contexts, and expects that no increment is lost.
    private func count(
        _ stack: TestStack, _ times: Int, in contexts: [any RecordContext]
    ) async throws {
        let id = try stack.team("Reds").id
        try await withThrowingTaskGroup(of: Void.self) { group in
            for context in contexts {
                group.addTask {
                    for _ in 1...times { _ = try await context.update(Team.self, id: id) { $0.points += 1 } }
                }
            }
            try await group.waitForAll()
        }
        #expect(try stack.stored(Team.self).map(\.points) == [times * contexts.count])
    }

    @Test("eight tasks that each increment a counter 50 times lose no update", arguments: StoreKind.allCases)
    func counter(_ kind: StoreKind) async throws {
        let stack = try kind.league()
        // Every other task has its own context, so that updates conflict in the store and do not only share a queue.
        let contexts = (1...8).map { number in
            number.isMultiple(of: 2)
                ? stack.background : stack.container.newBackgroundContext(name: "task \(number)")
        }
        try await count(stack, 50, in: contexts)
    }

    /// A wrapper around a context that implements only the one required method.
    private struct Passing: RecordContext {
        let base: any RecordContext
        func transaction<Result: Sendable>(
            mergePolicy: MergePolicy?, _ body: @Sendable (any RecordTransaction) throws -> Result
        ) async throws -> Result {
            try await base.transaction(mergePolicy: mergePolicy, body)
        }
    }

    @Test("tasks that increment a counter through wrapped contexts lose no update", arguments: StoreKind.allCases)
    func counterBehindOther(_ kind: StoreKind) async throws {
        let stack = try kind.league()
        let contexts = (1...4).map { Passing(base: stack.container.newBackgroundContext(name: "task \($0)")) }
        try await count(stack, 20, in: contexts)
    }

    @Test(
        "an insert skips identifiers that an import used, through a context and through a wrapper around it",
        arguments: StoreKind.allCases)
    func takenIdentifiers(_ kind: StoreKind) async throws {
        let stack = try kind.league()
        let first = try await stack.background.insert(Team.self) { Team(id: $0, name: "T") }.id.rawValue
        let taken = (1...3).map { first + $0 }
        var changes = ChangeSet()
        changes["Team"].insertions = taken.map { .init(id: $0, values: [.string("Taken"), .null, .integer(0)]) }
        #expect(try stack.container.coordinator.store.save(changes).isEmpty)
        let second = try await Passing(base: stack.background).insert(Team.self) { Team(id: $0, name: "T") }
        let third = try await stack.background.insert(Team.self) { Team(id: $0, name: "T") }
        #expect(Set([second, third].map(\.id.rawValue)).isDisjoint(with: taken))
        #expect(try stack.stored(Team.self).count == 6)
    }

    @Test("concurrent inserts by several contexts receive different identifiers", arguments: StoreKind.allCases)
    func identifiers(_ kind: StoreKind) async throws {
        let stack = try kind.league()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...6 {
                let context = stack.container.newBackgroundContext(name: "task \(number)")
                group.addTask {
                    for _ in 1...40 { _ = try await context.insert(Team.self) { Team(id: $0, name: "T\(number)") } }
                }
            }
            try await group.waitForAll()
        }
        #expect(Set(try stack.stored(Team.self).map(\.id)).count == 240)
    }
}
