import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataTesting
import Testing

/// Two contexts that change one object.
///
/// Each test shows the steps as a table.
@Suite("Conflicts")
struct ConflictTests {
    /// A stack with one team, a context with the given policy, and another writer.
    private struct Scene {
        let stack: TestStack
        let mine: ManagedObjectContext
        let team: Team

        init(_ kind: StoreKind, _ policy: MergePolicy) throws {
            stack = try kind.league()
            team = try stack.team("Reds", motto: "Up", points: 1)
            mine = stack.container.newBackgroundContext(name: "mine", mergePolicy: policy)
        }

        /// Saves values through another writer, bypassing every context.
        func elsewhere(_ values: [String: StoredValue]) throws {
            try stack.container.coordinator.changeTeam(team.id, values)
        }

        func deleteElsewhere() throws { try stack.container.coordinator.deleteTeam(team.id) }

        func stored() throws -> [Team] { try stack.stored() }
    }

    @Test(
        "under the error policy, a conflict reports the base, own and stored values, and nothing is written",
        arguments: StoreKind.allCases)
    func error(_ kind: StoreKind) throws {
        // mine             | else             | store
        // reads Reds, Up   |                  | Reds, Up, 1 point
        //                  | points = 5, save | Reds, Up, 5 points
        // name = Blues     |                  |
        // points = 3, save |                  | conflict: base 1, mine 3, stored 5
        let scene = try Scene(kind, .error)
        try scene.mine.performAndWait { context in
            let team = try context.existingObject(with: scene.team.id, of: Team.self)
            try scene.elsewhere(["points": .integer(5)])
            team.name = "Blues"
            team.points = 3
            try context.insert(Team.self) { Team(id: $0, name: "Other") }
            let error = try persistenceError { try context.save() }
            #expect(error.code == .conflict)
            #expect(
                error.description == """
                    an object was changed meanwhile:
                      Team 1: changed here and in the store
                    """)
            #expect(
                error.debugDescription == """
                    conflict: an object was changed meanwhile:
                      Team 1: changed here and in the store
                        name: base “Reds”, mine “Blues”, stored “Reds”
                        points: base 1, mine 3, stored 5
                    """)
            let conflict = try #require(error.conflicts.first)
            #expect(conflict.attributes == ["name", "motto", "points"])
            #expect(conflict.base == [.string("Reds"), .string("Up"), .integer(1)])
            #expect(conflict.mine == [.string("Blues"), .string("Up"), .integer(3)])
            #expect(conflict.stored == [.string("Reds"), .string("Up"), .integer(5)])
            #expect(conflict.attributesInConflict == ["points"])
            #expect(team.name == "Blues" && team.hasChanges)
        }
        #expect(try scene.stored().map(\.points) == [5])
    }

    @Test(
        "the object-trump policy keeps the context's changes and merges the other writer's other properties",
        arguments: StoreKind.allCases)
    func objectTrump(_ kind: StoreKind) throws {
        // mine             | else                        | store
        // reads            |                             | Reds, Up, 1
        //                  | name = Greens, motto = nil, |
        //                  | save                        | Greens, nil, 1
        // name = Blues     |                             |
        // points = 3, save |                             | Blues, nil, 3
        let scene = try Scene(kind, .mergeByPropertyObjectTrump)
        try scene.mine.performAndWait { context in
            let team = try context.existingObject(with: scene.team.id, of: Team.self)
            try scene.elsewhere(["name": .string("Greens"), "motto": .null])
            team.name = "Blues"
            team.points = 3
            try context.save()
            #expect(team.name == "Blues" && team.motto == nil && team.points == 3)
            #expect(!context.hasChanges)
        }
        #expect(try scene.stored() == [Team(id: scene.team.id, name: "Blues", motto: nil, points: 3)])
    }

    @Test(
        "under the error policy, a change to an object that another writer deleted causes a conflict",
        arguments: StoreKind.allCases)
    func deletedThere(_ kind: StoreKind) throws {
        // mine               | else   | store
        // reads              |        | Reds
        //                    | delete | -
        // name = Blues, save |        | conflict
        let scene = try Scene(kind, .error)
        try scene.mine.performAndWait { context in
            let team = try context.existingObject(with: scene.team.id, of: Team.self)
            try scene.deleteElsewhere()
            team.name = "Blues"
            let error = try persistenceError { try context.save() }
            #expect("\(error)" == "an object was changed meanwhile:\n  Team 1: changed here, deleted in the store")
            #expect(error.conflicts.first?.stored == nil && error.conflicts.first?.mine != nil)
        }
        #expect(try scene.stored().isEmpty)
    }

    @Test(
        "under the error policy, a deletion of an object that another writer changed causes a conflict",
        arguments: StoreKind.allCases)
    func changedThere(_ kind: StoreKind) throws {
        // mine         | else             | store
        // reads        |                  | Reds
        //              | points = 5, save | Reds, 5 points
        // delete, save |                  | conflict
        let scene = try Scene(kind, .error)
        try scene.mine.performAndWait { context in
            let team = try context.existingObject(with: scene.team.id, of: Team.self)
            try scene.elsewhere(["points": .integer(5)])
            context.delete(team)
            let error = try persistenceError { try context.save() }
            #expect("\(error)" == "an object was changed meanwhile:\n  Team 1: deleted here, changed in the store")
            #expect(error.conflicts.first?.mine == nil)
            #expect(team.state == .deleted)
        }
        #expect(try scene.stored().map(\.points) == [5])
    }

    @Test(
        "the object-trump policy inserts a changed object that another writer deleted again, with all values",
        arguments: StoreKind.allCases)
    func objectTrumpDeletedThere(_ kind: StoreKind) throws {
        // mine               | else   | store
        // reads              |        | Reds, Up, 1
        //                    | delete | -
        // name = Blues, save |        | Blues, Up, 1, under the same id
        let scene = try Scene(kind, .mergeByPropertyObjectTrump)
        try scene.mine.performAndWait { context in
            let team = try context.existingObject(with: scene.team.id, of: Team.self)
            try scene.deleteElsewhere()
            team.name = "Blues"
            let changes = try context.save()
            #expect(changes.inserted == ["Team": [1]] && changes.updated.isEmpty)
            #expect(team.state == .unchanged)
            team.points = 2
            try context.save()
        }
        #expect(try scene.stored() == [Team(id: scene.team.id, name: "Blues", motto: "Up", points: 2)])
    }

    @Test("the object-trump policy deletes an object although another writer changed it", arguments: StoreKind.allCases)
    func objectTrumpChangedThere(_ kind: StoreKind) throws {
        // mine         | else             | store
        // reads        |                  | Reds
        //              | points = 5, save | Reds, 5 points
        // delete, save |                  | -
        let scene = try Scene(kind, .mergeByPropertyObjectTrump)
        try scene.mine.performAndWait { context in
            let team = try context.existingObject(with: scene.team.id, of: Team.self)
            try scene.elsewhere(["points": .integer(5)])
            context.delete(team)
            try context.save()
        }
        #expect(try scene.stored().isEmpty)
    }

    @Test(
        "a rollback after a failed deletion under the object-trump policy reads the other writer's values",
        arguments: StoreKind.allCases)
    func objectTrumpChangedThereFails(_ kind: StoreKind) throws {
        // mine                        | else             | store
        // reads                       |                  | Reds, 1 point
        //                             | points = 5, save | Reds, 5 points
        // delete, save fails (a fan)  |                  | Reds, 5 points
        // rollback: 5 points          |                  |
        // name = Blues, save          |                  | Blues, 5 points
        let scene = try Scene(kind, .mergeByPropertyObjectTrump)
        try scene.mine.performAndWait { context in
            try context.insert(Fan.self) { Fan(id: $0, name: "Fay", team: scene.team.id) }
            try context.save()
            let team = try context.existingObject(with: scene.team.id, of: Team.self)
            try scene.elsewhere(["points": .integer(5)])
            context.delete(team)
            #expect(try persistenceError { try context.save() }.code == .danglingReference)
            #expect(team.state == .deleted)
            context.rollback()
            #expect(team.state == .unchanged && team.points == 5)
            team.name = "Blues"
            try context.save()
        }
        #expect(try scene.stored() == [Team(id: scene.team.id, name: "Blues", motto: "Up", points: 5)])
    }

    @Test(
        "a save under the object-trump policy succeeds if both writers made the same change",
        arguments: StoreKind.allCases
    )
    func sameChange(_ kind: StoreKind) throws {
        // mine             | else             | store
        // reads            |                  | 1 point
        //                  | points = 5, save | 5 points
        // points = 5, save |                  | 5 points
        let scene = try Scene(kind, .mergeByPropertyObjectTrump)
        try scene.mine.performAndWait { context in
            let team = try context.existingObject(with: scene.team.id, of: Team.self)
            try scene.elsewhere(["points": .integer(5)])
            team.points = 5
            try context.save()
            #expect(!context.hasChanges)
        }
        #expect(try scene.stored().map(\.points) == [5])
    }

    @Test(
        "an object that only one context changes is saved repeatedly without a conflict", arguments: StoreKind.allCases
    )
    func noConflict(_ kind: StoreKind) throws {
        let scene = try Scene(kind, .error)
        try scene.mine.performAndWait { context in
            let team = try context.existingObject(with: scene.team.id, of: Team.self)
            for points in 2...5 {
                team.points = points
                try context.save()
            }
        }
        #expect(try scene.stored().map(\.points) == [5])
    }

    @Test("a save with a conflict of one object writes none of its objects", arguments: StoreKind.allCases)
    func allOrNothing(_ kind: StoreKind) throws {
        // mine                     | else             | store
        // reads Reds and Whites    |                  | Reds 1, Whites 0
        //                          | points = 5, save | Reds 5, Whites 0
        // both points = 9, save    |                  | conflict: Reds 5, Whites 0
        let scene = try Scene(kind, .error)
        let other = try scene.stack.team("Whites")
        try scene.mine.performAndWait { context in
            let teams = try context.fetch(FetchRequest<Team>())
            try scene.elsewhere(["points": .integer(5)])
            for team in teams { team.points = 9 }
            let error = try persistenceError { try context.save() }
            #expect(error.conflicts.map(\.id) == [1])
            #expect(teams.allSatisfy(\.hasChanges) && teams.last?.id == other.id)
        }
        #expect(try scene.stored().map(\.points) == [5, 0])
    }
}
