import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

/// Units of work that are repeated because another writer committed meanwhile.
@Suite("Retried transactions")
struct RetryTests {
    /// A clock that advances only when a task waits for it.
    ///
    /// It records the duration of each wait.
    final class TestClock: Clock {
        struct Instant: InstantProtocol {
            var offset: Duration = .zero
            func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
            func duration(to other: Instant) -> Duration { other.offset - offset }
            static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
        }

        let waits = Guarded<[Duration]>([])
        /// The work that runs during each wait.
        let meanwhile: @Sendable () async throws -> Void

        init(_ meanwhile: @escaping @Sendable () async throws -> Void = {}) { self.meanwhile = meanwhile }

        var now: Instant { Instant(offset: waits.withLock { $0.reduce(.zero, +) }) }
        var minimumResolution: Duration { .nanoseconds(1) }

        func sleep(until deadline: Instant, tolerance: Duration?) async throws {
            try Task.checkCancellation()
            let wait = now.duration(to: deadline)
            waits.withLock { $0.append(wait) }
            try await meanwhile()
        }
    }

    /// Returns a closure that increments a counter through another writer, a limited number of times.
    private func rival(_ stack: TestStack, _ id: TeamID, times: Int) -> @Sendable () throws -> Void {
        let left = Guarded(times)
        return {
            guard
                left.withLock({ left in
                    defer { left -= 1 }
                    return left > 0
                })
            else { return }
            try stack.container.newBackgroundContext(name: "rival").performTransactionAndWait { context in
                try context.existingObject(with: id, of: Team.self).points += 100
            }
        }
    }

    @Test(
        "a transaction with a conflict is retried, and each retry reads its objects again",
        arguments: StoreKind.allCases)
    func conflict(_ kind: StoreKind) async throws {
        let stack = try kind.league()
        let reds = try stack.team("Reds")
        // Only the main context may wait for another context in its closure.
        let context = stack.container.mainContext
        let clock = TestClock()
        let interfere = rival(stack, reds.id, times: 3)
        let seen = Guarded<[Int]>([])
        let points = try await context.performTransaction(retrying: 3, mergePolicy: .error, clock: clock) { context in
            let team = try context.existingObject(with: reds.id, of: Team.self)
            seen.withLock { $0.append(team.points) }
            try interfere()
            team.points += 1
            return team.points
        }
        #expect(points == 301)
        #expect(seen.withLock { $0 } == [0, 100, 200, 300])
        #expect(try stack.stored(Team.self).map(\.points) == [301])
        let waits = clock.waits.withLock { $0 }
        #expect(waits.count == 3)
        for (wait, most) in zip(waits, [10, 20, 40]) { #expect(wait >= .zero && wait <= .milliseconds(most)) }
    }

    @Test(
        "the first attempt of a transaction uses the context's objects, and later attempts read them again",
        arguments: StoreKind.allCases)
    func first(_ kind: StoreKind) async throws {
        let stack = try kind.league()
        let reds = try stack.team("Reds")
        let context = stack.container.newBackgroundContext()
        let keeper = Keeper()
        try await context.perform { keeper.keep(try $0.existingObject(with: reds.id, of: Team.self)) }
        try rival(stack, reds.id, times: 1)()
        let seen = Guarded<[Int]>([])
        try await context.performTransaction(retrying: 1, mergePolicy: .error, clock: TestClock()) { context in
            let team = try context.existingObject(with: reds.id, of: Team.self)
            seen.withLock { $0.append(team.points) }
            team.points += 1
        }
        #expect(seen.withLock { $0 } == [0, 100])
        #expect(try stack.stored(Team.self).map(\.points) == [101])
        await context.perform { _ in keeper.release() }
    }

    @Test(
        "a transaction is retried a limited number of times, and then throws the last error",
        arguments: StoreKind.allCases)
    func exhausted(_ kind: StoreKind) async throws {
        let stack = try kind.league()
        let reds = try stack.team("Reds")
        // Only the main context may wait for another context in its closure.
        let context = stack.container.mainContext
        let interfere = rival(stack, reds.id, times: .max)
        let attempts = Guarded(0)
        let error = await #expect(throws: PersistenceError.self) {
            try await context.performTransaction(retrying: 2, mergePolicy: .error, clock: TestClock()) { context in
                attempts.withLock { $0 += 1 }
                let team = try context.existingObject(with: reds.id, of: Team.self)
                try interfere()
                team.motto = "mine"
            }
        }
        #expect(error?.code == .conflict)
        #expect(attempts.withLock { $0 } == 3)
        #expect(try stack.stored(Team.self).map(\.points) == [300])
        #expect(!(await context.perform { $0.hasChanges }))
    }

    @Test("a transaction is retried if the store is busy", arguments: StoreKind.allCases)
    func busy(_ kind: StoreKind) async throws {
        let folder = try TemporaryFolder()
        let store = HookedStore(try kind.open(try League.model(), in: folder))
        store.beforeSave.withLock { hook in
            hook = { _, saves in if saves < 2 { throw PersistenceError(.locked, "another process writes") } }
        }
        let container = try PersistentContainer(
            model: store.model, .custom("hooked") { _ in store }, mainQueue: .private)
        let clock = TestClock()
        let id = try await container.backgroundContext.performTransaction(retrying: 5, clock: clock) { context in
            try context.insert(Team.self) { Team(id: $0, name: "Reds") }.id
        }
        #expect(clock.waits.withLock { $0.count } == 2)
        let stored = try await container.backgroundContext.perform { try $0.fetchIdentifiers(FetchRequest<Team>()) }
        #expect(stored == [id])
    }

    // mine                        | while it waits               | store
    // ----------------------------|------------------------------|-----------
    // reads 0, is too late        |                              | 100 points
    //                             | 7 points, without a save     |
    //                             | a rival adds 100, and saves  | 200 points
    // throws, as 7 is not its own |                              |
    // 7 is saved                  |                              | a conflict
    @Test(
        "a transaction throws instead of retrying if another task has changed the context meanwhile",
        arguments: StoreKind.allCases)
    func pendingMeanwhile(_ kind: StoreKind) async throws {
        let stack = try kind.league()
        let reds = try stack.team("Reds")
        // Only the main context may wait for another context in its closure.
        let context = stack.container.mainContext
        let interfere = rival(stack, reds.id, times: 2)
        let clock = TestClock {
            try await context.perform { try $0.existingObject(with: reds.id, of: Team.self).points = 7 }
            try interfere()
        }
        let error = await #expect(throws: PersistenceError.self) {
            try await context.performTransaction(retrying: 3, mergePolicy: .error, clock: clock) { context in
                let team = try context.existingObject(with: reds.id, of: Team.self)
                try interfere()
                team.motto = "mine"
            }
        }
        #expect(error?.code == .pendingChanges)
        let late = await #expect(throws: PersistenceError.self) {
            try await context.perform { _ = try $0.save(mergePolicy: .error) }
        }
        #expect(late?.code == .conflict)
        #expect(try stack.stored(Team.self).map(\.points) == [200])
    }

    static let finalCodes: [PersistenceError.Code] = [
        .uniqueness, .validation, .unknownOutcome, .diskFull, .danglingReference,
    ]

    @Test(
        "a transaction with a validation error or the caller's own error is not retried", arguments: StoreKind.allCases)
    func others(_ kind: StoreKind) async throws {
        let stack = try kind.league()
        let attempts = Guarded(0)
        let error = await #expect(throws: PersistenceError.self) {
            try await stack.background.performTransaction(retrying: 5, clock: TestClock()) { context in
                attempts.withLock { $0 += 1 }
                try context.insert(Team.self) { Team(id: $0, name: "") }
            }
        }
        #expect(error?.code == .validation)
        await #expect(throws: TransactionTests.Refusal.self) {
            try await stack.background.performTransaction(retrying: 5, clock: TestClock()) { _ in
                attempts.withLock { $0 += 1 }
                throw TransactionTests.Refusal()
            }
        }
        #expect(attempts.withLock { $0 } == 2)
    }

    @Test("a transaction is not retried after a store error that no other writer caused", arguments: finalCodes)
    func othersOfStore(_ code: PersistenceError.Code) async throws {
        let store = HookedStore(try StoreKind.inMemory.open(try League.model(), in: try TemporaryFolder()))
        store.beforeSave.withLock { hook in hook = { _, _ in throw PersistenceError(code, "asked for") } }
        let container = try PersistentContainer(
            model: store.model, .custom("hooked") { _ in store }, mainQueue: .private)
        let clock = TestClock()
        let error = await #expect(throws: PersistenceError.self) {
            try await container.backgroundContext.performTransaction(retrying: 5, clock: clock) { context in
                _ = try context.insert(Team.self) { Team(id: $0, name: "Reds") }
            }
        }
        #expect(error?.code == code)
        #expect(clock.waits.withLock { $0 }.isEmpty)
    }

    @Test("a transaction of a canceled task is not retried", arguments: StoreKind.allCases)
    func cancelled(_ kind: StoreKind) async throws {
        let stack = try kind.league()
        let reds = try stack.team("Reds")
        // Only the main context may wait for another context in its closure.
        let context = stack.container.mainContext
        let interfere = rival(stack, reds.id, times: .max)
        let attempts = Guarded(0)
        let task = Task {
            try await context.performTransaction(retrying: 1000, mergePolicy: .error, clock: TestClock()) { context in
                let team = try context.existingObject(with: reds.id, of: Team.self)
                try interfere()
                team.motto = "mine"
                if attempts.withLock({
                    $0 += 1
                    return $0
                }) == 5 {
                    withUnsafeCurrentTask { $0?.cancel() }
                }
            }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(attempts.withLock { $0 } == 5)
    }

    @Test(
        "concurrent tasks that increment a counter in retried units of work lose no update",
        arguments: StoreKind.allCases)
    func counting(_ kind: StoreKind) async throws {
        let stack = try kind.league()
        let reds = try stack.team("Reds")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...4 {
                let records: any RecordContext = stack.container.newBackgroundContext(name: "task \(number)")
                group.addTask {
                    for _ in 1...40 {
                        try await records.transaction(retrying: 10_000, clock: TestClock()) { unit in
                            try unit.update(Team.self, id: reds.id) { $0.points += 1 }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try stack.stored(Team.self).map(\.points) == [160])
    }
}
