import PersistenceTestSupport
import StrataPersistence
import StrataTesting
import Synchronization
import Testing

/// Objects whose records run code when they go.
@Suite("What goes with an object", .serialized)
struct LeavingTests {
    /// Who reads it gets something that says when it goes.
    struct Guest: PersistentRecord {
        let id: LibraryID
        var name: String
        /// Not stored.
        var farewell: Farewell?

        static let entity = RecordEntity<Guest>("Guest", id: \.id, [.attribute("name", \.name)]) { row in
            Guest(id: try row.id(), name: try row.next(), farewell: Farewell())
        }
    }

    final class Farewell: Sendable {
        /// What happens when one of them goes; one test at a time.
        static let said = Mutex<(@Sendable () -> Void)?>(nil)

        deinit { Self.said.withLock { $0 }?() }
    }

    @Test("may work in the context, whose work has ended with that")
    func working() throws {
        let stack = try StoreKind.inMemory.stack(try ManagedObjectModel(records: [Guest.self]))
        try stack.background.performAndWait { context in
            for number in 1...3000 { try context.insert(Guest.self) { Guest(id: $0, name: "G\(number)") } }
            try context.save()
        }
        let context = stack.container.newBackgroundContext()
        let keeper = Keeper()
        try context.performAndWait { for guest in try $0.fetch(FetchRequest<Guest>()) { keeper.keep(guest) } }

        let count = Mutex(0)
        Farewell.said.withLock { said in
            said = {
                let stored = context.performAndWait { try? $0.count(FetchRequest<Guest>()) }
                if stored == 3000 { count.withLock { $0 += 1 } }
            }
        }
        defer { Farewell.said.withLock { $0 = nil } }
        context.performAndWait { _ in keeper.release() }
        // Each looks through 2,048 of the table's slots, of which there are at most six for an object.
        for _ in 1...10 { context.performAndWait { _ in } }
        #expect(count.withLock { $0 } == 3000)
    }

    @Test("finds the objects that somebody uses, while those that were read with them go")
    func finding() throws {
        let stack = try StoreKind.inMemory.stack(try ManagedObjectModel(records: [Guest.self]))
        let ids = try stack.background.performAndWait { context in
            let guests = try (1...10).map { number in
                try context.insert(Guest.self) { Guest(id: $0, name: "G\(number)") }
            }
            try context.save()
            return guests.map(\.id)
        }
        let context = stack.container.newBackgroundContext()
        let (keeper, found) = (Keeper(), Keeper())
        let used = [ids[0], ids[4], ids[9]]
        defer { Farewell.said.withLock { $0 = nil } }
        try context.performAndWait { confined in
            let guests = try confined.fetch(FetchRequest<Guest>())
            Farewell.said.withLock { said in
                said = {
                    context.performAndWait { confined in
                        for id in used {
                            guard let object = try? confined.existingObject(with: id, of: Guest.self) else { continue }
                            found.keep(object)
                        }
                    }
                }
            }
            // Of those that go, some were read before each of them, and some after.
            for place in [0, 4, 9] { keeper.keep(guests[place]) }
        }
        #expect(keeper.kept.map(\.rawID) == used.map(\.rawValue))
        #expect(found.kept.count == 7 * 3)
        for (index, object) in found.kept.enumerated() { #expect(object === keeper.kept[index % 3]) }
    }
}
