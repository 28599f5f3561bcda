import Persistence
import PersistenceTesting
import Testing

/// One object for each identifier and context, for as long as somebody uses it.
@Suite("Uniquing and forgetting")
struct UniquingTests {
    @Test("the same identifier gives the same object, however it is found", arguments: StoreKind.allCases)
    func uniquing(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let id = try stack.team("Reds").id
        try stack.container.newBackgroundContext().performAndWait { context in
            let object = try context.existingObject(with: id, of: Team.self)
            #expect(try context.fetch(FetchRequest<Team>()).first === object)
            #expect(try context.object(with: id, of: Team.self).object() === object)
            #expect(context.registeredObject(for: id, of: Team.self) === object)
            var batched: [Managed<Team>] = []
            try context.fetch(FetchRequest<Team>(), inBatchesOf: 10) { batched += $0 }
            #expect(batched.first === object)
        }
    }

    @Test(
        "unreferenced, unchanged objects are forgotten; changed ones are kept until the save",
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
            #expect(context.registeredObjects.count == 5000)
            for team in teams.prefix(10) { team.points = 1 }
        }
        #expect(context.performAndWait { $0.registeredObjects.count } == 10)
        try context.performAndWait { try $0.save() }
        #expect(context.performAndWait { $0.registeredObjects.count } == 0)
    }
}
