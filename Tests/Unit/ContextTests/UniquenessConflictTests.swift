import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataTesting
import Testing

/// Two objects with one unique value or one identifier, in the store or in one context.
@Suite("Uniqueness conflicts")
struct UniquenessConflictTests {
    static let policies: [(MergePolicy, mine: Bool?)] = [
        (.error, nil), (.mergeByPropertyStoreTrump, false), (.rollback, false), (.mergeByPropertyObjectTrump, true),
        (.overwrite, true),
    ]

    @Test(
        "the merge policy decides whether a new object with a stored unique value is merged or rejected",
        arguments: StoreKind.allCases,
        policies)
    func againstStore(_ kind: StoreKind, _ wanted: (policy: MergePolicy, mine: Bool?)) throws {
        let stack = try kind.league()
        let ann = try stack.player("Ann", number: 7, salary: 1)
        let context = stack.container.newBackgroundContext(mergePolicy: wanted.policy)
        try context.performAndWait { context in
            let bob = try context.insert(Player.self) {
                Player(id: $0, name: "Bob", number: 7, salary: 2, born: .distantPast)
            }
            guard let isMine = wanted.mine else {
                let error = try persistenceError { try context.save() }
                let conflict = try #require(error.conflicts.first)
                #expect(error.code == .uniqueness && error.attribute == "number")
                #expect(conflict.constraint == "number" && conflict.owner == ann.id.rawValue && conflict.base == nil)
                #expect(conflict.id == bob.rawID && bob.state == .inserted)
                return
            }
            let saved = try context.save()
            #expect(saved.upserted == ["Player": [bob.rawID: ann.id.rawValue]])
            #expect(saved.inserted.isEmpty && saved.updated.isEmpty == !isMine)
            #expect(bob.state == .detached)
        }
        let stored = try stack.stored(Player.self)
        #expect(stored.map(\.id) == [ann.id])
        #expect(stored.map(\.name) == [wanted.mine == true ? "Bob" : "Ann"])
        #expect(stored.map(\.salary) == [wanted.mine == true ? 2 : 1])
        #expect(stored.map(\.born) == [ann.born], "what cannot be changed after the insertion stays")
    }

    @Test(
        "after an upsert, a context returns the stored object for the new object, until the context is reset",
        arguments: StoreKind.allCases)
    func successor(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let ann = try stack.player("Ann", number: 7)
        let context = stack.container.newBackgroundContext(mergePolicy: .overwrite)
        try context.performAndWait { context in
            let bob = try context.insert(Player.self) { Player(id: $0, name: "Bob", number: 7) }
            try context.save()
            #expect(try context.existingObject(holding: bob).id == ann.id)
            context.reset()
            #expect(try persistenceError { _ = try context.existingObject(holding: bob) }.code == .objectNotFound)
        }
    }

    @Test(
        "the second of two new objects with one unique value is merged into the first, or the save throws",
        arguments: StoreKind.allCases, policies)
    func insideContext(_ kind: StoreKind, _ wanted: (policy: MergePolicy, mine: Bool?)) throws {
        let stack = try kind.league()
        let context = stack.container.newBackgroundContext(mergePolicy: wanted.policy)
        try context.performAndWait { context in
            let first = try context.insert(Player.self) { Player(id: $0, name: "Ann", number: 7) }
            let second = try context.insert(Player.self) { Player(id: $0, name: "Bob", number: 7) }
            guard wanted.mine != nil else {
                let error = try persistenceError { try context.save() }
                #expect(error.code == .uniqueness && error.conflicts.first?.owner == first.rawID)
                #expect(error.conflicts.first?.id == second.rawID)
                return
            }
            #expect(try context.save().upserted == ["Player": [second.rawID: first.rawID]])
        }
        let wantedNames = wanted.mine.map { [$0 ? "Bob" : "Ann"] } ?? []
        #expect(try stack.stored(Player.self).map(\.name) == wantedNames)
    }

    @Test(
        "the merge policy restores or rejects a changed object whose new unique value is stored already",
        arguments: StoreKind.allCases, policies)
    func changed(_ kind: StoreKind, _ wanted: (policy: MergePolicy, mine: Bool?)) throws {
        let stack = try kind.league()
        try stack.player("Ann", number: 7)
        let bob = try stack.player("Bob", number: 8)
        let context = stack.container.newBackgroundContext(mergePolicy: wanted.policy)
        try context.performAndWait { context in
            let player = try context.existingObject(with: bob.id, of: Player.self)
            (player.number, player.name) = (7, "Rob")
            if wanted.mine == false {
                try context.save()
            } else {
                // Storing the own values would require the deletion of the other row.
                #expect(try persistenceError { try context.save() }.code == .uniqueness)
                context.rollback()
            }
        }
        let name = wanted.policy == .mergeByPropertyStoreTrump ? "Rob" : "Bob"
        #expect(try stack.stored(Player.self).map(\.name) == ["Ann", name])
        #expect(try stack.stored(Player.self).map(\.number) == [7, 8])
    }

    @Test(
        "the merge policy decides about a new object whose identifier exists in the store",
        arguments: StoreKind.allCases,
        policies)
    func identifiers(_ kind: StoreKind, _ wanted: (policy: MergePolicy, mine: Bool?)) throws {
        let stack = try kind.league()
        let id = try stack.team("Reds", points: 1).id
        let context = stack.container.newBackgroundContext(mergePolicy: wanted.policy)
        try context.performAndWait { context in
            let team = try context.insert(Team(id: id, name: "Blues"))
            if wanted.mine == nil {
                #expect(try persistenceError { try context.save() }.attribute == "id")
            } else {
                try context.save()
                #expect(team.state == .unchanged && team.name == (wanted.mine == true ? "Blues" : "Reds"))
            }
        }
        #expect(try stack.stored(Team.self).map(\.name) == [wanted.mine == true ? "Blues" : "Reds"])
        #expect(try stack.stored(Team.self).map(\.points) == [wanted.mine == true ? 0 : 1])
    }

    @Test("a reference to an upserted object is moved to the existing object", arguments: StoreKind.allCases)
    func references(_ kind: StoreKind) throws {
        let stack = try kind.stack(try ManagedObjectModel(records: [Badge.self, Sticker.self]))
        let context = stack.container.newBackgroundContext(mergePolicy: .mergeByPropertyObjectTrump)
        let first = try context.performAndWait { context in
            let label = try context.insert(Badge.self) { Badge(id: $0, text: "new") }
            try context.save()
            return label.id
        }
        try context.performAndWait { context in
            let again = try context.insert(Badge.self) { Badge(id: $0, text: "new") }
            try context.insert(Sticker.self) { Sticker(id: $0, label: again.id) }
            try context.save()
        }
        #expect(try stack.stored(Sticker.self).map(\.label) == [first])
        #expect(try stack.stored(Badge.self).count == 1)
    }

    @Test(
        "two thousand references to upserted objects are moved to the existing objects",
        arguments: StoreKind.allCases)
    func manyReferences(_ kind: StoreKind) throws {
        let stack = try kind.stack(try ManagedObjectModel(records: [Badge.self, Sticker.self]))
        let context = stack.container.newBackgroundContext(mergePolicy: .mergeByPropertyObjectTrump)
        for _ in 1...2 {
            try context.performAndWait { context in
                for number in 1...2000 {
                    let label = try context.insert(Badge.self) { Badge(id: $0, text: "\(number)") }
                    try context.insert(Sticker.self) { Sticker(id: $0, label: label.id) }
                }
                try context.save()
            }
        }
        let labels = try stack.stored(Badge.self).map(\.id)
        #expect(labels.count == 2000)
        #expect(try stack.stored(Sticker.self).map(\.label) == labels + labels)
    }

    @Test("a thousand records imported again are upserted", arguments: StoreKind.allCases)
    func many(_ kind: StoreKind) throws {
        let stack = try kind.stack(try ManagedObjectModel(records: [Badge.self, Sticker.self]))
        let context = stack.container.newBackgroundContext(mergePolicy: .mergeByPropertyStoreTrump)
        for _ in 1...2 {
            try context.performAndWait { context in
                for number in 1...1000 { try context.insert(Badge.self) { Badge(id: $0, text: "\(number)") } }
                try context.save()
            }
        }
        #expect(try stack.stored(Badge.self).count == 1000)
    }
}

struct Badge: PersistentRecord, Hashable {
    let id: TeamID
    var text: String

    static let entity = RecordEntity<Badge>("Badge", id: \.id, [.attribute("text", \.text, isUnique: true)]) { row in
        Badge(id: try row.id(), text: try row.next())
    }
}

struct Sticker: PersistentRecord, Hashable {
    let id: PlayerID
    var label: TeamID

    static let entity = RecordEntity<Sticker>("Sticker", id: \.id, [.toOne("label", \.label, to: "Badge")]) { row in
        Sticker(id: try row.id(), label: try row.next())
    }
}
