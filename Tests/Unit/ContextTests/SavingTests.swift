import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataTesting
import Testing

@Suite("Saving")
struct SavingTests {
    @Test("a save that breaks rules reports every failure of every object", arguments: StoreKind.allCases)
    func validation(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let player = try stack.player("Ann", number: 1)
        try stack.background.performAndWait { context in
            let object = try context.existingObject(with: player.id, of: Player.self)
            object.name = "ann"
            object.salary = Decimal(-1)
            object.born = Date(timeIntervalSinceReferenceDate: 1)
            object.form = .infinity
            try context.insert(Team.self) { Team(id: $0, name: "", motto: "a\u{0}b", points: -3) }
            try context.insert(Team.self) { Team(id: $0, name: "A name that is long", points: 1) }
            let salary = try context.insert(Player.self) { Player(id: $0, name: "Bob", number: 2) }
            salary.salary = Decimal(1) / Decimal(8)
            let error = try persistenceError { try context.save() }
            #expect(error.code == .validation)
            #expect(
                error.description == """
                    9 rules of the model are broken:
                      Team 1, name: is shorter than 1
                      Team 1, motto: contains U+0000
                      Team 1, points: is less than 0
                      Team 2, name: is longer than 12
                      Player 33, salary: is not a decimal with at most 2 digits after the point
                      Player 1, name: does not match [A-Z][a-z]*
                      Player 1, salary: is less than 0
                      Player 1, form: is not finite
                      Player 1, born: cannot be changed after the insertion
                    """)
            #expect(error.debugDescription.contains("Player 1, name: “ann” does not match [A-Z][a-z]*"))
            #expect(!error.description.contains("“ann”"), "a value of the user's data")
        }
        #expect(try stack.stored(Team.self).isEmpty && stack.stored(Player.self) == [player])
    }

    private struct Offer: PersistentRecord {
        let id: PlayerID
        var price: Decimal
        var note: String

        static let entity = RecordEntity<Offer>(
            "Offer", id: \.id,
            [.attribute("price", \.price, scale: 2), .attribute("note", \.note, rules: [.maximumLength(3)])]
        ) { Offer(id: try $0.id(), price: try $0.next(), note: try $0.next()) }
    }

    @Test("a save reports broken rules in addition to values that cannot be stored", arguments: StoreKind.allCases)
    func unstorable(_ kind: StoreKind) throws {
        let stack = try kind.stack(try ManagedObjectModel(records: [Offer.self]))
        let price = try #require(Decimal(string: "12345678901234567890"))
        try stack.background.performAndWait { context in
            try context.insert(Offer.self) { Offer(id: $0, price: price, note: "long") }
            let error = try persistenceError { try context.save() }
            #expect(error.failures.map(\.attribute) == ["price", "note"])
            #expect(error.failures.last?.rule == .maximumLength(3))
        }
    }

    @Test(
        "a save writes nothing if a property was changed and changed back",
        arguments: StoreKind.allCases)
    func sameValue(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let id = try stack.team("Reds", points: 1).id
        try stack.background.performAndWait { context in
            let team = try context.existingObject(with: id, of: Team.self)
            team.points = 2
            team.points = 1
            #expect(team.state == .updated)
            #expect(try context.save().isEmpty)
            #expect(team.state == .unchanged)
            // Values that another writer saves are read, as for every other object.
            try stack.container.coordinator.changeTeam(id, ["points": .integer(9)])
            _ = try context.fetch(FetchRequest<Team>())
            #expect(team.points == 9)
        }
    }

    @Test("a context can correct its objects and save again after a failed save", arguments: StoreKind.allCases)
    func repairAfterFailure(_ kind: StoreKind) throws {
        let stack = try kind.league()
        try stack.background.performAndWait { context in
            let team = try context.insert(Team.self) { Team(id: $0, name: "") }
            let other = try context.insert(Team.self) { Team(id: $0, name: "Blues") }
            #expect(throws: PersistenceError.self) { try context.save() }
            #expect(team.state == .inserted && other.state == .inserted && context.hasChanges)
            team.name = "Reds"
            try context.save()
        }
        #expect(try stack.stored(Team.self).map(\.name) == ["Reds", "Blues"])
    }

    @Test(
        "a save of an existing unique value fails, and succeeds after the value is corrected",
        arguments: StoreKind.allCases)
    func unique(_ kind: StoreKind) throws {
        let stack = try kind.league()
        try stack.player("Ann", number: 7)
        try stack.container.newBackgroundContext().performAndWait { context in
            let player = try context.insert(Player.self) { Player(id: $0, name: "Bob", number: 7) }
            let error = try persistenceError { try context.save() }
            #expect(error.code == .uniqueness && error.entity == "Player" && error.attribute == "number")
            #expect(
                error.message == "object 33: another object already has this value, which must be unique")
            #expect(error.value == "7")
            player.number = 8
            try context.save()
        }
        #expect(try stack.stored(Player.self).map(\.number) == [7, 8])
    }

    @Test("a save may exchange the unique values of two objects", arguments: StoreKind.allCases)
    func exchange(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let (ann, bob) = (try stack.player("Ann", number: 1), try stack.player("Bob", number: 2))
        try stack.background.performAndWait { context in
            try context.existingObject(with: ann.id, of: Player.self).number = 2
            try context.existingObject(with: bob.id, of: Player.self).number = 1
            try context.save()
        }
        #expect(try stack.stored(Player.self).map(\.number) == [2, 1])
    }

    @Test("an object may be inserted before the object that it refers to", arguments: StoreKind.allCases)
    func forward(_ kind: StoreKind) throws {
        let stack = try kind.league()
        try stack.background.performAndWait { context in
            let team: TeamID = try context.newID(for: Team.self)
            try context.insert(Player.self) { Player(id: $0, name: "Ann", team: team) }
            try context.insert(Team(id: team, name: "Reds"))
            try context.save()
        }
        #expect(try stack.stored(Player.self).map(\.team?.rawValue) == [1])
    }

    @Test("a rollback discards inserts, changes and deletions", arguments: StoreKind.allCases)
    func rollback(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let (reds, blues) = (try stack.team("Reds"), try stack.team("Blues"))
        try stack.background.performAndWait { context in
            let changed = try context.existingObject(with: reds.id, of: Team.self)
            let deleted = try context.existingObject(with: blues.id, of: Team.self)
            let inserted = try context.insert(Team.self) { Team(id: $0, name: "New") }
            changed.name = "Other"
            context.delete(deleted)
            context.rollback()
            #expect(!context.hasChanges)
            #expect(changed.name == "Reds" && changed.state == .unchanged)
            #expect(deleted.state == .unchanged && inserted.state == .detached && inserted.name == "New")
            #expect(try context.fetch(FetchRequest<Team>()).map(\.name) == ["Reds", "Blues"])
            #expect(try context.save().isEmpty)
        }
    }

    @Test("a write to an object after a rollback is saved, and earlier writes are not", arguments: StoreKind.allCases)
    func writtenAfterRollback(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let red = try stack.team("Reds")
        try stack.background.performAndWait { context in
            let team = try context.existingObject(with: red.id, of: Team.self)
            (team.name, team.motto, team.points) = ("Blues", "lost", 7)
            context.rollback()
            #expect(team.name == "Reds" && !team.hasChanges)
            team.points = 3
            #expect(team.hasChanges && context.hasChanges)
            try context.save()
        }
        #expect(try stack.stored(Team.self) == [Team(id: red.id, name: "Reds", points: 3)])
    }

    @Test("a rollback restores a deleted object whose identifier a new object has used", arguments: StoreKind.allCases)
    func rollbackOfReplacement(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let reds = try stack.team("Reds")
        try stack.background.performAndWait { context in
            let old = try context.existingObject(with: reds.id, of: Team.self)
            context.delete(old)
            try context.insert(Team(id: reds.id, name: "New"))
            context.rollback()
            #expect(try context.existingObject(with: reds.id, of: Team.self) === old)
        }
    }

    @Test(
        "a reset detaches every object, and a write to a detached object makes the next save throw",
        arguments: StoreKind.allCases)
    func reset(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let id = try stack.team("Reds").id
        try stack.background.performAndWait { context in
            let team = try context.existingObject(with: id, of: Team.self)
            context.reset()
            #expect(team.state == .detached && team.name == "Reds")
            #expect(try context.existingObject(with: id, of: Team.self) !== team)
            team.name = "Blues"
            #expect(throws: PersistenceError.self) { try context.save() }
        }
    }

    @Test(
        "a save rounds dates to nanoseconds and removes trailing zeros of decimals",
        arguments: StoreKind.allCases)
    func storedForm(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let salary = try #require(Decimal(string: "5.7000"))
        let born = Date(timeIntervalSinceReferenceDate: 0.123_456_789_4)
        let grade = try #require(Grade(rawValue: "C"))
        try stack.background.performAndWait { context in
            let player = try context.insert(Player.self) {
                Player(id: $0, name: "Ann", salary: salary, born: born, grade: grade, form: -0.0)
            }
            try context.save()
            #expect(!context.hasChanges && !player.hasChanges)
        }
        let player = try #require(try stack.stored(Player.self).first)
        #expect(player.salary == Decimal(string: "5.7"))
        #expect(player.born == Date(timeIntervalSinceReferenceDate: 0.123_456_789))
        #expect(player.grade == grade && player.form?.sign == .plus)
    }
}
