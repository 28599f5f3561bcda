import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataTesting
import Testing

/// The five merge policies and a custom one, property by property.
@Suite("Merge policies")
struct MergePolicyTests {
    /// Another writer changes or deletes a team that a context has changed or deleted; then the context saves.
    private struct Scene {
        let stack: TestStack
        let id: TeamID
        let mine: ManagedObjectContext
        let keeper = Keeper()

        init(_ kind: StoreKind, _ policy: MergePolicy) throws {
            stack = try kind.league()
            id = try stack.team("Base", motto: "base", points: 1).id
            mine = stack.container.newBackgroundContext(name: "mine", mergePolicy: policy)
        }

        func team(_ context: ConfinedContext) throws -> Managed<Team> {
            let team = try context.existingObject(with: id, of: Team.self)
            keeper.keep(team)
            return team
        }

        func theirs(_ change: @Sendable (Managed<Team>) -> Void) throws {
            try stack.container.newBackgroundContext(name: "theirs").performAndWait { context in
                change(try context.existingObject(with: id, of: Team.self))
                try context.save()
            }
        }

        func theirDeletion() throws {
            try stack.container.newBackgroundContext(name: "theirs").performAndWait { context in
                try context.delete(id, of: Team.self)
                try context.save()
            }
        }
    }

    /// The team after the save; `nil` if the save throws.
    static let changedOnBothSides: [(MergePolicy, name: String?, motto: String?, points: Int)] = [
        (.error, nil, nil, 0),
        (.mergeByPropertyStoreTrump, "Theirs", "mine", 2),
        (.mergeByPropertyObjectTrump, "Mine", "mine", 2),
        (.overwrite, "Mine", "mine", 1),
        (.rollback, "Theirs", "base", 2),
    ]

    // mine          | theirs        | store
    // --------------|---------------|----------------------
    // reads         | reads         | Base, base, 1
    //               | Theirs, 2     | Theirs, base, 2
    // Mine, mine    |               |
    // saves         |               | as the policy says
    @Test(
        "each merge policy saves the expected values of a team that two writers changed",
        arguments: StoreKind.allCases,
        changedOnBothSides)
    func bothChanged(
        _ kind: StoreKind, _ wanted: (policy: MergePolicy, name: String?, motto: String?, points: Int)
    ) throws {
        let scene = try Scene(kind, wanted.policy)
        try scene.mine.performAndWait { context in
            let team = try scene.team(context)
            (team.name, team.motto) = ("Mine", "mine")
        }
        try scene.theirs { ($0.name, $0.points) = ("Theirs", 2) }
        try scene.mine.performAndWait { context in
            defer { scene.keeper.release() }
            let team = try scene.team(context)
            guard let name = wanted.name else {
                let error = try persistenceError { try context.save() }
                let conflict = try #require(error.conflicts.first)
                #expect(error.code == .conflict && conflict.attributesInConflict == ["name"])
                #expect(conflict.base == [.string("Base"), .string("base"), .integer(1)])
                #expect(conflict.mine == [.string("Mine"), .string("mine"), .integer(1)])
                #expect(conflict.stored == [.string("Theirs"), .string("base"), .integer(2)])
                #expect(team.name == "Mine" && team.hasChanges)
                return
            }
            try context.save()
            #expect(team.record == Team(id: scene.id, name: name, motto: wanted.motto, points: wanted.points))
            #expect(team.changedValues().isEmpty && !context.hasChanges)
        }
        let stored = try #require(try scene.stack.stored(Team.self).first)
        #expect(stored.name == wanted.name ?? "Theirs" && stored.points == (wanted.name == nil ? 2 : wanted.points))
    }

    static let policies: [(MergePolicy, mine: Bool?)] = [
        (.error, nil), (.mergeByPropertyStoreTrump, false), (.rollback, false), (.mergeByPropertyObjectTrump, true),
        (.overwrite, true),
    ]

    @Test(
        "the merge policy decides whether a changed team that another writer deleted is inserted again",
        arguments: StoreKind.allCases, policies)
    func deletedThere(_ kind: StoreKind, _ wanted: (policy: MergePolicy, mine: Bool?)) throws {
        let scene = try Scene(kind, wanted.policy)
        try scene.mine.performAndWait { try scene.team($0).points = 7 }
        try scene.theirDeletion()
        try scene.mine.performAndWait { context in
            defer { scene.keeper.release() }
            guard let isMine = wanted.mine else {
                #expect(try persistenceError { try context.save() }.conflicts.first?.stored == nil)
                return
            }
            let saved = try context.save()
            #expect(saved.inserted == (isMine ? ["Team": [scene.id.rawValue]] : [:]))
            #expect(scene.keeper.kept.first?.state == (isMine ? .unchanged : .detached))
        }
        let whole = Team(id: scene.id, name: "Base", motto: "base", points: 7)
        #expect(try scene.stack.stored(Team.self) == (wanted.mine == true ? [whole] : []))
    }

    @Test(
        "the merge policy decides whether a team is deleted although another writer changed it",
        arguments: StoreKind.allCases, policies)
    func deletedHere(_ kind: StoreKind, _ wanted: (policy: MergePolicy, mine: Bool?)) throws {
        let scene = try Scene(kind, wanted.policy)
        try scene.mine.performAndWait { $0.delete(try scene.team($0)) }
        try scene.theirs { $0.points = 7 }
        try scene.mine.performAndWait { context in
            defer { scene.keeper.release() }
            guard let isMine = wanted.mine else {
                #expect(try persistenceError { try context.save() }.conflicts.first?.mine == nil)
                return
            }
            try context.save()
            #expect(scene.keeper.kept.first?.state == (isMine ? .detached : .unchanged))
            let back = try context.fetch(FetchRequest<Team>()).map(\.points)
            #expect(back == (isMine ? [] : [7]))
        }
        #expect(try scene.stack.stored(Team.self).map(\.points) == (wanted.mine == true ? [] : [7]))
    }

    @Test(
        "a save under the rollback policy discards a conflicting object and writes the other objects",
        arguments: StoreKind.allCases)
    func rollbackOfOne(_ kind: StoreKind) throws {
        let scene = try Scene(kind, .rollback)
        try scene.mine.performAndWait { context in
            try scene.team(context).points = 5
            try context.insert(Team.self) { Team(id: $0, name: "Other") }
        }
        try scene.theirs { $0.points = 6 }
        try scene.mine.performAndWait { (context) throws in
            #expect(try context.save().updated.isEmpty)
            scene.keeper.release()
        }
        #expect(try scene.stack.stored(Team.self).map(\.points) == [6, 0])
    }

    @Test("an object that a context only read causes no conflict", arguments: StoreKind.allCases, policies)
    func onlyRead(_ kind: StoreKind, _ wanted: (policy: MergePolicy, mine: Bool?)) throws {
        let scene = try Scene(kind, wanted.policy)
        let other = try scene.stack.team("Other").id
        try scene.mine.performAndWait { context in
            _ = try scene.team(context)
            scene.keeper.keep(try context.existingObject(with: other, of: Team.self))
        }
        try scene.theirs { $0.points = 6 }
        try scene.mine.performAndWait { context in
            try context.existingObject(with: other, of: Team.self).points = 5
            #expect(try context.save().updated == ["Team": [other.rawValue]])
            scene.keeper.release()
        }
        #expect(try scene.stack.stored(Team.self).map(\.points) == [6, 5])
    }

    @Test(
        "a save may have its own merge policy, and the next save uses the context's policy again",
        arguments: StoreKind.allCases)
    func oneSave(_ kind: StoreKind) throws {
        let scene = try Scene(kind, .error)
        try scene.mine.performAndWait { try scene.team($0).points = 5 }
        try scene.theirs { $0.points = 6 }
        try scene.mine.performAndWait { context in
            #expect(try persistenceError { try context.save() }.code == .conflict)
            try context.save(mergePolicy: .mergeByPropertyObjectTrump)
            #expect(context.mergePolicy == .error)
            try scene.team(context).points = 8
        }
        try scene.theirs { $0.points = 9 }
        try scene.mine.performAndWait { (context) throws in
            #expect(try persistenceError { try context.save() }.code == .conflict)
            scene.keeper.release()
        }
    }

    @Test("a custom merge policy receives the base, own and stored values as records", arguments: StoreKind.allCases)
    func custom(_ kind: StoreKind) throws {
        let adding = MergePolicy.custom("adding") { conflict in
            let (base, mine, stored) = try conflict.records(of: Team.self)
            guard let base, var mine, let stored else { return .objectTrump }
            mine.points += stored.points - base.points
            return try .record(mine)
        }
        let scene = try Scene(kind, adding)
        try scene.mine.performAndWait { try scene.team($0).points += 10 }
        try scene.theirs { $0.points += 100 }
        try scene.mine.performAndWait { context in
            try context.save()
            #expect(try scene.team(context).points == 111)
            scene.keeper.release()
        }
        #expect(try scene.stack.stored(Team.self).map(\.points) == [111])
    }

    @Test(
        "an error that a custom merge policy throws reaches the caller, and nothing is changed",
        arguments: StoreKind.allCases)
    func throwing(_ kind: StoreKind) throws {
        struct Undecided: Error {}
        let scene = try Scene(kind, .custom("throwing") { _ in throw Undecided() })
        try scene.mine.performAndWait { try scene.team($0).points = 5 }
        try scene.theirs { $0.points = 6 }
        try scene.mine.performAndWait { (context) throws in
            #expect(throws: Undecided.self) { try context.save() }
            #expect(try scene.team(context).points == 5 && context.hasChanges)
            scene.keeper.release()
        }
    }

    @Test(
        "the rollback policy restores a deleted object and not the objects that its cascade deleted",
        arguments: StoreKind.allCases)
    func cascades(_ kind: StoreKind) throws {
        let scene = try Scene(kind, .rollback)
        try scene.mine.performAndWait { context in
            let team = try scene.team(context)
            try context.insert(Trophy.self) { Trophy(id: $0, title: "Cup", team: scene.id) }
            try context.save()
            context.delete(team)
            _ = try context.count(FetchRequest<Trophy>())
        }
        try scene.theirs { $0.points = 7 }
        try scene.mine.performAndWait { context in
            try context.save()
            scene.keeper.release()
        }
        #expect(try scene.stack.stored(Team.self).map(\.points) == [7])
        #expect(try scene.stack.stored(Trophy.self).isEmpty)
    }

    @Test("two custom merge policies are equal if their names are equal")
    func equality() {
        #expect(MergePolicy.error != .rollback)
        #expect(MergePolicy.custom("a") { _ in .fail } == .custom("a") { _ in .rollback })
        #expect(MergePolicy.custom("a") { _ in .fail } != .custom("b") { _ in .fail })
    }
}
