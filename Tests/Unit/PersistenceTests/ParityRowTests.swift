import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

/// Rows of the comparison of Strata with Core Data that no other test covers.
@Suite("Rows of the parity page")
struct ParityRowTests {
    static let policies: [MergePolicy] = [
        .error, .mergeByPropertyStoreTrump, .rollback, .mergeByPropertyObjectTrump, .overwrite,
    ]

    @Test("an object returns its changed and committed values without reading the store", arguments: StoreKind.allCases)
    func committedValues(_ kind: StoreKind) throws {
        let (stack, store) = try kind.hooked(League.model())
        let id = try stack.team("Reds").id
        try stack.background.performAndWait { context in
            let team = try context.existingObject(with: id, of: Team.self)
            team.points = 3
            store.fetchFailure.withLock { $0 = PersistenceError(.inputOutput, "nothing is to be read") }
            #expect(team.committedValues()?["points"] == .integer(0) && team.committedRecord?.points == 0)
            #expect(team.changedValues() == ["points": .integer(3)])
            store.fetchFailure.withLock { $0 = nil }
            context.rollback()
        }
    }

    @Test("delete rules are applied by the next read and not at the end of the closure", arguments: StoreKind.allCases)
    func perform(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let team = try stack.team("Reds")
        let keeper = Keeper()
        try stack.background.performAndWait { context in
            keeper.keep(try context.insert(Trophy.self) { Trophy(id: $0, title: "Cup", team: team.id) })
            try context.save()
        }
        try stack.background.performAndWait { _ = try $0.delete(team) }
        try stack.background.performAndWait { (context) throws in
            #expect(keeper.kept.map(\.state) == [.unchanged])
            #expect(try context.count(FetchRequest<Player>()) == 0)
            #expect(keeper.kept.map(\.state) == [.deleted])
            context.rollback()
            keeper.release()
        }
    }

    @Test(
        "a save with a reference to an object that another context deleted fails under every merge policy",
        arguments: StoreKind.allCases, policies)
    func danglingReference(_ kind: StoreKind, _ policy: MergePolicy) throws {
        let stack = try kind.league()
        let team = try stack.team("Reds")
        try stack.container.mainContext.performAndWait { context in
            let fan = try context.insert(Fan.self) { Fan(id: $0, name: "Fay", team: team.id) }
            try stack.background.performAndWait { context in
                try context.delete(team)
                try context.save()
            }
            #expect(try persistenceError { try context.save(mergePolicy: policy) }.code == .danglingReference)
            fan.team = nil
            try context.save()
        }
    }

    @Test(
        "a child context's save checks neither unique values nor references, and its parent's save checks both",
        arguments: StoreKind.allCases)
    func childConstraints(_ kind: StoreKind) throws {
        for isReference in [false, true] {
            let stack = try kind.league()
            try stack.player("Ann", number: 7)
            let missingTeam = try #require(TeamID(rawValue: 99))
            let parent = stack.container.newBackgroundContext()
            try parent.newChildContext().performAndWait { context in
                try context.insert(Player.self) {
                    Player(id: $0, name: "Bob", number: isReference ? 8 : 7, team: isReference ? missingTeam : nil)
                }
                #expect(try context.save().inserted["Player"]?.count == 1)
            }
            let error = try persistenceError { try parent.performAndWait { _ = try $0.save() } }
            #expect(error.code == (isReference ? .danglingReference : .uniqueness))
        }
    }

    @Test(
        "an object that another context inserted is found by the next fetch and not merged before",
        arguments: StoreKind.allCases)
    func insertedElsewhere(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let main = stack.container.mainContext
        #expect(try main.performAndWait { try $0.fetchRecords(FetchRequest<Team>()) }.isEmpty)
        let id = try stack.team("Reds").id
        try main.performAndWait { context in
            #expect(context.registeredObject(for: id, of: Team.self) == nil && context.registeredObjects.isEmpty)
            let found = try context.fetch(FetchRequest<Team>())
            #expect(found.map(\.id) == [id])
        }
    }

    @Test("loading a fault throws if its row was deleted", arguments: StoreKind.allCases)
    func inaccessibleFault(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let team = try stack.team("Reds")
        try stack.container.mainContext.performAndWait { context in
            let fault: Fault<Team> = context.object(with: team.id)
            try stack.background.performAndWait { context in
                try context.delete(team)
                try context.save()
            }
            #expect(try persistenceError { _ = try fault.object() }.code == .objectNotFound)
        }
    }

    @Test(
        "writing a reference keeps an object's sort key, and adding the object to the list appends it",
        arguments: StoreKind.allCases)
    func orderedReference(_ kind: StoreKind) throws {
        let stack = try kind.library()
        try stack.background.performAndWait { context in
            let (homer, aeneid) = (try context.author(1), try context.book(3))
            let rank = aeneid.rank
            aeneid.author = homer.id
            #expect(aeneid.rank == rank)
            try context.add(aeneid, to: \.books, of: homer)
            #expect(try context.titles(homer).last == "Aeneid")
            context.rollback()
        }
    }

    @Test(
        "two writers that add objects at the same time can together exceed a relationship's maximum",
        arguments: StoreKind.allCases)
    func maximumTogether(_ kind: StoreKind) throws {
        let (stack, store) = try kind.hooked(try Halls.model())
        _ = try store.base.save(Halls.filled.changes)
        store.beforeSave.withLock { hook in
            hook = { base, number in
                guard number == 0 else { return }
                var changes = ChangeSet()
                changes["Seat"].insertions = [96, 97].map { .init(id: $0, values: [.integer(1)]) }
                _ = try base.save(changes)
            }
        }
        try stack.background.performAndWait { context in
            let before = try context.count(\.seats, of: try context.existingObject(with: 1, of: Halls.Hall.self))
            #expect(before <= 3)
            try context.insert(Halls.Seat(id: 98, hall: 1))
            try context.save()
            let after = try context.count(\.seats, of: try context.existingObject(with: 1, of: Halls.Hall.self))
            #expect(after == before + 3 && after > 4)
        }
    }
}
