import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit
import StrataTestSupport
import StrataTesting
import Testing

/// Failed saves, merges and reads, which keep the unsaved changes.
@Suite("Failed saves")
struct FailedSaveTests {
    private func change(_ stack: TestStack, _ ids: [TeamID], points: Int) throws {
        try stack.container.newBackgroundContext(name: "B").performAndWait { context in
            for id in ids { try context.existingObject(with: id, of: Team.self).points = points }
            try context.save()
        }
    }

    @Test(
        "a save fails and keeps its changes if the merge policy returns values that form no valid record",
        arguments: StoreKind.allCases)
    func values(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let red = try stack.team("Red")
        try stack.container.mainContext.performAndWait { context in
            let team = try context.existingObject(with: red.id, of: Team.self)
            team.motto = "mine"
            try change(stack, [red.id], points: 5)
            let policy = MergePolicy.custom("nulls") { .values($0.attributes.map { _ in .null }) }
            #expect(try persistenceError { try context.save(mergePolicy: policy) }.code == .conflict)
            #expect(team.motto == "mine")
            #expect(team.hasChanges)
            #expect(try persistenceError { try context.save() }.code == .conflict, "still a conflict")
            try context.save(mergePolicy: .mergeByPropertyObjectTrump)
        }
        #expect(try stack.stored(Team.self).map(\.motto) == ["mine"])
    }

    @Test(
        "a save whose policy resolves one conflict and fails for another applies neither resolution",
        arguments: StoreKind.allCases)
    func several(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let ids = try ["Red", "Blue"].map { try stack.team($0).id }
        try stack.container.mainContext.performAndWait { context in
            let teams = try ids.map { try context.existingObject(with: $0, of: Team.self) }
            for team in teams { team.points = 1 }
            try change(stack, ids, points: 5)
            let second = ids[1].rawValue
            let policy = MergePolicy.custom("too few") { $0.id == second ? .values([]) : .rollback }
            #expect(try persistenceError { try context.save(mergePolicy: policy) }.code == .conflict)
            #expect(teams.map(\.points) == [1, 1])
            #expect(try persistenceError { try context.save() }.conflicts.count == 2)
        }
    }

    @Test(
        "a save with a conflict fails if the merge policy returns values for a deleted object",
        arguments: StoreKind.allCases)
    func undeleted(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let red = try stack.team("Red")
        try stack.container.mainContext.performAndWait { context in
            let team = try context.existingObject(with: red.id, of: Team.self)
            context.delete(team)
            try change(stack, [red.id], points: 5)
            let policy = MergePolicy.custom("values") { .values($0.stored ?? []) }
            #expect(try persistenceError { try context.save(mergePolicy: policy) }.code == .conflict)
            #expect(try persistenceError { try context.save() }.code == .conflict, "the deletion is still contested")
        }
        #expect(try stack.stored(Team.self).count == 1)
    }

    @Test(
        "a rollback restores a deleted object and discards the writes after its deletion", arguments: StoreKind.allCases
    )
    func writtenAfterDeletion(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let red = try stack.team("Red")
        try stack.container.newBackgroundContext().performAndWait { context in
            let team = try context.existingObject(with: red.id, of: Team.self)
            context.delete(team)
            team.motto = "lost"
            context.rollback()
            #expect(team.state == .unchanged && team.motto == nil)
        }
    }

    @Test("a new object keeps its inserted state after its upsert failed", arguments: StoreKind.allCases)
    func upserting(_ kind: StoreKind) throws {
        let stack = try kind.league()
        try stack.player("Ann", number: 7)
        try stack.container.newBackgroundContext().performAndWait { context in
            let bob = try context.insert(Player.self) { Player(id: $0, name: "Bob", number: 7) }
            for values in [[], nil] as [[StoredValue]?] {
                let policy = MergePolicy.custom("odd") { .values(values ?? $0.attributes.map { _ in .null }) }
                let error = try persistenceError { try context.save(mergePolicy: policy) }
                #expect(error.code == .uniqueness || error.code == .conflict, "\(error)")
                #expect(bob.state == .inserted)
            }
            bob.number = 8
            try context.save()
        }
        #expect(try stack.stored(Player.self).map(\.name) == ["Ann", "Bob"])
    }

    @Test(
        "an upsert whose merged values the record type rejects throws an error that contains the conflict",
        arguments: StoreKind.allCases)
    func refused(_ kind: StoreKind) throws {
        let stack = try kind.stack(try ManagedObjectModel(records: [Stay.self]))
        let stored = try stack.background.performAndWait { context in
            let stay = try context.insert(Stay.self) { try Stay(id: $0, room: 7, start: 1, end: 5) }
            try context.save()
            return stay.id
        }
        try stack.container.newBackgroundContext().performAndWait { context in
            let stay = try context.insert(Stay.self) { try Stay(id: $0, room: 7, start: 2, end: 3) }
            let policy = MergePolicy.custom("backwards") { _ in .values([.integer(7), .integer(9), .integer(4)]) }
            let error = try persistenceError { try context.save(mergePolicy: policy) }
            #expect(error.code == .uniqueness && error.underlying is Stay.Backwards)
            let made = "; the record type rejects the values that the merge policy made"
            #expect(error.message.hasSuffix(made))
            #expect(error.conflicts.map(\.id) == [stay.rawID] && error.conflicts.map(\.owner) == [stored.rawValue])
            #expect(stay.state == .inserted)
        }
        #expect(try stack.stored(Stay.self).map(\.end) == [5])
    }

    @Test(
        "two new objects are merged into a stored row if one shares a unique value with the other and with the row",
        arguments: StoreKind.allCases)
    func upsertedTwice(_ kind: StoreKind) throws {
        let stack = try kind.stack(try ManagedObjectModel(records: [Plate.self]))
        try stack.background.performAndWait { context in
            try context.insert(Plate(id: 1, front: "z", back: "z"))
            try context.save()
        }
        try stack.container.newBackgroundContext().performAndWait { context in
            try context.insert(Plate(id: 2, front: "x", back: "x"))
            try context.insert(Plate(id: 3, front: "x", back: "z"))
            let saved = try context.save(mergePolicy: .mergeByPropertyObjectTrump)
            #expect(saved.upserted == ["Plate": [2: 1, 3: 1]])
        }
        #expect(try stack.stored(Plate.self) == [Plate(id: 1, front: "x", back: "z")])
    }

    @Test("a custom policy's values replace the stored record with the same identifier", arguments: StoreKind.allCases)
    func takenIdentifier(_ kind: StoreKind) throws {
        let stack = try kind.stack(try ManagedObjectModel(records: [Plate.self]))
        try stack.background.performAndWait { context in
            try context.insert(Plate(id: 1, front: "a", back: "a"))
            try context.save()
        }
        try stack.container.newBackgroundContext().performAndWait { context in
            let plate = try context.insert(Plate(id: 1, front: "b", back: "b"))
            let policy = MergePolicy.custom("third") { _ in try .record(Plate(id: 1, front: "c", back: "c")) }
            try context.save(mergePolicy: policy)
            #expect(plate.front == "c")
        }
        #expect(try stack.stored(Plate.self) == [Plate(id: 1, front: "c", back: "c")])
    }

    @Test(
        "overwriting a stored record with the same identifier keeps its constant attributes",
        arguments: StoreKind.allCases,
        [MergePolicy.mergeByPropertyObjectTrump, .overwrite])
    func takenIdentifierConstant(_ kind: StoreKind, _ policy: MergePolicy) throws {
        let stack = try kind.league()
        let ann = try stack.player("Ann", number: 7)
        try stack.container.newBackgroundContext().performAndWait { context in
            try context.insert(Player(id: ann.id, name: "Bob", number: 7, born: .distantPast))
            try context.save(mergePolicy: policy)
        }
        let stored = try stack.stored(Player.self)
        #expect(stored.map(\.name) == ["Bob"])
        #expect(stored.map(\.born) == [ann.born])
    }

    @Test(
        "a child context's save compares unique values with its parent's objects and not with the store",
        arguments: StoreKind.allCases)
    func childUniqueness(_ kind: StoreKind) throws {
        let stack = try kind.stack(try ManagedObjectModel(records: [Plate.self]))
        let parent = stack.background
        try parent.performAndWait { context in
            try context.insert(Plate(id: 1, front: "a", back: "a"))
            try context.save()
            try context.delete(1, of: Plate.self)
            try context.insert(Plate(id: 5, front: "b", back: "b"))
        }
        try parent.newChildContext(mergePolicy: .mergeByPropertyObjectTrump).performAndWait { context in
            try context.insert(Plate(id: 5, front: "c", back: "c"))
            try context.insert(Plate(id: 9, front: "a", back: "a"))
            #expect(try context.save().upserted == [:])
        }
        try parent.performAndWait { context in _ = try context.save() }
        let wanted = [Plate(id: 5, front: "c", back: "c"), Plate(id: 9, front: "a", back: "a")]
        #expect(try stack.stored(Plate.self) == wanted)
    }

    @Test(
        "a save finds one existing unique value among the values of thousands of new objects",
        arguments: StoreKind.allCases)
    func many(_ kind: StoreKind) throws {
        let stack = try kind.stack(try ManagedObjectModel(records: [Plate.self]))
        try stack.background.performAndWait { context in
            try context.insert(Plate(id: 1, front: "2", back: "2"))
            try context.save()
        }
        // Values are looked up some hundred at a time, because a list of texts may have at most 32,000 elements.
        let count = kind == .sqlite ? Seeds.count(1_100, all: 32_002) : 1_100
        try stack.container.newBackgroundContext().performAndWait { context in
            for id in 2...count {
                try context.insert(Plate(id: LibraryID(unchecked: Int64(id)), front: "\(id)", back: "\(id)"))
            }
            #expect(try persistenceError { try context.save() }.code == .uniqueness)
            #expect(try context.save(mergePolicy: .mergeByPropertyStoreTrump).upserted == ["Plate": [2: 1]])
        }
    }

    @Test(
        "a save releases a one-to-one counterpart from its old owner although an earlier read failed",
        arguments: StoreKind.allCases)
    func claims(_ kind: StoreKind) throws {
        let (stack, store) = try kind.hooked(try Company.model())
        try stack.background.performAndWait { context in
            try context.insert(Company.Person(id: 1, name: "Ada"))
            try context.insert(Company.Passport(id: 1, number: "P1", holder: 1))
            try context.insert(Company.Passport(id: 2, number: "P2", holder: nil))
            try context.save()
        }
        try stack.container.newBackgroundContext().performAndWait { context in
            let passport = try context.existingObject(with: 2, of: Company.Passport.self)
            passport.holder = 1
            store.fetchFailure.withLock { $0 = PersistenceError(.inputOutput, "a bad moment") }
            #expect(throws: PersistenceError.self) { try context.processPendingChanges() }
            store.fetchFailure.withLock { $0 = nil }
            try context.save()
        }
        #expect(try stack.stored(Company.Passport.self).map(\.holder) == [nil, 1])
    }

    @Test("a fetch in batches returns the current values of the store", arguments: StoreKind.allCases)
    func batches(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let red = try stack.team("Red")
        try stack.container.mainContext.performAndWait { context in
            let team = try context.existingObject(with: red.id, of: Team.self)
            try change(stack, [red.id], points: 5)
            try context.fetch(FetchRequest<Team>(), inBatchesOf: 1) { batch in
                #expect(batch.map(\.points) == [5])
            }
            #expect(team.points == 5)
        }
    }
}

/// A record with a unique value and an initializer that rejects some values.
private struct Stay: PersistentRecord, Hashable {
    struct Backwards: Error, CustomStringConvertible {
        let description = "a stay ends after it begins"
    }

    let id: LibraryID
    var room: Int
    var start: Int
    var end: Int

    init(id: LibraryID, room: Int, start: Int, end: Int) throws {
        guard start < end else { throw Backwards() }
        (self.id, self.room, self.start, self.end) = (id, room, start, end)
    }

    static let entity = RecordEntity<Stay>(
        "Stay", id: \.id,
        [.attribute("room", \.room, isUnique: true), .attribute("start", \.start), .attribute("end", \.end)]
    ) { row in try Stay(id: row.id(), room: row.next(), start: row.next(), end: row.next()) }
}

/// A record with two unique values.
struct Plate: PersistentRecord, Hashable {
    let id: LibraryID
    var front: String
    var back: String

    static let entity = RecordEntity<Plate>(
        "Plate", id: \.id, [.attribute("front", \.front, isUnique: true), .attribute("back", \.back, isUnique: true)]
    ) { row in Plate(id: try row.id(), front: try row.next(), back: try row.next()) }
}
