import PersistenceTestSupport
import StrataPersistence
import Testing

@Suite("Reuse of a deleted object's identifier")
struct ReinsertedTests {
    // A             | B                          | store
    // reads 1 "old" |                            | 1 "old"
    //               | deletes 1, inserts 1 "new" | 1 "new"
    // changes 1     |                            |
    // saves: conflict                            | 1 "new"
    @Test(
        "a change to a deleted object causes a conflict although its identifier was inserted again",
        arguments: StoreKind.allCases, [false, true])
    func conflict(_ kind: StoreKind, _ inOneSave: Bool) throws {
        let stack = try kind.league()
        let id = try stack.background.performAndWait { context in
            let team = try context.insert(Team.self) { Team(id: $0, name: "old") }
            try context.save()
            return team.id
        }
        let reader = stack.container.newBackgroundContext(name: "reader")
        let keeper = Keeper()
        try reader.performAndWait { keeper.keep(try $0.existingObject(with: id, of: Team.self)) }
        try stack.background.performAndWait { context in
            try context.delete(id, of: Team.self)
            if !inOneSave { try context.save() }
            try context.insert(Team(id: id, name: "new"))
            try context.save()
        }
        try reader.performAndWait { context in
            let team = try #require(keeper.kept.first as? Managed<Team>)
            team.points = 7
            let error = try persistenceError { try context.save() }
            #expect(error.code == .conflict)
            context.rollback()
            #expect(try context.fetch(FetchRequest<Team>()).map { $0.name } == ["new"])
            keeper.release()
        }
    }
}
