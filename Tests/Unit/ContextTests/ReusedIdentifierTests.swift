import PersistenceTestSupport
import StrataPersistence
import StrataTesting
import Testing

/// An object is inserted with the identifier of an object that a delete rule will delete.
@Suite("Identifiers of objects that cascades delete")
struct ReusedIdentifierTests {
    @Test(
        "a new object may reuse the identifier of an object that a cascade will delete, whether read or not",
        arguments: StoreKind.allCases, [false, true])
    func free(_ kind: StoreKind, _ isRead: Bool) throws {
        let (stack, seven) = (try kind.league(), try #require(PlayerID(rawValue: 7)))
        let team = try stack.team("Reds")
        try stack.background.performAndWait { context in
            try context.insert(Trophy(id: seven, title: "Cup", team: team.id))
            try context.save()
        }
        try stack.background.performAndWait { context in
            let trophy = isRead ? try context.existingObject(with: seven, of: Trophy.self) : nil
            try context.delete(team)
            let blues = try context.insert(Team.self) { Team(id: $0, name: "Blues") }
            let new = try context.insert(Trophy(id: seven, title: "Bowl", team: blues.id))
            #expect(trophy.map { $0.state == .deleted } ?? true)
            let saved = try context.save()
            #expect(saved.deleted == ["Team": [team.id.rawValue], "Trophy": [7]] && new.state == .unchanged)
        }
        #expect(try stack.stored(Trophy.self).map(\.title) == ["Bowl"])
    }

    @Test(
        "a child context may reuse the identifier of an object that its parent's cascade will delete",
        arguments: StoreKind.allCases)
    func child(_ kind: StoreKind) throws {
        let (stack, seven) = (try kind.league(), try #require(PlayerID(rawValue: 7)))
        let (team, blues) = (try stack.team("Reds"), try stack.team("Blues"))
        let parent = stack.background
        try parent.performAndWait { context in
            try context.insert(Trophy(id: seven, title: "Cup", team: team.id))
            try context.save()
        }
        let keeper = Keeper()
        try parent.performAndWait { context in
            keeper.keep(try context.existingObject(with: seven, of: Trophy.self))
            try context.delete(team)
        }
        try parent.newChildContext().performAndWait { context in
            try context.insert(Trophy(id: seven, title: "Bowl", team: blues.id))
            try context.save()
        }
        try parent.performAndWait { context in
            try context.save()
            keeper.release()
        }
        #expect(try stack.stored(Trophy.self).map(\.title) == ["Bowl"])
    }

    @Test("an insert with the identifier of an object that is not deleted throws", arguments: StoreKind.allCases)
    func taken(_ kind: StoreKind) throws {
        let (stack, seven) = (try kind.league(), try #require(PlayerID(rawValue: 7)))
        let (team, blues) = (try stack.team("Reds"), try stack.team("Blues"))
        try stack.background.performAndWait { context in
            let trophy = try context.insert(Trophy(id: seven, title: "Cup", team: blues.id))
            try context.save()
            try context.delete(team)
            let error = try persistenceError {
                _ = try context.insert(Trophy(id: seven, title: "Bowl", team: blues.id))
            }
            #expect("\(error)".contains("the identifier 7 already belongs") && trophy.state == .unchanged)
        }
    }
}
