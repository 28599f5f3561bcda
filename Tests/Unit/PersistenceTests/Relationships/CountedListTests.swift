import PersistenceTestSupport
import StrataStoreKit
import StrataTesting
import Testing

@testable import StrataPersistence
@testable import StrataSQLite

/// Lists with a maximum that grow by one object at a time; each save counts the stored objects.
@Suite("Lists with a maximum that grow")
struct CountedListTests {
    /// Returns a stack with hall 1, which has seats 10 and 11 and may have four.
    private static func halls(_ kind: StoreKind) throws -> TestStack {
        let stack = try kind.stack(try Halls.model())
        _ = try stack.container.coordinator.store.save(Halls.filled.changes)
        return stack
    }

    private static func addSeat(_ context: ManagedObjectContext, _ id: LibraryID) throws {
        _ = try context.performTransactionAndWait { context in try context.insert(Halls.Seat(id: id, hall: 1)).id }
    }

    private static func expectFull(_ context: ManagedObjectContext, _ count: Int = 5) throws {
        let error = try persistenceError { try addSeat(context, 999) }
        #expect(error.failures.map(\.debugDescription) == ["Hall 1, seats: \(count) is above the maximum count of 4"])
    }

    /// The other writer that adds a seat to hall 1.
    enum Other: CaseIterable, Sendable {
        case context, bulk, transaction
    }

    @Test(
        "a save counts objects that other writers have added to a list with a maximum", arguments: StoreKind.allCases,
        Other.allCases)
    func others(_ kind: StoreKind, _ other: Other) throws {
        let stack = try Self.halls(kind)
        try Self.addSeat(stack.background, 50)
        switch other {
        case .context: try Self.addSeat(stack.container.newBackgroundContext(name: "other"), 51)
        case .bulk:
            try stack.container.batchWrite { writer in
                let inserter = try writer.inserter(of: "Seat", InsertOptions())
                try inserter.insert(id: 51, values: [.integer(1)], location: RowLocation(line: 1, record: 1))
            }
        case .transaction:
            try stack.container.coordinator.store.transaction { transaction in
                var changes = ChangeSet()
                changes["Seat"].insertions = [.init(id: 51, values: [.integer(1)])]
                _ = try transaction.save(changes)
                return .commit
            }
        }
        try Self.expectFull(stack.background)
    }

    @Test(
        "the next save counts an object that another writer added during the previous save",
        arguments: StoreKind.allCases)
    func betweenCountAndSave(_ kind: StoreKind) throws {
        let (stack, store) = try kind.hooked(try Halls.model())
        _ = try store.base.save(Halls.filled.changes)
        store.beforeSave.withLock { hook in
            hook = { base, number in
                guard number == 0 else { return }
                var changes = ChangeSet()
                changes["Seat"].insertions = [.init(id: 51, values: [.integer(1)])]
                _ = try base.save(changes)
            }
        }
        try Self.addSeat(stack.background, 50)
        try Self.expectFull(stack.background)
    }

    @Test("a child context's save counts the unsaved objects of its parent", arguments: StoreKind.allCases)
    func child(_ kind: StoreKind) throws {
        let parent = try Self.halls(kind).background
        try Self.addSeat(parent, 50)
        try parent.performAndWait { context in _ = try context.insert(Halls.Seat(id: 51, hall: 1)) }
        try parent.newChildContext().performAndWait { context in
            try context.insert(Halls.Seat(id: 52, hall: 1))
            let error = try persistenceError { try context.save() }
            #expect(error.failures.map(\.debugDescription) == ["Hall 1, seats: 5 is above the maximum count of 4"])
        }
    }

    @Test("a save counts objects that another process added, and not those that it removed")
    func anotherProcess() throws {
        let stack = try Self.halls(.sqlite)
        try Self.addSeat(stack.background, 50)
        let other = try SQLiteStore.open(at: stack.folder.file("store.sqlite"), model: try Halls.model())
        var changes = ChangeSet()
        changes["Seat"].insertions = [.init(id: 51, values: [.integer(1)])]
        _ = try other.save(changes)
        try Self.expectFull(stack.background)
        changes = ChangeSet()
        changes["Seat"].deletions = [.init(id: 51, expectedVersion: 1)]
        _ = try other.save(changes)
        try other.close()
        try Self.addSeat(stack.background, 52)
        try Self.expectFull(stack.background)
    }

    @Test(
        "a save counts the objects of a list correctly after failed saves and removed objects",
        arguments: StoreKind.allCases)
    func failedAndTaken(_ kind: StoreKind) throws {
        let context = try Self.halls(kind).background
        try Self.addSeat(context, 50)
        try Self.addSeat(context, 51)
        try Self.expectFull(context)
        try Self.expectFull(context)
        try context.performTransactionAndWait { context in
            for id in [50, 51] as [LibraryID] { try context.delete(id, of: Halls.Seat.self) }
        }
        try Self.addSeat(context, 52)
        try context.performTransactionAndWait { context in
            try context.existingObject(with: 52, of: Halls.Seat.self).hall = 2
            try context.insert(Halls.Seat(id: 53, hall: 1))
            try context.insert(Halls.Seat(id: 54, hall: 1))
        }
        try Self.expectFull(context)
    }
}
