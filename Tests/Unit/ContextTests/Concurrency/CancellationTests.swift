import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

/// A cancellation before, during or after a save, a fetch or a stream leaves the store in the state before or after the
/// operation.
@Suite("Cancellation")
struct CancellationTests {
    private static let count = 2000

    @Test(
        "a save in a canceled task throws and writes nothing, and the context can save later",
        arguments: StoreKind.allCases)
    func beforeSave(_ kind: StoreKind) async throws {
        let stack = try kind.league()
        let context = stack.container.newBackgroundContext()
        let error = await cancelled {
            try await context.perform { context in
                try context.insert(Team.self) { Team(id: $0, name: "Reds") }
                try context.save()
            }
        }
        #expect(error is CancellationError)
        #expect(try stack.stored(Team.self).isEmpty)
        try await context.perform { try $0.save() }
        #expect(try stack.stored(Team.self).count == 1)
    }

    @Test("a save whose task is canceled meanwhile stores all of its changes or none", arguments: StoreKind.allCases)
    func duringSave(_ kind: StoreKind) async throws {
        let stack = try kind.league()
        for round in 0..<20 {
            let context = stack.container.newBackgroundContext()
            let before = try stack.stored(Team.self).count
            let task = Task {
                try await context.perform { context in
                    for number in 0..<100 { try context.insert(Team.self) { Team(id: $0, name: "\(round) \(number)") } }
                    try context.save()
                }
            }
            for _ in 0..<round { await Task.yield() }
            task.cancel()
            let result = await task.result
            let after = try stack.stored(Team.self).count
            switch result {
            case .success: #expect(after == before + 100)
            case .failure(let error):
                #expect(error is CancellationError)
                #expect(after == before)
            }
        }
        try expectIdle(stack)
    }

    @Test("a cancellation after a save does not affect the saved data", arguments: StoreKind.allCases)
    func afterSave(_ kind: StoreKind) async throws {
        let stack = try kind.league()
        let context = stack.container.newBackgroundContext()
        let task = Task {
            try await context.perform { context in
                try context.insert(Team.self) { Team(id: $0, name: "Reds") }
                try context.save()
            }
        }
        _ = try await task.value
        task.cancel()
        #expect(try stack.stored(Team.self).count == 1)
    }

    private static let fetches: [@Sendable (ConfinedContext) throws -> Int] = [
        { try $0.fetch(FetchRequest<Team>()).count }, { try $0.fetchRecords(FetchRequest<Team>()).count },
        { try $0.fetchIdentifiers(FetchRequest<Team>()).count },
    ]

    @Test("a fetch in a canceled task throws, and no statement stays busy", arguments: StoreKind.allCases)
    func beforeFetch(_ kind: StoreKind) async throws {
        let stack = try kind.league()
        try fill(stack)
        let context = stack.container.newBackgroundContext()
        for fetch in Self.fetches {
            let error = await cancelled { _ = try await context.perform(fetch) }
            #expect(error is CancellationError)
            #expect(try await context.perform(fetch) == Self.count)
        }
        try expectIdle(stack)
    }

    @Test("a fetch whose task is canceled meanwhile throws, and no statement stays busy", arguments: StoreKind.allCases)
    func duringFetch(_ kind: StoreKind) async throws {
        let (stack, store) = try kind.hooked(try League.model())
        try fill(stack)
        let context = stack.container.newBackgroundContext()
        let rows = Guarded(0)
        for fetch in Self.fetches {
            store.beforeRow.withLock { hook in
                hook = { number in
                    rows.withLock { $0 = number }
                    if number == Self.count / 2 { withUnsafeCurrentTask { $0?.cancel() } }
                }
            }
            let result = await Task { try await context.perform(fetch) }.result
            guard case .failure(let error) = result else {
                Issue.record("a cancelled fetch went on to its end")
                continue
            }
            #expect(error is CancellationError)
            #expect(rows.withLock { Self.count / 2..<Self.count ~= $0 })
            store.beforeRow.withLock { $0 = nil }
            #expect(try await context.perform(fetch) == Self.count)
        }
        try expectIdle(stack)
        #expect(try FileManager.default.contentsOfDirectory(atPath: stack.folder.url.path).count < 2)
    }

    @Test(
        "a cancellation after a fetch keeps the objects, and a later save writes their changes",
        arguments: StoreKind.allCases)
    func afterFetch(_ kind: StoreKind) async throws {
        let stack = try kind.league()
        try stack.team("Reds")
        let context = stack.container.newBackgroundContext()
        let task = Task {
            try await context.perform { context in
                let team = try #require(try context.fetch(FetchRequest<Team>()).first)
                withUnsafeCurrentTask { $0?.cancel() }
                team.points = 3
                for read in [{ _ = try context.count(FetchRequest<Team>()) }, { _ = try context.save() }] {
                    #expect(throws: CancellationError.self, performing: read)
                }
            }
        }
        try await task.value
        #expect(try stack.stored(Team.self).map(\.points) == [0])
        try await context.perform { try $0.save() }
        #expect(try stack.stored(Team.self).map(\.points) == [3])
    }

    @Test("a stream that is canceled, abandoned or never read holds no connection", arguments: StoreKind.allCases)
    func stream(_ kind: StoreKind) async throws {
        let stack = try kind.league()
        try fill(stack)
        for limit in [0, 1, 300] {
            let task = Task {
                var count = 0
                for try await _ in stack.background.stream(FetchRequest<Team>()) {
                    count += 1
                    if count == limit { withUnsafeCurrentTask { $0?.cancel() } }
                }
                return count
            }
            if limit == 0 { task.cancel() }
            // A canceled stream ends with or without an error, and does not return all rows.
            if let count = try? await task.value { #expect(count < Self.count) }
        }
        do {
            var iterator = stack.background.stream(FetchRequest<Team>()).makeAsyncIterator()
            _ = try await iterator.next()
        }
        try expectIdle(stack)
    }

    private func fill(_ stack: TestStack) throws {
        try stack.background.performAndWait { context in
            for number in 0..<Self.count { try context.insert(Team.self) { Team(id: $0, name: "\(number)") } }
            try context.save()
        }
    }

    /// Returns the error that `body` throws in a task that is canceled before it begins.
    private func cancelled(_ body: @escaping @Sendable () async throws -> Void) async -> (any Error)? {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await body()
        }
        if case .failure(let error) = await task.result { return error }
        return nil
    }

    /// Expects that the store can be written, read and closed, and that it leaves no log.
    ///
    /// A store with an open transaction or a busy statement cannot.
    private func expectIdle(_ stack: TestStack) throws {
        try stack.team("last")
        try stack.container.close()
        if let url = (stack.container.coordinator.store as? SQLiteStore)?.url {
            let files = try FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)
            #expect(files == [url.lastPathComponent])
        }
    }
}
