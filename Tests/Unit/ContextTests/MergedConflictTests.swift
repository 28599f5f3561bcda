import PersistenceTestSupport
import StrataPersistence
import StrataTesting
import Testing

/// A merging context with a change to an object that another writer saves too.
@Suite("Conflicts in contexts that merge automatically")
struct MergedConflictTests {
    // main               | theirs          | store
    // reads 0 points     |                 | "Reds", 0
    // points = 1         |                 |
    //                    | points 5, saves | "Reds", 5, "Forza"
    // merges: still 1    |                 |
    // saves              |                 | as the policy says
    static let policies: [(MergePolicy, points: Int?)] = [
        (.error, nil), (.mergeByPropertyStoreTrump, 5), (.rollback, 5), (.mergeByPropertyObjectTrump, 1),
        (.overwrite, 1),
    ]

    private func save(_ stack: TestStack, _ id: TeamID, _ change: @Sendable (Managed<Team>) -> Void) throws {
        try stack.background.performAndWait { context in
            change(try context.existingObject(with: id, of: Team.self))
            try context.save()
        }
    }

    @Test(
        "a merge leaves a property that both writers changed to the merge policy and merges the other properties",
        arguments: StoreKind.allCases, policies)
    func contested(_ kind: StoreKind, _ wanted: (policy: MergePolicy, points: Int?)) throws {
        let stack = try kind.league()
        let id = try stack.team("Reds").id
        let main = stack.container.mainContext
        try main.performAndWait { try $0.existingObject(with: id, of: Team.self).points = 1 }
        try save(stack, id) { ($0.points, $0.motto) = (5, "Forza") }
        try main.performAndWait { context in
            let team = try context.existingObject(with: id, of: Team.self)
            #expect(team.points == 1 && team.motto == "Forza" && team.hasChanges)
            #expect(team.changedValues().keys.sorted() == ["points"])
            if let points = wanted.points {
                try context.save(mergePolicy: wanted.policy)
                #expect(team.points == points && !context.hasChanges)
            } else {
                let error = try persistenceError { try context.save() }
                let conflict = try #require(error.conflicts.first)
                #expect(error.code == .conflict && conflict.id == id.rawValue)
                let column = try #require(conflict.attributes.firstIndex(of: "points"))
                #expect(conflict.base?[column] == .integer(0) && conflict.mine?[column] == .integer(1))
                #expect(conflict.stored?[column] == .integer(5))
                context.rollback()
                #expect(team.points == 5 && team.motto == "Forza" && !context.hasChanges)
                team.points += 1
                try context.save()
            }
        }
        #expect(try stack.stored(Team.self).map(\.points) == [wanted.points ?? 6])
        #expect(try stack.stored(Team.self).map(\.motto) == ["Forza"])
    }

    @Test(
        "equal increments of one counter by two writers cause a conflict even after several merges",
        arguments: StoreKind.allCases)
    func counting(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let id = try stack.team("Reds", points: 5).id
        let main = stack.container.mainContext
        try main.performAndWait { try $0.existingObject(with: id, of: Team.self).points += 1 }
        for motto in ["a", "b"] {
            try save(stack, id) { ($0.points, $0.motto) = (6, motto) }
            main.performAndWait { _ in }
        }
        try main.performAndWait { context in
            let error = try persistenceError { try context.save() }
            #expect(error.code == .conflict)
            try context.refreshAllObjects()
            let team = try context.existingObject(with: id, of: Team.self)
            #expect(team.points == 6 && !team.hasChanges, "who reads again has seen it")
        }
    }

    @Test("a value that another writer changed and changed back causes no conflict", arguments: StoreKind.allCases)
    func thereAndBack(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let id = try stack.team("Reds").id
        let main = stack.container.mainContext
        try main.performAndWait { try $0.existingObject(with: id, of: Team.self).points = 1 }
        for points in [5, 0] {
            try save(stack, id) { $0.points = points }
            main.performAndWait { _ in }
        }
        try main.performAndWait { _ = try $0.save() }
        #expect(try stack.stored(Team.self).map(\.points) == [1])
    }

    // child      | main           | theirs          | store
    // points = 1 |                |                 | 0
    // saves      | points = 1     |                 |
    //            |                | points 5, saves | 5
    //            | merges         |                 |
    //            | saves: conflict
    @Test(
        "a change that a child saved into a merging context conflicts with another writer's change",
        arguments: StoreKind.allCases)
    func ofChild(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let id = try stack.team("Reds").id
        let main = stack.container.mainContext
        try main.newChildContext().performAndWait { context in
            try context.existingObject(with: id, of: Team.self).points = 1
            try context.save()
        }
        try save(stack, id) { $0.points = 5 }
        try main.performAndWait { (context) throws in
            #expect(try persistenceError { try context.save() }.code == .conflict)
            context.rollback()
        }
        #expect(try stack.stored(Team.self).map(\.points) == [5])
    }

    @Test(
        "a merging child context's save conflicts with its sibling's save of the same property",
        arguments: StoreKind.allCases)
    func siblings(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let id = try stack.team("Reds").id
        let parent = stack.background
        let first = parent.newChildContext(automaticallyMergesChangesFromParent: true)
        let second = parent.newChildContext(automaticallyMergesChangesFromParent: true)
        try first.performAndWait { try $0.existingObject(with: id, of: Team.self).points = 1 }
        try second.performAndWait { context in
            try context.existingObject(with: id, of: Team.self).points = 5
            try context.save()
        }
        try first.performAndWait { context in
            let team = try context.existingObject(with: id, of: Team.self)
            #expect(team.points == 1)
            let error = try persistenceError { try context.save() }
            #expect(error.code == .conflict && error.conflicts.map(\.id) == [id.rawValue])
            try context.save(mergePolicy: .mergeByPropertyObjectTrump)
        }
        #expect(try parent.performAndWait { try $0.existingObject(with: id, of: Team.self).points } == 1)
    }
}
