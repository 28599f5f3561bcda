import Foundation
import StrataTesting
import Testing

@testable import StrataPersistence

/// Updates of one object go one after the other.
@Suite("Turns of updates")
struct RowLockQueueTests {
    /// The queue, and who has had a turn.
    private final class Turns: Sendable {
        let queue = RowLockQueue()
        let names = Guarded<[String]>([])

        func note(_ name: String) { names.withLock { $0.append(name) } }
    }

    /// Takes turns on a thread of its own: what waits there keeps no other task waiting.
    private actor Taker {
        private let executor = QueueExecutor(name: "taker")
        private let turns: Turns
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

        init(_ turns: Turns) { self.turns = turns }

        /// Has a turn.
        ///
        /// - Parameters:
        ///   - entity: Of whose object.
        ///   - id: Of which.
        ///   - name: Who it is.
        ///   - willWait: Called when it waits for its turn, or has had it: then the actor is free for another task.
        func take(_ entity: String, _ id: Int64, _ name: String, willWait: @escaping @Sendable () -> Void = {}) async {
            // On this actor, because it is asked: it comes to that when it waits for its turn, or has had it.
            Task { self.call(willWait) }
            await turns.queue.whenFree(entity, id: id) { turns.note(name) }
        }

        private func call(_ body: @Sendable () -> Void) { body() }

        /// Has the first turn until others have had, or tried to have, theirs.
        func hold(until others: @Sendable () -> Void) async {
            await turns.queue.whenFree("A", id: 1) {
                others()
                turns.note("first")
            }
        }
    }

    @Test("who comes while somebody has an object waits, and who wants another does not")
    func turns() async {
        let turns = Turns()
        await Taker(turns).hold {
            let isGoingOn = DispatchSemaphore(value: 0)
            Task.detached {
                await Taker(turns).take("A", 2, "other")
                await Taker(turns).take("B", 1, "another")
                isGoingOn.signal()
            }
            isGoingOn.wait()
            Task.detached { await Taker(turns).take("A", 1, "second") { isGoingOn.signal() } }
            isGoingOn.wait()
        }
        await turns.queue.whenFree("A", id: 1) { turns.note("third") }
        #expect(turns.names.withLock { $0 } == ["other", "another", "first", "second", "third"])
    }
}
