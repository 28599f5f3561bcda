import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataTesting
import Testing

/// Reads into a context without objects.
///
/// Their objects enter the identity map only when a lookup needs them.
@Suite("Reads into a context without objects")
struct FirstReadTests {
    private static let count = 100

    private static func stack(_ kind: StoreKind) throws -> TestStack {
        let stack = try kind.league()
        try stack.background.performAndWait { context in
            for number in 1...count { try context.insert(Team.self) { Team(id: $0, name: "T\(number)") } }
            try context.save()
        }
        return stack
    }

    @Test(
        "each object of a context's first read is found again by its identifier as the same object",
        arguments: StoreKind.allCases)
    func found(_ kind: StoreKind) throws {
        let stack = try Self.stack(kind)
        try stack.container.newBackgroundContext().performAndWait { context in
            let teams = try context.fetch(FetchRequest<Team>())
            // The context registers an object only while the test retains it.
            try withExtendedLifetime(teams) {
                for team in teams { #expect(try context.existingObject(with: team.id, of: Team.self) === team) }
                let again = try context.fetch(FetchRequest<Team>(sort: [SortKey(\.name, order: .reverse)]))
                #expect(Set(again.map(ObjectIdentifier.init)) == Set(teams.map(ObjectIdentifier.init)))
                #expect(context.registeredObjects.count == Self.count)
            }
        }
    }

    @Test(
        "a context's first read registers its objects even if they are sorted by another attribute",
        arguments: StoreKind.allCases)
    func sorted(_ kind: StoreKind) throws {
        let stack = try Self.stack(kind)
        try stack.container.newBackgroundContext().performAndWait { context in
            let teams = try context.fetch(FetchRequest<Team>(sort: [SortKey(\.name, order: .reverse)]))
            for team in teams { #expect(context.registeredObject(for: team.id, of: Team.self) === team) }
            #expect(teams.map(\.name) == teams.map(\.name).sorted(by: >))
        }
    }

    @Test(
        "of the objects of a context's first read, only those that are retained stay registered",
        arguments: StoreKind.allCases)
    func held(_ kind: StoreKind) throws {
        let stack = try Self.stack(kind)
        let context = stack.container.newBackgroundContext()
        let keeper = Keeper()
        let id = try context.performAndWait { context in
            let teams = try context.fetch(FetchRequest<Team>())
            keeper.keep(teams[41])
            return teams[41].id
        }
        try context.performAndWait { context in
            #expect(context.registeredObjects.map(\.rawID) == [id.rawValue])
            let found = try context.existingObject(with: id, of: Team.self)
            #expect(context.registeredObjects.first === found)
            let other = try context.fetch(FetchRequest<Team>()).filter { $0 === found }
            #expect(other.count == 1)
            keeper.release()
        }
    }

    @Test("a save writes an object that was changed after the context's first read", arguments: StoreKind.allCases)
    func written(_ kind: StoreKind) throws {
        let stack = try Self.stack(kind)
        let context = stack.container.newBackgroundContext()
        let id = try context.performAndWait { context in
            let team = try context.fetch(FetchRequest<Team>())[7]
            team.points = 3
            return team.id
        }
        try context.performAndWait { try $0.save() }
        let points = try stack.background.performAndWait { try $0.existingObject(with: id, of: Team.self).points }
        #expect(points == 3)
    }

    @Test(
        "a refresh updates the objects of a context's first read with changes that other contexts saved",
        arguments: StoreKind.allCases)
    func merged(_ kind: StoreKind) throws {
        let stack = try Self.stack(kind)
        let context = stack.container.newBackgroundContext()
        let keeper = Keeper()
        let id = try context.performAndWait { context in
            let teams = try context.fetch(FetchRequest<Team>())
            for team in teams { keeper.keep(team) }
            return teams[3].id
        }
        try stack.background.performAndWait { context in
            try context.existingObject(with: id, of: Team.self).points = 9
            try context.save()
        }
        let points = try context.performAndWait { context in
            try context.refreshAllObjects()
            let points = try context.existingObject(with: id, of: Team.self).points
            keeper.release()
            return points
        }
        #expect(points == 9)
    }
}
