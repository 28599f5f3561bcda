import PersistenceTestSupport
import StrataPersistence
import StrataTesting
import Testing

/// A context has one object for each identifier while the object is retained.
@Suite("Uniquing and releasing objects")
struct UniquingTests {
    @Test("every way to read an identifier returns the same object", arguments: StoreKind.allCases)
    func uniquing(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let id = try stack.team("Reds").id
        try stack.container.newBackgroundContext().performAndWait { context in
            #expect(context.registeredObject(for: id, of: Team.self) == nil, "it reads nothing")
            let fault: Fault<Team> = context.object(with: id)
            let object = try fault.object()
            #expect(try context.existingObject(with: id, of: Team.self) === object)
            #expect(try context.fetch(FetchRequest<Team>()).map { $0 === object } == [true])
            #expect(try context.object(with: id, of: Team.self).object() === object)
            #expect(context.registeredObject(for: id, of: Team.self) === object)
            var batched: [Managed<Team>] = []
            try context.fetch(FetchRequest<Team>(), inBatchesOf: 10) { batched += $0 }
            #expect(batched.first === object)
        }
    }

    @Test("an object that is not retained is not registered, even in the same closure", arguments: StoreKind.allCases)
    func holding(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let id = try stack.team("Reds").id
        try stack.container.newBackgroundContext().performAndWait { context in
            _ = try context.existingObject(with: id, of: Team.self)
            #expect(context.registeredObject(for: id, of: Team.self) == nil)
            let object = try context.existingObject(with: id, of: Team.self)
            withExtendedLifetime(object) {
                #expect(context.registeredObject(for: id, of: Team.self) != nil)
            }
        }
    }

    @Test(
        "a context releases unchanged objects after the closure, and changed objects after the save",
        arguments: StoreKind.allCases)
    func forgetting(_ kind: StoreKind) throws {
        let stack = try kind.league()
        try stack.background.performAndWait { context in
            for number in 1...5000 { try context.insert(Team.self) { Team(id: $0, name: "T\(number)") } }
            try context.save()
        }
        let context = stack.container.newBackgroundContext()
        try context.performAndWait { context in
            let teams = try context.fetch(FetchRequest<Team>())
            withExtendedLifetime(teams) { #expect(context.registeredObjects.count == 5000) }
            for team in teams.prefix(10) { team.points = 1 }
        }
        #expect(context.performAndWait { $0.registeredObjects.count } == 10)
        try context.performAndWait { try $0.save() }
        #expect(context.performAndWait { $0.registeredObjects.count } == 0)
    }

    /// Counts live objects without retaining one.
    ///
    /// SAFETY: it is used in the closures of one context only, and those run one after the other.
    private final class Census: @unchecked Sendable {
        private struct Entry {
            weak var object: ManagedObject?
        }

        private var entries: [Entry] = []

        func note(_ objects: [ManagedObject]) { entries += objects.map { Entry(object: $0) } }

        var living: Int { entries.filter { $0.object != nil }.count }
    }

    @Test(
        "a context releases any number of objects that are not retained when the closure ends",
        arguments: StoreKind.allCases,
        [10, 1000, 5000])
    func dying(_ kind: StoreKind, _ count: Int) throws {
        let stack = try kind.league()
        let context = stack.container.newBackgroundContext()
        let census = Census()
        try context.performAndWait { context in
            for number in 1...count { try context.insert(Team.self) { Team(id: $0, name: "T\(number)") } }
            try context.save()
            census.note(context.registeredObjects)
        }
        #expect(context.performAndWait { _ in census.living } == 0)
        try context.performAndWait { census.note(try $0.fetch(FetchRequest<Team>())) }
        #expect(context.performAndWait { _ in census.living } == 0)
    }

    @Test("a context frees objects that the caller releases later during the following closures")
    func dyingLater() throws {
        let stack = try StoreKind.inMemory.league()
        let context = stack.container.newBackgroundContext()
        let (census, keeper) = (Census(), Keeper())
        try context.performAndWait { context in
            for number in 1...5_000 { try context.insert(Team.self) { Team(id: $0, name: "T\(number)") } }
            try context.save()
            let teams = try context.fetch(FetchRequest<Team>())
            census.note(teams)
            for team in teams { keeper.keep(team) }
        }
        #expect(context.performAndWait { _ in census.living } == 5_000)
        context.performAndWait { _ in keeper.release() }
        // Each pass examines 2,048 of the table's slots, of which there are at most six for an object.
        for _ in 1...15 { context.performAndWait { _ in } }
        #expect(context.performAndWait { _ in census.living } == 0)
    }
}
