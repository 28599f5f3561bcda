import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

/// Saves of other contexts that contradict unsaved changes or cannot be read from the store.
@Suite("Merges that fail")
struct UnmergeableTests {
    /// Returns a stack with two shifts from 1 to 5.
    private func shifts(_ kind: StoreKind) throws -> (stack: TestStack, store: HookedStore, ids: [PlayerID]) {
        let (stack, store) = try kind.hooked(Crew.model())
        let ids = try stack.background.performAndWait { context in
            let made = try (1...2).map { _ in try context.insert(Shift.self) { try Shift(id: $0, start: 1, end: 5) } }
            try context.save()
            return made.map(\.id)
        }
        return (stack, store, ids)
    }

    private func change(_ stack: TestStack, _ ids: [PlayerID], end: Int) throws {
        try stack.background.performAndWait { context in
            for id in ids { try context.existingObject(with: id, of: Shift.self).end = end }
            try context.save()
        }
    }

    @Test(
        "an object that cannot be merged keeps its changes, and all other objects are merged",
        arguments: StoreKind.allCases)
    func perObject(_ kind: StoreKind) throws {
        // main          | else             | store
        // reads 1...5   |                  | 1...5, 1...5
        // start = 4     |                  |
        //               | end = 3, both    | 1...3, 1...3
        // sees 4...5 and 1...3; save       | conflict
        let (stack, _, ids) = try shifts(kind)
        let main = stack.container.mainContext
        let keeper = Keeper()
        try main.performAndWait { context in
            for id in ids { keeper.keep(try context.existingObject(with: id, of: Shift.self)) }
            context.registeredObject(for: ids[0], of: Shift.self)?.start = 4
        }
        try change(stack, ids, end: 3)
        try main.performAndWait { context in
            #expect(try context.fetch(FetchRequest<Crew>()).isEmpty)
            let mine = try #require(context.registeredObject(for: ids[0], of: Shift.self))
            let other = try #require(context.registeredObject(for: ids[1], of: Shift.self))
            #expect(mine.start == 4 && mine.end == 5 && mine.hasChanges)
            #expect(other.end == 3)
            let error = try persistenceError { try context.save() }
            #expect("\(error)" == "an object was changed meanwhile:\n  Shift 1: changed here and in the store")
            keeper.release()
        }
    }

    @Test(
        "the object-trump policy reports a conflict if the merged values form no valid record",
        arguments: StoreKind.allCases)
    func objectTrump(_ kind: StoreKind) throws {
        let (stack, _, ids) = try shifts(kind)
        let mine = stack.container.newBackgroundContext(mergePolicy: .mergeByPropertyObjectTrump)
        try mine.performAndWait { try $0.existingObject(with: ids[0], of: Shift.self).start = 4 }
        try change(stack, [ids[0]], end: 3)
        try mine.performAndWait { context in
            let shift = try context.existingObject(with: ids[0], of: Shift.self)
            let error = try persistenceError { try context.save() }
            #expect(error.code == .conflict)
            #expect(
                "\(error)" == """
                    an object was changed meanwhile, and its record type rejects the merged values
                      Shift 1: changed here and in the store
                    """)
            #expect(shift.start == 4 && shift.end == 5)
        }
        #expect(try stack.stored(Shift.self).map(\.end) == [3, 5])
    }

    @Test("an unsaved value that cannot be stored is kept when the context merges", arguments: StoreKind.allCases)
    func unstorable(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let player = try stack.player("Ann")
        let main = stack.container.mainContext
        try main.performAndWait { context in
            try context.existingObject(with: player.id, of: Player.self).salary = Decimal(
                sign: .plus, exponent: 60, significand: 1)
        }
        try stack.background.performAndWait { context in
            try context.existingObject(with: player.id, of: Player.self).name = "Bea"
            try context.save()
        }
        main.performAndWait { context in
            let salary = context.registeredObject(for: player.id, of: Player.self)?.salary
            #expect(salary == Decimal(sign: .plus, exponent: 60, significand: 1))
        }
    }

    @Test(
        "a merge that failed to read rows from the store is repeated before the next work",
        arguments: StoreKind.allCases)
    func again(_ kind: StoreKind) throws {
        let (stack, store, ids) = try shifts(kind)
        let main = stack.container.mainContext
        let keeper = Keeper()
        try main.performAndWait { keeper.keep(try $0.existingObject(with: ids[0], of: Shift.self)) }
        try stack.background.performAndWait { context in
            let shift = try context.existingObject(with: ids[0], of: Shift.self)
            store.fetchFailure.withLock { $0 = PersistenceError(.inputOutput, "the disk is away") }
            shift.end = 9
            try context.save()
        }
        main.performAndWait { context in
            for _ in 1...2 {
                #expect(throws: PersistenceError.self) { try context.fetch(FetchRequest<Shift>()) }
            }
        }
        store.fetchFailure.withLock { $0 = nil }
        #expect(main.performAndWait { $0.registeredObject(for: ids[0], of: Shift.self)?.end } == 9)
        #expect(try main.performAndWait { try $0.count(FetchRequest<Shift>()) } == 2)
        main.performAndWait { _ in keeper.release() }
    }
}
