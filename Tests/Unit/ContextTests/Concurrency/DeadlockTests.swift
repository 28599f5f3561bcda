import Dispatch
import Foundation
import PersistenceTestSupport
import StrataTesting
import Testing

@testable import StrataCore
@testable import StrataInMemory
@testable import StrataPersistence
@testable import StrataSQLite
@testable import StrataStoreKit

/// Deadlocks cannot occur through the public interface: a wait either succeeds or ends the program with a message that
/// names both contexts.
@Suite("Deadlocks")
struct DeadlockTests {
    @Test("a nested performAndWait on the same context runs at once on the same thread", arguments: StoreKind.allCases)
    func nested(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let context = stack.container.newBackgroundContext()
        let names: [String] = try context.performAndWait { outer in
            try outer.insert(Team.self) { Team(id: $0, name: "Reds") }
            return try context.performAndWait { inner in
                try context.performAndWait { _ = try $0.insert(Team.self) { Team(id: $0, name: "Blues") } }
                return try inner.fetch(FetchRequest<Team>()).map(\.name)
            }
        }
        #expect(names == ["Reds", "Blues"])
    }

    @Test(
        "contexts with a common ancestor may wait for each other in any order without a deadlock",
        arguments: StoreKind.allCases)
    func tree(_ kind: StoreKind) async throws {
        let stack = try kind.league()
        let root = stack.container.newBackgroundContext(name: "root")
        let children = (0..<4).map { root.newChildContext(name: "child \($0)") }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for round in 0..<40 {
                group.addTask {
                    let (one, other) = (children[round % 4], children[(round + 1) % 4])
                    try await one.perform { context in
                        try context.insert(Team.self) { Team(id: $0, name: "T\(round)") }
                        try root.performAndWait { _ in
                            _ = try other.performAndWait { try $0.count(FetchRequest<Team>()) }
                        }
                        try context.save()
                    }
                    try await root.perform { try $0.save() }
                }
            }
            try await group.waitForAll()
        }
        #expect(try stack.stored(Team.self).count == 40)
    }

    @Test(
        "a child of the main context may wait for a child of a background context",
        arguments: StoreKind.allCases)
    func mainWaits(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let child = stack.container.mainContext.newChildContext()
        let other = stack.background.newChildContext()
        let count = try child.performAndWait { _ in
            try other.performAndWait { try $0.count(FetchRequest<Team>()) }
        }
        #expect(count == 0)
    }

    @Test(
        "a blocked main context does not block saves of other contexts, and merges them all later",
        arguments: StoreKind.allCases)
    func stoppedMainQueue(_ kind: StoreKind) async throws {
        let stack = try kind.league()
        let id = try stack.team("Reds").id
        let main = stack.container.mainContext
        let keeper = Keeper()
        try await main.perform { keeper.keep(try $0.existingObject(with: id, of: Team.self)) }
        let (isBlocked, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let blocker = Thread {
            main.performAndWait { _ in
                isBlocked.signal()
                mayGoOn.wait()
            }
        }
        blocker.start()
        try await Self.saveOften(stack, id, after: isBlocked)
        mayGoOn.signal()
        #expect(await main.perform { $0.registeredObject(for: id, of: Team.self)?.points } == 500)
        await main.perform { _ in keeper.release() }
    }

    private static func saveOften(_ stack: TestStack, _ id: TeamID, after signal: DispatchSemaphore) async throws {
        let background = stack.background
        try await background.perform { context in
            signal.wait()
            for points in 1...500 {
                try context.existingObject(with: id, of: Team.self).points = points
                try context.save()
            }
        }
    }

    @Test("notices for a context whose queue is blocked are combined into one notice of bounded size")
    func pendingMerge() throws {
        let pendingMerge = PendingMerge(isOpen: true)
        var reports = 0
        for id in 1...10_001 {
            var changes = SavedChanges()
            changes.updated = ["Team": [Int64(id)]]
            if pendingMerge.add(MergeNotice(StoreChange(changes, origin: .batch))) { reports += 1 }
        }
        #expect(reports == 1)
        let notice = try #require(pendingMerge.take())
        guard case .everything = notice.touched("Team") else {
            Issue.record("10,001 identifiers were kept")
            return
        }
    }

    @Test("a child of a background context that waits for the main context ends the program")
    func childWaits() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let container = try PersistentContainer.inMemory(model: try League.model())
            let main = container.mainContext
            let child = container.newBackgroundContext(name: "import").newChildContext(name: "rows")
            child.performAndWait { _ in main.performAndWait { _ in } }
        }
        expectTrap(result, "performAndWait on “main” from inside “import” could deadlock")
    }

    @Test("a background context that waits for a child of another background context ends the program")
    func waitsForChild() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let container = try PersistentContainer.inMemory(model: try League.model())
            let child = container.newBackgroundContext(name: "import").newChildContext(name: "rows")
            container.newBackgroundContext(name: "export").performAndWait { _ in child.performAndWait { _ in } }
        }
        expectTrap(result, "performAndWait on “rows” from inside “export” could deadlock")
    }

    @Test("a context that waits for a context of another container ends the program")
    func containers() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let first = try PersistentContainer.inMemory(model: try League.model())
            let second = try PersistentContainer.inMemory(model: try League.model())
            let (one, other) = (first.newBackgroundContext(name: "one"), second.newBackgroundContext(name: "other"))
            one.performAndWait { _ in other.performAndWait { _ in } }
        }
        expectTrap(result, "performAndWait on “other” from inside “one” could deadlock")
    }

    private func expectTrap(
        _ result: ExitTest.Result?, _ message: String, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains(message), sourceLocation: sourceLocation)
    }
}
