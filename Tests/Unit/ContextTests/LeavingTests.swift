import PersistenceTestSupport
import StrataPersistence
import StrataTesting
import Synchronization
import Testing

/// Objects whose records run code when they are released.
@Suite("The release of objects", .serialized)
struct LeavingTests {
    /// A record with a value that runs code when it is released.
    struct Guest: PersistentRecord {
        let id: LibraryID
        var name: String
        /// The value is not stored.
        var farewell: Farewell?

        static let entity = RecordEntity<Guest>("Guest", id: \.id, [.attribute("name", \.name)]) { row in
            Guest(id: try row.id(), name: try row.next(), farewell: Farewell())
        }
    }

    final class Farewell: Sendable {
        /// The code that runs when a value is released; the tests run one at a time.
        static let said = Mutex<(@Sendable () -> Void)?>(nil)

        deinit { Self.said.withLock { $0 }?() }
    }

    @Test("a deinitializer may run work in a context that has finished its own work")
    func working() throws {
        let (stack, _) = try Self.guests(3000)
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
        // Each pass examines 2,048 of the table's slots, of which there are at most six for an object.
        for _ in 1...10 { context.performAndWait { _ in } }
        #expect(count.withLock { $0 } == 3000)
    }

    @Test("a deinitializer finds the retained objects of a read while the other objects of the read are released")
    func finding() throws {
        let (stack, ids) = try Self.guests(10)
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
            // Of the released objects, some were read before each of these and some after.
            for place in [0, 4, 9] { keeper.keep(guests[place]) }
        }
        #expect(keeper.kept.map(\.rawID) == used.map(\.rawValue))
        #expect(found.kept.count == 7 * 3)
        for (index, object) in found.kept.enumerated() { #expect(object === keeper.kept[index % 3]) }
    }

    @Test("a deinitializer may reset the context, which detaches the other objects of the same read")
    func resetting() throws {
        let (stack, _) = try Self.guests(10)
        let context = stack.container.newBackgroundContext()
        let keeper = Keeper()
        let resets = Mutex(0)
        defer { Farewell.said.withLock { $0 = nil } }
        try context.performAndWait { confined in
            let guests = try confined.fetch(FetchRequest<Guest>())
            Farewell.said.withLock { said in
                said = {
                    Farewell.said.withLock { $0 = nil }
                    context.performAndWait { $0.reset() }
                    resets.withLock { $0 += 1 }
                }
            }
            // The first released object is between them.
            for place in [1, 8] { keeper.keep(guests[place]) }
            keeper.keep(guests[9])
        }
        #expect(resets.withLock { $0 } == 1)
        #expect(keeper.kept.map(\.state) == [.detached, .detached, .detached])
        try context.performAndWait { confined in
            for object in keeper.kept {
                let id = try #require(LibraryID(rawValue: object.rawID))
                let again = try confined.existingObject(with: id, of: Guest.self)
                #expect(again !== object)
                #expect(again.state == .unchanged)
            }
        }
    }

    @Test("the deinitializer of the last object of a read may fetch, and the context registers the fetched objects")
    func refetching() throws {
        let (stack, ids) = try Self.guests(3)
        let context = stack.container.newBackgroundContext()
        let keeper = Keeper()
        let deletedCount = Mutex(0)
        defer { Farewell.said.withLock { $0 = nil } }
        try context.performAndWait { confined in
            _ = try confined.fetch(FetchRequest<Guest>())
            Farewell.said.withLock { said in
                said = {
                    let count = deletedCount.withLock { count in
                        count += 1
                        return count
                    }
                    guard count == ids.count else { return }
                    context.performAndWait { confined in
                        guard let guests = try? confined.fetch(FetchRequest<Guest>()) else { return }
                        for guest in guests { keeper.keep(guest) }
                    }
                }
            }
        }
        #expect(keeper.kept.map(\.rawID) == ids.map(\.rawValue))
        try context.performAndWait { confined in
            for (id, object) in zip(ids, keeper.kept) {
                let found = try confined.existingObject(with: id, of: Guest.self)
                #expect(found === object)
            }
        }
    }

    /// Returns a stack with a number of guests.
    private static func guests(_ count: Int) throws -> (stack: TestStack, ids: [LibraryID]) {
        let stack = try StoreKind.inMemory.stack(try ManagedObjectModel(records: [Guest.self]))
        let ids = try stack.background.performAndWait { context in
            let guests = try (1...count).map { number in
                try context.insert(Guest.self) { Guest(id: $0, name: "G\(number)") }
            }
            try context.save()
            return guests.map(\.id)
        }
        return (stack, ids)
    }
}
