import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataTesting
import Testing

/// Contexts that save into other contexts: only the outermost one writes to the store.
@Suite("Child contexts")
struct ChildContextTests {
    @Test(
        "a child context's save changes its parent context and does not write to the store",
        arguments: StoreKind.allCases)
    func savesIntoParent(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let parent = stack.container.newBackgroundContext(name: "parent")
        let child = parent.newChildContext()
        let saved = try child.performAndWait { context in
            let team = try context.insert(Team.self) { Team(id: $0, name: "Reds") }
            let saved = try context.save()
            #expect(team.state == .unchanged && !context.hasChanges)
            return saved
        }
        #expect(saved.inserted == ["Team": [1]])
        #expect(try stack.stored(Team.self).isEmpty)
        try parent.performAndWait { context in
            #expect(context.hasChanges && context.insertedObjects.map(\.rawID) == [1])
            try context.save()
        }
        #expect(try stack.stored(Team.self).map(\.name) == ["Reds"])
    }

    @Test(
        "a child context sees its parent's unsaved changes, and the parent sees the child's changes after a save",
        arguments: StoreKind.allCases)
    func visibility(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let (reds, blues) = (try stack.team("Reds"), try stack.team("Blues"))
        let parent = stack.container.newBackgroundContext(name: "parent")
        let child = parent.newChildContext()
        try parent.performAndWait { context in
            try context.existingObject(with: reds.id, of: Team.self).name = "Crimsons"
            try context.delete(blues)
            try context.insert(Team.self) { Team(id: $0, name: "Greens") }
        }
        let byName = FetchRequest<Team>(sort: [SortKey(\.name)])
        try child.performAndWait { context in
            #expect(try context.fetch(byName).map(\.name) == ["Crimsons", "Greens"])
            #expect(try context.count(FetchRequest<Team>(where: #Predicate { $0.name == "Reds" })) == 0)
            #expect(try context.fetchIdentifiers(FetchRequest<Team>(limit: 1)) == [reds.id])
            try context.existingObject(with: reds.id, of: Team.self).name = "Scarlets"
        }
        #expect(try parent.performAndWait { try $0.fetch(byName).map(\.name) } == ["Crimsons", "Greens"])
        try child.performAndWait { try $0.save() }
        #expect(try parent.performAndWait { try $0.fetch(byName).map(\.name) } == ["Greens", "Scarlets"])
    }

    @Test("a rollback of a child context keeps its parent's unsaved changes", arguments: StoreKind.allCases)
    func rollback(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let id = try stack.team("Reds").id
        let parent = stack.container.newBackgroundContext(name: "parent")
        let child = parent.newChildContext()
        try parent.performAndWait { try $0.existingObject(with: id, of: Team.self).points = 1 }
        try child.performAndWait { context in
            let team = try context.existingObject(with: id, of: Team.self)
            team.points = 2
            try context.insert(Team.self) { Team(id: $0, name: "Blues") }
            context.rollback()
            #expect(team.points == 1, "the parent's value, not the store's")
            #expect(try context.count(FetchRequest<Team>()) == 1)
            #expect(try context.save().isEmpty)
        }
        try parent.performAndWait { context in
            #expect(try context.existingObject(with: id, of: Team.self).points == 1)
            try context.save()
        }
        #expect(try stack.stored(Team.self).map(\.points) == [1])
    }

    @Test("a new object that a child context saves twice keeps its identifier", arguments: StoreKind.allCases)
    func twice(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let parent = stack.container.newBackgroundContext(name: "parent")
        let child = parent.newChildContext()
        let keeper = Keeper()
        let id = try child.performAndWait { context in
            let team = try context.insert(Team.self) { Team(id: $0, name: "Reds") }
            keeper.keep(team)
            try context.save()
            team.points = 3
            #expect(try context.save().updated == ["Team": [1]])
            return team.id
        }
        try parent.performAndWait { try $0.save() }
        try child.performAndWait { context in
            let team = try context.existingObject(with: id, of: Team.self)
            #expect(team === keeper.kept.first)
            team.points = 4
            try context.save()
        }
        try parent.performAndWait { try $0.save() }
        #expect(try stack.stored(Team.self) == [Team(id: id, name: "Reds", points: 4)])
        child.performAndWait { _ in keeper.release() }
    }

    @Test(
        "each save moves a grandchild context's changes to the next ancestor, and the root's save to the store",
        arguments: StoreKind.allCases)
    func grandchild(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let id = try stack.team("Reds").id
        let root = stack.container.newBackgroundContext(name: "root")
        let child = root.newChildContext()
        let grandchild = child.newChildContext(name: "grandchild")
        #expect(grandchild.parent === child && child.parent === root && root.parent == nil)
        try grandchild.performAndWait { context in
            try context.existingObject(with: id, of: Team.self).motto = "up"
            try context.insert(Team.self) { Team(id: $0, name: "Blues") }
            try context.save()
        }
        #expect(!root.performAndWait { $0.hasChanges } && child.performAndWait { $0.hasChanges })
        try child.performAndWait { try $0.save() }
        #expect(root.performAndWait { $0.hasChanges } && !child.performAndWait { $0.hasChanges })
        #expect(try stack.stored(Team.self).map(\.motto) == [nil])
        try root.performAndWait { try $0.save() }
        #expect(try stack.stored(Team.self).map(\.motto) == ["up", nil])
    }

    // root    | child      | store
    // --------|------------|------
    //         | reads Reds | Reds
    // deletes |            |
    //         | changes    |
    //         | saves: conflict
    @Test(
        "the merge policy decides whether a child's change restores an object that the parent context deleted",
        arguments: StoreKind.allCases)
    func deletedByParent(_ kind: StoreKind) throws {
        for policy in [
            MergePolicy.error, .mergeByPropertyStoreTrump, .rollback, .mergeByPropertyObjectTrump, .overwrite,
        ] {
            let stack = try kind.league()
            let id = try stack.team("Reds", points: 1).id
            let parent = stack.container.newBackgroundContext(name: "parent")
            let child = parent.newChildContext(mergePolicy: policy)
            let keeper = Keeper()
            try child.performAndWait { context in
                let team = try context.existingObject(with: id, of: Team.self)
                team.points = 9
                keeper.keep(team)
            }
            try parent.performAndWait { _ = try $0.delete(id, of: Team.self) }
            try child.performAndWait { context in
                switch policy {
                case .error:
                    let error = try persistenceError { try context.save() }
                    #expect(error.code == .conflict && error.conflicts.first?.stored == nil)
                    #expect(context.hasChanges, "a save that fails leaves the context with its changes")
                case .mergeByPropertyStoreTrump, .rollback:
                    try context.save()
                    #expect(keeper.kept.first?.state == .detached)
                default: try context.save()
                }
                keeper.release()
            }
            try parent.performAndWait { try $0.save() }
            let points = try stack.stored(Team.self).map(\.points)
            #expect(points == ([.mergeByPropertyObjectTrump, .overwrite].contains(policy) ? [9] : []), "\(policy)")
        }
    }

    // parent     | child       | store
    // -----------|-------------|---------
    //            | reads name, motto
    // name = A   | name = B, motto = C
    //            | saves
    @Test(
        "the child's merge policy resolves a property that both the parent and the child context changed",
        arguments: StoreKind.allCases)
    func contested(_ kind: StoreKind) throws {
        let wanted: [(MergePolicy, name: String?)] = [
            (.error, nil), (.mergeByPropertyStoreTrump, "A"), (.mergeByPropertyObjectTrump, "B"), (.overwrite, "B"),
            (.rollback, "A"),
        ]
        for (policy, name) in wanted {
            let stack = try kind.league()
            let id = try stack.team("Reds").id
            let parent = stack.container.newBackgroundContext(name: "parent")
            let child = parent.newChildContext(mergePolicy: policy)
            let keeper = Keeper()
            try child.performAndWait { context in
                let team = try context.existingObject(with: id, of: Team.self)
                (team.name, team.motto) = ("B", "C")
                keeper.keep(team)
            }
            try parent.performAndWait { try $0.existingObject(with: id, of: Team.self).name = "A" }
            try child.performAndWait { context in
                if let name {
                    try context.save()
                    #expect(try context.existingObject(with: id, of: Team.self).name == name)
                } else {
                    let error = try persistenceError { try context.save() }
                    #expect(error.conflicts.first?.attributesInConflict == ["name"])
                }
                keeper.release()
            }
            try parent.performAndWait { context in
                let team = try context.existingObject(with: id, of: Team.self)
                #expect(team.name == name ?? "A")
                #expect(team.motto == (policy == .error || policy == .rollback ? nil : "C"))
            }
        }
    }

    @Test(
        "changes of parent and child contexts to different properties are merged without a conflict",
        arguments: StoreKind.allCases)
    func uncontested(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let id = try stack.team("Reds").id
        let parent = stack.container.newBackgroundContext(name: "parent")
        let child = parent.newChildContext()
        try child.performAndWait { try $0.existingObject(with: id, of: Team.self).motto = "C" }
        try parent.performAndWait { try $0.existingObject(with: id, of: Team.self).name = "A" }
        try child.performAndWait { try $0.save() }
        try parent.performAndWait { try $0.save() }
        #expect(try stack.stored(Team.self) == [Team(id: id, name: "A", motto: "C")])
    }

    @Test(
        "equal increments of one counter by a parent and a child context cause a conflict",
        arguments: StoreKind.allCases)
    func sameValue(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let id = try stack.team("Reds", points: 5).id
        let parent = stack.container.newBackgroundContext(name: "parent")
        let child = parent.newChildContext()
        try child.performAndWait { try $0.existingObject(with: id, of: Team.self).points += 1 }
        try parent.performAndWait { try $0.existingObject(with: id, of: Team.self).points += 1 }
        try child.performAndWait { context in
            let error = try persistenceError { try context.save() }
            #expect(error.code == .conflict && error.conflicts.first?.stored?[2] == .integer(6))
            context.rollback()
        }
    }

    @Test(
        "the main context and its child both merge another context's save, and the child's save reaches the store",
        arguments: StoreKind.allCases)
    func childOfMain(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let id = try stack.team("Reds").id
        let main = stack.container.mainContext
        let child = main.newChildContext(automaticallyMergesChangesFromParent: true)
        let keeper = Keeper()
        try child.performAndWait { keeper.keep(try $0.existingObject(with: id, of: Team.self)) }
        try stack.background.performAndWait { context in
            try context.existingObject(with: id, of: Team.self).points = 7
            try context.save()
        }
        #expect(try main.performAndWait { try $0.existingObject(with: id, of: Team.self).points } == 7)
        #expect(child.performAndWait { $0.registeredObject(for: id, of: Team.self)?.points } == 7)
        try main.performAndWait { context in
            // The child saves into its parent while the parent works, and does not wait.
            try child.performAndWait { context in
                try context.existingObject(with: id, of: Team.self).points = 8
                try context.save()
            }
            #expect(try context.existingObject(with: id, of: Team.self).points == 8)
            try context.save()
        }
        #expect(try stack.stored(Team.self).map(\.points) == [8])
        child.performAndWait { _ in keeper.release() }
    }

    @Test(
        "a sibling context with automatic merging sees its sibling's save, and one without does not",
        arguments: StoreKind.allCases)
    func siblings(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let id = try stack.team("Reds").id
        let parent = stack.container.newBackgroundContext(name: "parent")
        let first = parent.newChildContext(name: "first")
        let second = parent.newChildContext(name: "second", automaticallyMergesChangesFromParent: true)
        let third = parent.newChildContext(name: "third")
        let keeper = Keeper()
        for context in [second, third] {
            try context.performAndWait { keeper.keep(try $0.existingObject(with: id, of: Team.self)) }
        }
        try first.performAndWait { context in
            try context.existingObject(with: id, of: Team.self).points = 5
            try context.save()
        }
        #expect(second.performAndWait { $0.registeredObject(for: id, of: Team.self)?.points } == 5)
        #expect(third.performAndWait { $0.registeredObject(for: id, of: Team.self)?.points } == 0)
        second.performAndWait { _ in keeper.release() }
    }

    @Test(
        "a child context's deletion and its nullified references reach the store with the parent's save",
        arguments: StoreKind.allCases)
    func deletions(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let team = try stack.team("Reds")
        let player = try stack.player("Ann", team: team.id)
        let parent = stack.container.newBackgroundContext(name: "parent")
        let child = parent.newChildContext()
        try child.performAndWait { context in
            #expect(try context.delete(team))
            try context.save()
            #expect(try context.existingObject(with: player.id, of: Player.self).team == nil)
        }
        #expect(try stack.stored(Team.self).count == 1)
        try parent.performAndWait { context in
            #expect(context.deletedObjects.map(\.rawID) == [team.id.rawValue])
            try context.save()
        }
        #expect(try stack.stored(Team.self).isEmpty)
        #expect(try stack.stored(Player.self).map(\.team) == [nil])
    }

    @Test(
        "a child context's save rejects a new record whose identifier another child has saved already",
        arguments: StoreKind.allCases)
    func takenIdentifier(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let parent = stack.container.newBackgroundContext(name: "parent")
        let id = try #require(TeamID(rawValue: 70))
        let children = [parent.newChildContext(), parent.newChildContext()]
        for child in children { try child.performAndWait { _ = try $0.insert(Team(id: id, name: "Reds")) } }
        try children[0].performAndWait { try $0.save() }
        try children[1].performAndWait { context in
            let error = try persistenceError { try context.save() }
            #expect(error.code == .uniqueness && error.attribute == "id")
        }
    }

    @Test(
        "record operations of a child context read its parent's unsaved changes and save into the parent",
        arguments: StoreKind.allCases)
    func repository(_ kind: StoreKind) async throws {
        let stack = try kind.league()
        let parent = stack.container.newBackgroundContext(name: "parent")
        let child = parent.newChildContext()
        try await parent.perform { _ = try $0.insert(Team.self) { Team(id: $0, name: "Reds") } }
        #expect(try await child.fetch(FetchRequest<Team>()).map(\.name) == ["Reds"])
        _ = try await child.insert(Team.self) { Team(id: $0, name: "Blues") }
        var streamed: [String] = []
        for try await team in child.stream(FetchRequest<Team>()) { streamed.append(team.name) }
        #expect(streamed == ["Reds", "Blues"])
        #expect(try stack.stored(Team.self).isEmpty)
        #expect(try await parent.perform { try $0.save().inserted } == ["Team": [1, 2]])
    }
}
