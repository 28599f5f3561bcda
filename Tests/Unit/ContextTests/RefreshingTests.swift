import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

/// Refreshing objects explicitly, and the sets of a context's objects.
@Suite("Refreshing and registered objects")
struct RefreshingTests {
    @Test(
        "a refresh keeps an object's changes if it merges them, and discards them otherwise",
        arguments: StoreKind.allCases)
    func refresh(_ kind: StoreKind) throws {
        for mergeChanges in [false, true] {
            let stack = try kind.league()
            let id = try stack.team("Reds", points: 1).id
            let mine = stack.container.newBackgroundContext()
            try mine.performAndWait { context in
                let team = try context.existingObject(with: id, of: Team.self)
                team.motto = "mine"
                try stack.container.coordinator.changeTeam(id, ["points": .integer(9)])
                #expect(team.points == 1, "values stay until they are read again")
                try context.refresh(team, mergeChanges: mergeChanges)
                #expect(team.points == 9)
                #expect(team.motto == (mergeChanges ? "mine" : nil))
                #expect(team.state == (mergeChanges ? .updated : .unchanged))
                #expect(team.changedValues() == (mergeChanges ? ["motto": .string("mine")] : [:]))
                try context.save()
            }
            #expect(try stack.stored(Team.self).map(\.motto) == [mergeChanges ? "mine" : nil])
        }
    }

    @Test(
        "refreshing an object whose row was deleted throws, and detaches the object if it is unchanged",
        arguments: StoreKind.allCases)
    func missing(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let (reds, blues) = (try stack.team("Reds").id, try stack.team("Blues").id)
        try stack.container.newBackgroundContext().performAndWait { context in
            let unchanged = try context.existingObject(with: reds, of: Team.self)
            let changed = try context.existingObject(with: blues, of: Team.self)
            changed.points = 3
            for id in [reds, blues] { try stack.container.coordinator.deleteTeam(id) }
            for (object, keeps) in [(unchanged, false), (changed, true)] {
                let error = try persistenceError { try context.refresh(object, mergeChanges: keeps) }
                #expect(error.code == .objectNotFound)
                #expect(object.state == (keeps ? .updated : .detached))
            }
            #expect(context.registeredObjects.map(\.rawID) == [blues.rawValue])
            #expect(changed.points == 3)
        }
    }

    @Test("a refresh leaves a new object unchanged, and a deleted object stays deleted", arguments: StoreKind.allCases)
    func otherStates(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let id = try stack.team("Reds").id
        try stack.container.newBackgroundContext().performAndWait { context in
            let new = try context.insert(Team.self) { Team(id: $0, name: "Blues") }
            try context.refresh(new, mergeChanges: false)
            #expect(new.state == .inserted && new.name == "Blues")
            let deleted = try context.existingObject(with: id, of: Team.self)
            context.delete(deleted)
            try stack.container.coordinator.changeTeam(id, ["points": .integer(9)])
            try context.refresh(deleted, mergeChanges: false)
            #expect(deleted.state == .deleted && deleted.points == 9)
            try context.save()
        }
        #expect(try stack.stored(Team.self).map(\.name) == ["Blues"])
    }

    @Test(
        "refreshing all objects reads their rows again and detaches objects whose rows were deleted",
        arguments: StoreKind.allCases)
    func refreshAll(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let ids = try ["Reds", "Blues", "Greens"].map { try stack.team($0).id }
        try stack.container.newBackgroundContext().performAndWait { context in
            let teams = try context.fetch(FetchRequest<Team>())
            teams[1].motto = "mine"
            for id in ids { try stack.container.coordinator.changeTeam(id, ["points": .integer(9)]) }
            try stack.container.coordinator.deleteTeam(ids[2])
            try context.refreshAllObjects()
            #expect(teams.map(\.points) == [9, 9, 0])
            #expect(teams.map(\.state) == [.unchanged, .updated, .detached])
            #expect(teams[1].motto == "mine")
        }
    }

    @Test(
        "a context merges the saved changes of another context, or the objects with given identifiers, on request",
        arguments: StoreKind.allCases, [false, true])
    func mergedByHand(_ kind: StoreKind, byIdentifiers: Bool) throws {
        let stack = try kind.league()
        let (reds, blues) = (try stack.team("Reds"), try stack.team("Blues"))
        let mine = stack.container.newBackgroundContext(name: "mine")
        let keeper = Keeper()
        try mine.performAndWait { context in
            for id in [reds.id, blues.id] { keeper.keep(try context.existingObject(with: id, of: Team.self)) }
            try context.existingObject(with: reds.id, of: Team.self).motto = "mine"
        }
        let saved = try stack.background.performAndWait { context in
            try context.existingObject(with: reds.id, of: Team.self).points = 4
            try context.delete(blues)
            return try context.save()
        }
        #expect(saved.updated == ["Team": [reds.id.rawValue]] && saved.deleted == ["Team": [blues.id.rawValue]])
        try mine.performAndWait { context in
            let team = try context.existingObject(with: reds.id, of: Team.self)
            #expect(team.points == 0)
            if byIdentifiers {
                try context.mergeChanges(of: ["Team": [reds.id.rawValue, blues.id.rawValue, 4711]])
                #expect { try context.mergeChanges(of: ["Missing": [1]]) } throws: {
                    ($0 as? PersistenceError)?.code == .invalidRequest
                }
            } else {
                try context.mergeChanges(from: saved)
            }
            #expect(team.points == 4 && team.motto == "mine")
            #expect(keeper.kept[1].state == .detached)
            try context.save()
            keeper.release()
        }
        #expect(try stack.stored(Team.self) == [Team(id: reds.id, name: "Reds", motto: "mine", points: 4)])
    }

    @Test("automatic merging can be switched on and off", arguments: StoreKind.allCases)
    func switching(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let id = try stack.team("Reds").id
        let mine = stack.container.newBackgroundContext(name: "mine")
        let keeper = Keeper()
        try mine.performAndWait { keeper.keep(try $0.existingObject(with: id, of: Team.self)) }
        for (points, isMerging, wanted) in [(1, false, 0), (2, true, 2), (3, false, 2)] {
            mine.automaticallyMergesChangesFromParent = isMerging
            #expect(mine.automaticallyMergesChangesFromParent == isMerging)
            try stack.background.performAndWait { context in
                try context.existingObject(with: id, of: Team.self).points = points
                try context.save()
            }
            #expect(mine.performAndWait { $0.registeredObject(for: id, of: Team.self)?.points } == wanted)
        }
        mine.performAndWait { _ in keeper.release() }
    }

    @Test(
        "a context lists its inserted, updated and deleted objects, and an object its changed values",
        arguments: StoreKind.allCases)
    func sets(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let ids = try ["Reds", "Blues", "Greens"].map { try stack.team($0).id }
        try stack.container.newBackgroundContext().performAndWait { context in
            let teams = try context.fetch(FetchRequest<Team>())
            let player = try context.insert(Player.self) { Player(id: $0, name: "Ann") }
            teams[0].name = "Crimsons"
            teams[0].points = 0
            teams[1].points = 3
            teams[1].points = 0
            context.delete(teams[2])
            #expect(context.insertedObjects.map { $0 === player } == [true])
            #expect(context.updatedObjects.map(\.rawID) == [ids[0].rawValue], "an equal value is no change")
            #expect(context.deletedObjects.map(\.rawID) == [ids[2].rawValue])
            #expect(context.registeredObjects.map(\.entityName) == ["Team", "Team", "Team", "Player"])
            #expect(teams[0].changedValues() == ["name": .string("Crimsons")])
            #expect(teams[0].committedValues()?["name"] == .string("Reds"))
            #expect(teams[0].committedRecord?.name == "Reds" && teams[0].record.name == "Crimsons")
            #expect(player.committedValues() == nil && player.committedRecord == nil)
            #expect(player.changedValues().count == Player.entity.description.columns.count)
            try context.save()
            #expect(teams[0].changedValues().isEmpty && teams[0].committedRecord?.name == "Crimsons")
            #expect(context.insertedObjects.isEmpty)
            #expect(context.updatedObjects.isEmpty)
            #expect(context.deletedObjects.isEmpty)
            #expect(context.registeredObject(for: ids[0], of: Team.self) === teams[0])
            #expect(context.registeredObject(for: ids[2], of: Team.self) == nil)
        }
    }

    @Test(
        "an object that is inserted and deleted before the save leaves nothing to save", arguments: StoreKind.allCases)
    func annihilation(_ kind: StoreKind) throws {
        let stack = try kind.league()
        try stack.container.newBackgroundContext().performAndWait { context in
            let team = try context.insert(Team.self) { Team(id: $0, name: "Reds") }
            context.delete(team)
            #expect(team.state == .detached && !context.hasChanges)
            #expect(context.insertedObjects.isEmpty && context.deletedObjects.isEmpty)
            #expect(context.registeredObject(for: team.id, of: Team.self) == nil)
            #expect(try context.save().isEmpty)
        }
    }

    @Test("a rollback detaches a new object", arguments: StoreKind.allCases)
    func givenUp(_ kind: StoreKind) throws {
        let stack = try kind.league()
        try stack.background.performAndWait { context in
            let team = try context.insert(Team.self) { Team(id: $0, name: "Reds") }
            #expect(context.registeredObjects.map { $0 === team } == [true])
            context.rollback()
            #expect(team.state == .detached && context.registeredObjects.isEmpty)
        }
    }

    @Test(
        "the committed values of an unchanged object are the values that were read last", arguments: StoreKind.allCases
    )
    func readAgain(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let id = try stack.team("Reds", points: 1).id
        try stack.container.newBackgroundContext().performAndWait { context in
            let team = try context.existingObject(with: id, of: Team.self)
            try context.refresh(team, mergeChanges: true)
            try stack.container.coordinator.changeTeam(id, ["points": .integer(9)])
            _ = try context.fetch(FetchRequest<Team>())
            #expect(team.points == 9 && team.committedRecord?.points == 9)
            team.points = 1
            #expect(team.hasChanges)
            try context.save()
        }
        #expect(try stack.stored(Team.self).map(\.points) == [1])
    }

    @Test("a manual merge that cannot read the store throws and changes no object", arguments: StoreKind.allCases)
    func unmerged(_ kind: StoreKind) throws {
        let (stack, store) = try kind.hooked(try League.model())
        let id = try stack.team("Reds").id
        let mine = stack.container.newBackgroundContext(name: "mine")
        let keeper = Keeper()
        try mine.performAndWait { keeper.keep(try $0.existingObject(with: id, of: Team.self)) }
        let saved = try stack.background.performAndWait { context in
            try context.existingObject(with: id, of: Team.self).points = 4
            return try context.save()
        }
        try mine.performAndWait { context in
            let team = try #require(keeper.kept.first as? Managed<Team>)
            store.fetchFailure.withLock { $0 = PersistenceError(.corrupt, "not now") }
            let error = try persistenceError { try context.mergeChanges(from: saved) }
            #expect(error.code == .corrupt && team.points == 0)
            store.fetchFailure.withLock { $0 = nil }
            try context.mergeChanges(from: saved)
            #expect(team.points == 4)
            keeper.release()
        }
    }

    @Test(
        "a save reports the error of a failed automatic merge, unless the context was reset",
        arguments: StoreKind.allCases)
    func resetUnmerged(_ kind: StoreKind) throws {
        for resets in [true, false] {
            let (stack, store) = try kind.hooked(try League.model())
            let id = try stack.team("Reds").id
            let mine = stack.container.newBackgroundContext(name: "mine")
            mine.automaticallyMergesChangesFromParent = true
            let keeper = Keeper()
            try mine.performAndWait { keeper.keep(try $0.existingObject(with: id, of: Team.self)) }
            try stack.background.performAndWait { context in
                try context.existingObject(with: id, of: Team.self).points = 4
                store.fetchFailure.withLock { $0 = PersistenceError(.corrupt, "not now") }
                try context.save()
            }
            try mine.performAndWait { (context) throws in
                store.fetchFailure.withLock { $0 = nil }
                if resets {
                    context.reset()
                    #expect(try context.save().isEmpty)
                } else {
                    #expect(try persistenceError { try context.save() }.code == .corrupt)
                }
                keeper.release()
            }
        }
    }

    @Test(
        "a refresh does not change a new object although another context saved an object with its identifier",
        arguments: StoreKind.allCases)
    func withNewObjects(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let id = try #require(TeamID(rawValue: 77))
        let mine = stack.container.newBackgroundContext(name: "mine")
        try mine.performAndWait { _ = try $0.insert(Team(id: id, name: "Mine")) }
        try stack.background.performAndWait { context in
            try context.insert(Team(id: id, name: "Theirs"))
            try context.save()
        }
        try mine.performAndWait { context in
            try context.refreshAllObjects()
            let team = try #require(context.insertedObjects.first as? Managed<Team>)
            #expect(team.state == .inserted && team.name == "Mine")
        }
    }
}
