import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataTesting
import Testing

/// Saves of contexts with attributes that are unique together.
@Suite("Attributes that are unique together")
struct UniqueTogetherTests {
    @Test(
        "a save of two objects with equal unique keys throws an error that names both objects",
        arguments: StoreKind.allCases)
    func inOneSave(_ kind: StoreKind) throws {
        let stack = try kind.stack(try Theatre.model())
        let context = stack.container.newBackgroundContext()
        try context.performAndWait { context in
            let first = try context.insert(Ticket.self) { Ticket(id: $0, year: 2026, number: 1) }
            let second = try context.insert(Ticket.self) { Ticket(id: $0, year: 2026, number: 1) }
            let error = try persistenceError { try context.save() }
            #expect(error.code == .uniqueness && error.entity == "Ticket" && error.attribute == "year, number")
            #expect(error.value == "2026, 1")
            #expect(
                "\(error)".hasSuffix(
                    """
                    Ticket (year, number): object \(second.rawID): another object already has these values, which \
                    must be unique together
                      Ticket \(second.rawID): Ticket \(first.rawID) has its year, number already
                    """))
            let conflict = try #require(error.conflicts.first)
            #expect(conflict.constraint == "year, number" && conflict.id == second.rawID)
            #expect(conflict.owner == first.rawID && error.conflicts.count == 1)
        }
        #expect(try stack.stored(Ticket.self).isEmpty)
    }

    @Test(
        "objects are saved if their unique keys differ in one part or contain a null value",
        arguments: StoreKind.allCases)
    func parts(_ kind: StoreKind) throws {
        let stack = try kind.stack(try Theatre.model())
        for (year, number) in [
            (2026, 1), (2026, 2), (2025, 1), (nil, 1), (nil, 1), (2026, nil), (2026, nil), (nil, nil), (nil, nil),
        ] as [(Int?, Int?)] {
            try stack.ticket(year, number)
        }
        #expect(try stack.stored(Ticket.self).count == 9)
        let error = try persistenceError { try stack.ticket(2025, 1) }
        #expect(error.code == .uniqueness && error.attribute == "year, number")
    }

    @Test("a relationship may be a part of a unique key", arguments: StoreKind.allCases)
    func relationship(_ kind: StoreKind) throws {
        let stack = try kind.stack(try Theatre.model())
        let shows = try stack.background.performAndWait { context in
            let shows = try ["Hamlet", "Faust"].map { title in
                try context.insert(Show.self) { Show(id: $0, title: title) }.id
            }
            try context.save()
            return shows
        }
        try stack.ticket(nil, nil, show: shows[0], seat: "A1")
        let owner = try stack.ticket(nil, nil, show: shows[1], seat: "A1")
        try stack.ticket(nil, nil, show: nil, seat: "A1")
        try stack.ticket(nil, nil, show: shows[0], seat: nil)
        let error = try persistenceError { try stack.ticket(nil, nil, show: shows[1], seat: "A1") }
        #expect(error.attribute == "show, seat" && error.conflicts.first?.owner == owner.id.rawValue)
    }

    @Test(
        "a save rejects a changed object whose unique key another object has, whichever part changed",
        arguments: StoreKind.allCases)
    func changed(_ kind: StoreKind) throws {
        let stack = try kind.stack(try Theatre.model())
        let owner = try stack.ticket(2026, 1)
        let changes: [(id: Ticket.ID, change: @Sendable (Managed<Ticket>) -> Void)] = [
            (try stack.ticket(2026, 2).id, { $0.number = 1 }), (try stack.ticket(2025, 1).id, { $0.year = 2026 }),
            (try stack.ticket(nil, nil).id, { ($0.year, $0.number) = (2026, 1) }),
        ]
        for (id, change) in changes {
            try stack.container.newBackgroundContext().performAndWait { context in
                change(try context.existingObject(with: id, of: Ticket.self))
                let error = try persistenceError { try context.save() }
                #expect(error.code == .uniqueness && error.attribute == "year, number")
                #expect(error.message.contains("object \(id.rawValue): "), "\(error)")
                #expect(error.conflicts.map(\.owner) == [owner.id.rawValue])
            }
        }
        #expect(try stack.stored(Ticket.self).map(\.number) == [1, 2, 1, nil])
    }

    @Test(
        "objects may exchange unique keys in one save, or reuse the key of a deleted or changed object",
        arguments: StoreKind.allCases)
    func exchange(_ kind: StoreKind) throws {
        let stack = try kind.stack(try Theatre.model())
        for number in 1...4 { try stack.ticket(2026, number) }
        try stack.container.newBackgroundContext().performAndWait { context in
            let tickets = try context.fetch(FetchRequest<Ticket>())
            (tickets[0].number, tickets[1].number) = (2, 1)
            context.delete(tickets[2])
            tickets[3].number = 3
            try context.insert(Ticket.self) { Ticket(id: $0, year: 2026, number: 4) }
            try context.save()
        }
        #expect(try stack.stored(Ticket.self).map(\.number) == [2, 1, 3, 4])
    }

    @Test(
        "a unique key stays reserved after a change of another attribute and is free after the deletion",
        arguments: StoreKind.allCases)
    func otherValueChanges(_ kind: StoreKind) throws {
        let stack = try kind.stack(try Theatre.model())
        let ticket = try stack.ticket(2026, 1)
        try stack.container.newBackgroundContext().performAndWait { context in
            try context.existingObject(with: ticket.id, of: Ticket.self).note = "late"
            try context.save()
        }
        #expect(try persistenceError { try stack.ticket(2026, 1) }.code == .uniqueness)
        try stack.container.newBackgroundContext().performAndWait { context in
            context.delete(try context.existingObject(with: ticket.id, of: Ticket.self))
            try context.save()
        }
        try stack.ticket(2026, 1)
        #expect(try stack.stored(Ticket.self).count == 1)
    }

    // MARK: Policies

    @Test(
        "the merge policy decides whether a new object whose unique key is stored is merged or rejected",
        arguments: StoreKind.allCases,
        UniquenessConflictTests.policies)
    func folded(_ kind: StoreKind, _ wanted: (policy: MergePolicy, mine: Bool?)) throws {
        let stack = try kind.stack(try Theatre.model())
        let stored = try stack.ticket(2026, 1, note: "stored")
        let other = try stack.ticket(2026, 2, note: "other")
        try stack.container.newBackgroundContext(mergePolicy: wanted.policy).performAndWait { context in
            let new = try context.insert(Ticket.self) { Ticket(id: $0, year: 2026, number: 1, note: "new") }
            guard wanted.mine != nil else {
                let error = try persistenceError { try context.save() }
                #expect(error.conflicts.map(\.owner) == [stored.id.rawValue] && new.state == .inserted)
                return
            }
            #expect(try context.save().upserted == ["Ticket": [new.rawID: stored.id.rawValue]])
            #expect(new.state == .detached)
        }
        #expect(try stack.stored(Ticket.self).map(\.note) == [wanted.mine == true ? "new" : "stored", "other"])
        #expect(try stack.stored(Ticket.self).map(\.id) == [stored.id, other.id])
    }

    @Test(
        "the second of two new objects with the same unique key is merged into the first", arguments: StoreKind.allCases
    )
    func twoNew(_ kind: StoreKind) throws {
        let stack = try kind.stack(try Theatre.model())
        try stack.container.newBackgroundContext(mergePolicy: .mergeByPropertyObjectTrump).performAndWait { context in
            let first = try context.insert(Ticket.self) { Ticket(id: $0, year: 2026, number: 1, note: "first") }
            let second = try context.insert(Ticket.self) { Ticket(id: $0, year: 2026, number: 1, note: "second") }
            #expect(try context.save().upserted == ["Ticket": [second.rawID: first.rawID]])
        }
        #expect(try stack.stored(Ticket.self).map(\.note) == ["second"])
    }

    @Test(
        "the merge policy restores or rejects a changed object whose unique key another object has",
        arguments: StoreKind.allCases, UniquenessConflictTests.policies)
    func takenBack(_ kind: StoreKind, _ wanted: (policy: MergePolicy, mine: Bool?)) throws {
        let stack = try kind.stack(try Theatre.model())
        try stack.ticket(2026, 1)
        let other = try stack.ticket(2025, 7, note: "old")
        try stack.container.newBackgroundContext(mergePolicy: wanted.policy).performAndWait { context in
            let ticket = try context.existingObject(with: other.id, of: Ticket.self)
            (ticket.year, ticket.number, ticket.note) = (2026, 1, "new")
            if wanted.mine == false {
                try context.save()
            } else {
                // Storing the own values would require the deletion of the other row.
                #expect(try persistenceError { try context.save() }.code == .uniqueness)
            }
        }
        let stored = try stack.stored(Ticket.self)
        #expect(stored.map(\.year) == [2026, 2025] && stored.map(\.number) == [1, 7])
        #expect(stored[1].note == (wanted.policy == .mergeByPropertyStoreTrump ? "new" : "old"))
    }

    @Test(
        "a thousand new objects whose unique keys exist are merged into the stored objects",
        arguments: StoreKind.allCases)
    func many(_ kind: StoreKind) throws {
        let stack = try kind.stack(try Theatre.model())
        for round in 1...2 {
            try stack.container.newBackgroundContext(mergePolicy: .mergeByPropertyObjectTrump).performAndWait {
                context in
                for number in 1...1000 {
                    try context.insert(Ticket.self) {
                        Ticket(id: $0, year: number % 3, number: number, note: "round \(round)")
                    }
                }
                try context.save()
            }
        }
        let stored = try stack.stored(Ticket.self)
        #expect(stored.count == 1000 && stored.allSatisfy { $0.note == "round 2" })
    }

    @Test(
        "a child context's save does not check unique keys, and its parent's save does", arguments: StoreKind.allCases)
    func child(_ kind: StoreKind) throws {
        let stack = try kind.stack(try Theatre.model())
        try stack.ticket(2026, 1)
        let parent = stack.container.newBackgroundContext()
        let child = parent.newChildContext()
        try child.performAndWait { context in
            try context.insert(Ticket.self) { Ticket(id: $0, year: 2026, number: 1) }
            try context.save()
        }
        let error = try parent.performAndWait { context in try persistenceError { try context.save() } }
        #expect(error.code == .uniqueness && error.attribute == "year, number")
    }
}
