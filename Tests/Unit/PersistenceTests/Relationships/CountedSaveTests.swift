import PersistenceTestSupport
import StrataTesting
import Testing

@testable import StrataCore
@testable import StrataInMemory
@testable import StrataPersistence
@testable import StrataSQLite
@testable import StrataStoreKit

/// Saves that must check a bound count the related objects and do not read them.
@Suite("Saves that count related objects")
struct CountedSaveTests {
    /// A change of halls that breaks no bound.
    struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let change: @Sendable (ConfinedContext) throws -> Void
    }

    private static func hall(_ id: LibraryID, _ context: ConfinedContext) throws -> Managed<Halls.Hall> {
        try context.existingObject(with: id)
    }

    static let changes: [Change] = [
        Change(testDescription: "one object is added") { try $0.insert(Halls.Seat(id: 99, hall: 1)) },
        Change(testDescription: "one object is added to each owner") { context in
            for hall in [1, 2, 3, 4] as [LibraryID] {
                try context.insert(Halls.Seat(id: LibraryID(unchecked: hall.rawValue + 90), hall: hall))
            }
        },
        Change(testDescription: "one object moves to another owner") { context in
            try context.insert(Halls.Seat(id: 99, hall: 1))
            try context.existingObject(with: 10, of: Halls.Seat.self).hall = 2
        },
        Change(testDescription: "all objects of an owner are deleted") { context in
            for id in [10, 11] as [LibraryID] { try context.delete(id, of: Halls.Seat.self) }
        },
        Change(testDescription: "a new owner has enough objects") { context in
            try context.insert(Halls.Hall(id: 9))
            try context.insert(Halls.Door(id: 99, hall: 9))
        },
        Change(testDescription: "one join row is added") { context in
            try context.add(try context.existingObject(with: 9), to: \.guests, of: try hall(1, context))
        },
        Change(testDescription: "an owner is deleted") { context in context.delete(try hall(4, context)) },
    ]

    /// Counts the rows that a store returns.
    private final class Rows: Sendable {
        let count = Guarded(0)
    }

    @Test("a save that counts related objects reads none of them", arguments: StoreKind.allCases, changes)
    func reading(_ kind: StoreKind, _ item: Change) throws {
        for isChild in [false, true] {
            let (stack, store) = try kind.hooked(try Halls.model())
            _ = try store.base.save(Halls.filled.changes)
            let parent = stack.container.newBackgroundContext(name: "parent")
            let context = isChild ? parent.newChildContext() : parent
            let rows = Rows()
            let changed = try context.performAndWait { context in
                try item.change(context)
                try context.processPendingChanges()
                let held = context.registeredObjects
                let changed = context.updatedObjects.count + context.deletedObjects.count
                store.beforeRow.withLock { hook in hook = { _ in rows.count.withLock { $0 += 1 } } }
                try context.save()
                withExtendedLifetime(held) {}
                return changed
            }
            // A parent reads the objects that its child changed.
            #expect(rows.count.withLock { $0 } <= (isChild ? changed : 0), "child: \(isChild)")
        }
    }

    @Test("a save counts the objects of any number of owners with one statement", arguments: [1, 40])
    func statements(_ halls: Int64) throws {
        let stack = try StoreKind.sqlite.stack(try Halls.model())
        let store = try #require(stack.container.coordinator.store as? SQLiteStore)
        var changes = ChangeSet()
        changes["Hall"].insertions = (1...halls).map { .init(id: $0, values: [.string("")]) }
        changes["Door"].insertions = (1...halls).map { .init(id: $0, values: [.integer($0)]) }
        _ = try store.save(changes)
        try stack.container.newBackgroundContext().performAndWait { context in
            for hall in 1...halls {
                for _ in 0...hall % 2 {
                    try context.insert(Halls.Door.self) { Halls.Door(id: $0, hall: LibraryID(unchecked: hall)) }
                }
            }
            let before = try store.pool.withConnection(\.counts).runs
            try context.save()
            #expect(try store.pool.withConnection(\.counts).runs - before == 1)
        }
    }

    @Test(
        "a save reports every owner whose new objects exceed the maximum, for many different numbers",
        arguments: StoreKind.allCases)
    func differentNumbers(_ kind: StoreKind) throws {
        let model = try ManagedObjectModel(records: [Crate.self, Bottle.self])
        let stack = try kind.stack(model)
        var changes = ChangeSet()
        changes["Crate"].insertions = (1...40).map { .init(id: $0, values: []) }
        changes["Bottle"].insertions = (1...40).map { .init(id: $0, values: [.integer($0)]) }
        _ = try stack.container.coordinator.store.save(changes)
        try stack.background.performAndWait { context in
            for crate in Int64(1)...40 {
                for _ in 0..<crate {
                    try context.insert(Bottle.self) { Bottle(id: $0, crate: LibraryID(unchecked: crate)) }
                }
            }
            let error = try persistenceError { try context.save() }
            // Each crate has one bottle before the change.
            #expect(
                error.failures.map(\.debugDescription)
                    == (30...40).map { "Crate \($0), bottles: \($0 + 1) is above the maximum count of 30" })
        }
    }

    /// A crate of thirty bottles.
    struct Crate: PersistentRecord {
        let id: LibraryID

        static let bottles = ToMany<Crate, Bottle>("bottles", to: "Bottle", inverse: "crate", maximumCount: 30)
        static let entity = RecordEntity<Crate>("Crate", id: \.id, [.relationship(bottles)]) { Crate(id: try $0.id()) }
    }

    struct Bottle: PersistentRecord {
        let id: LibraryID
        var crate: LibraryID?

        static let entity = RecordEntity<Bottle>(
            "Bottle", id: \.id, [.toOne("crate", \.crate, to: "Crate", inverse: "bottles")]
        ) { Bottle(id: try $0.id(), crate: try $0.next()) }
    }

    // A                    | B                    | store: seats of hall 1
    // reads 10             |                      | 10, 11
    //                      | adds 98, 99, saves   | 10, 11, 98, 99
    //                      | deletes 10, saves    | 11, 98, 99
    // deletes 10, saves    |                      | 11, 98, 99
    @Test("a save counts objects that other contexts have saved meanwhile", arguments: StoreKind.allCases)
    func meanwhile(_ kind: StoreKind) throws {
        let stack = try kind.stack(try Halls.model())
        _ = try stack.container.coordinator.store.save(Halls.filled.changes)
        let other = stack.container.newBackgroundContext(name: "other")
        let seats = try stack.background.performAndWait { context in
            context.delete(try context.existingObject(with: 11, of: Halls.Seat.self))
            return try context.count(\.seats, of: try Self.hall(1, context))
        }
        #expect(seats == 1)
        try other.performAndWait { context in
            for id in [98, 99] as [LibraryID] { try context.insert(Halls.Seat(id: id, hall: 1)) }
            try context.save()
            try context.delete(11, of: Halls.Seat.self)
            try context.save()
        }
        try stack.background.performAndWait { context in
            try context.save()
            for id in [96, 97] as [LibraryID] { try context.insert(Halls.Seat(id: id, hall: 1)) }
            let error = try persistenceError { try context.save() }
            #expect(error.failures.map(\.debugDescription) == ["Hall 1, seats: 5 is above the maximum count of 4"])
        }
    }

    @Test(
        "a new object with a reused identifier is validated with its own related objects",
        arguments: StoreKind.allCases)
    func renewed(_ kind: StoreKind) throws {
        let stack = try kind.stack(try Halls.model())
        _ = try stack.container.coordinator.store.save(Halls.filled.changes)
        let parent = stack.container.newBackgroundContext(name: "parent")
        try parent.performAndWait { context in
            try context.insert(Halls.Hall(id: 9))
            try context.insert(Halls.Door(id: 99, hall: 9))
        }
        // Hall 1 is in the store, and hall 9 is the parent's new one.
        for id in [1, 9] as [LibraryID] {
            try parent.newChildContext().performAndWait { context in
                try context.delete(id, of: Halls.Hall.self)
                try context.insert(Halls.Hall(id: id))
                let error = try persistenceError { try context.save() }
                #expect(
                    error.failures.map(\.description) == ["Hall \(id.rawValue), doors: is below the minimum count of 1"]
                )
                try context.insert(Halls.Door.self) { Halls.Door(id: $0, hall: id) }
                try context.save()
            }
        }
        try parent.performAndWait { context in
            try context.save()
            #expect(try context.count(FetchRequest<Halls.Door>()) == 7)
        }
    }
}
