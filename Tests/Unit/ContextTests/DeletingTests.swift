import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataTesting
import Testing

@Suite("Deleting")
struct DeletingTests {
    @Test(
        "a second deletion of an object has no effect, whether before or after the save", arguments: StoreKind.allCases)
    func twice(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let id = try stack.team("Reds").id
        try stack.background.performAndWait { context in
            let team = try context.existingObject(with: id, of: Team.self)
            context.delete(team)
            context.delete(team)
            #expect(team.state == .deleted && context.hasChanges)
            #expect(try !context.delete(id, of: Team.self))
            #expect(try context.save().deleted == ["Team": [id.rawValue]])
            #expect(team.state == .detached && team.name == "Reds" && !context.hasChanges)
            context.delete(team)
            #expect(try context.save().isEmpty)
        }
        #expect(try stack.stored(Team.self).isEmpty)
    }

    @Test("an inserted object that is deleted before the save is not stored", arguments: StoreKind.allCases)
    func inserted(_ kind: StoreKind) throws {
        let stack = try kind.league()
        try stack.background.performAndWait { context in
            let team = try context.insert(Team.self) { Team(id: $0, name: "Reds") }
            context.delete(team)
            #expect(team.state == .detached && !context.hasChanges)
            #expect(try context.save().isEmpty)
        }
    }

    @Test("a record read in another context is deleted by its id", arguments: StoreKind.allCases)
    func elsewhere(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let team = try stack.team("Reds")
        try stack.background.performAndWait { context in
            #expect(try context.delete(team))
            #expect(try !context.delete(team))
            try context.save()
            #expect(try !context.delete(team))
        }
        #expect(try stack.stored(Team.self).isEmpty)
    }

    @Test("a deletion of an object that another writer deleted causes no conflict", arguments: StoreKind.allCases)
    func both(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let team = try stack.team("Reds")
        let context = stack.container.newBackgroundContext()
        try context.performAndWait { context in
            context.delete(try context.existingObject(with: team.id, of: Team.self))
            try stack.container.coordinator.deleteTeam(team.id)
            try context.save()
        }
        #expect(try stack.stored(Team.self).isEmpty)
    }

    @Test("a write to an object after its deletion was saved makes the next save throw", arguments: StoreKind.allCases)
    func detachedWrite(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let id = try stack.team("Reds").id
        try stack.background.performAndWait { context in
            let team = try context.existingObject(with: id, of: Team.self)
            context.delete(team)
            try context.save()
            team.name = "Blues"
            #expect(context.hasChanges)
            let error = try persistenceError { try context.save() }
            #expect(error.code == .detachedObject)
            #expect(
                "\(error)"
                    == "Team: object 1 was written to after it was deleted or its context was reset; the write is lost")
            #expect(try context.save().isEmpty)
        }
    }

    @Test("a save may delete an object and insert another with its identifier", arguments: StoreKind.allCases)
    func replace(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let team = try stack.team("Reds")
        try stack.background.performAndWait { context in
            try context.delete(team)
            try context.insert(Team(id: team.id, name: "Blues"))
            try context.save()
            #expect(try context.existingObject(with: team.id, of: Team.self).name == "Blues")
        }
        #expect(try stack.stored(Team.self).map(\.name) == ["Blues"])
    }

    // MARK: Delete rules

    @Test("the nullify rule clears the references to a deleted object", arguments: StoreKind.allCases)
    func nullify(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let (reds, blues) = (try stack.team("Reds"), try stack.team("Blues"))
        try stack.player("Ann", team: reds.id)
        let moved = try stack.player("Bob", team: reds.id)
        let joining = try stack.player("Cid", team: blues.id)
        try stack.background.performAndWait { context in
            // One player leaves, one joins, and one is new: the state of this context counts.
            try context.existingObject(with: moved.id, of: Player.self).team = blues.id
            try context.existingObject(with: joining.id, of: Player.self).team = reds.id
            try context.insert(Player.self) { Player(id: $0, name: "Dan", team: reds.id) }
            try context.delete(reds)
            try context.save()
        }
        #expect(try stack.stored(Player.self).map(\.team) == [nil, blues.id, nil, nil])
    }

    @Test("the cascade rule deletes the objects that refer to a deleted object", arguments: StoreKind.allCases)
    func cascade(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let (reds, blues) = (try stack.team("Reds"), try stack.team("Blues"))
        try stack.background.performAndWait { context in
            try context.insert(Trophy.self) { Trophy(id: $0, title: "Cup", team: reds.id) }
            try context.insert(Trophy.self) { Trophy(id: $0, title: "Bowl", team: blues.id) }
            try context.save()
            try context.insert(Trophy.self) { Trophy(id: $0, title: "New", team: reds.id) }
            try context.delete(reds)
            try context.save()
        }
        #expect(try stack.stored(Trophy.self).map(\.title) == ["Bowl"])
        #expect(try stack.stored(Team.self).map(\.name) == ["Blues"])
    }

    @Test(
        "the deny rule rejects a deletion until all objects that refer to the deleted object are deleted too",
        arguments: StoreKind.allCases)
    func deny(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let team = try stack.team("Reds")
        try stack.background.performAndWait { context in
            let coach = try context.insert(Coach.self) { Coach(id: $0, name: "Eve", team: team.id) }
            try context.save()
            try context.delete(team)
            let error = try persistenceError { try context.save() }
            #expect(error.code == .validation)
            #expect(
                "\(error)" == """
                    a rule of the model is broken:
                      Team 1, coaches: other objects refer to this object, and the relationship denies its deletion
                    """)
            context.delete(coach)
            try context.save()
        }
        #expect(try stack.stored(Team.self).isEmpty && stack.stored(Coach.self).isEmpty)
    }

    @Test(
        "a save fails if a reference without an inverse refers to a deleted object",
        arguments: StoreKind.allCases)
    func noInverse(_ kind: StoreKind) throws {
        let stack = try kind.stack(try ManagedObjectModel(records: [Badge.self, Sticker.self]))
        try stack.container.newBackgroundContext().performAndWait { context in
            let badge = try context.insert(Badge.self) { Badge(id: $0, text: "new") }
            let sticker = try context.insert(Sticker.self) { Sticker(id: $0, label: badge.id) }
            try context.save()
            context.delete(badge)
            #expect(try persistenceError { try context.save() }.code == .danglingReference)
            #expect(badge.state == .deleted && sticker.label == badge.id)
            context.delete(sticker)
            try context.save()
        }
        #expect(try stack.stored(Badge.self).isEmpty && stack.stored(Sticker.self).isEmpty)
    }

    @Test(
        "a save fails if a reference whose rule is “no action” refers to a deleted object",
        arguments: StoreKind.allCases)
    func noAction(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let team = try stack.team("Reds")
        try stack.background.performAndWait { context in
            let fan = try context.insert(Fan.self) { Fan(id: $0, name: "Fay", team: team.id) }
            try context.save()
            try context.delete(team)
            let error = try persistenceError { try context.save() }
            #expect(error.code == .danglingReference)
            #expect("\(error)" == "Fan.team: object 1 refers to a missing Team")
            fan.team = nil
            try context.save()
        }
        #expect(try stack.stored(Fan.self).map(\.team) == [nil])
    }
}
