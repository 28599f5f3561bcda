import Foundation
import StrataStoreKit
import StrataTesting
import Testing

@testable import StrataPersistence

/// A queue that runs updates of one object one after the other.
@Suite("Row lock queue")
struct RowLockQueueTests {
    /// The queue and the callers that have had a turn.
    private final class Turns: Sendable {
        let queue = RowLockQueue()
        let names = Guarded<[String]>([])

        func note(_ name: String) { names.withLock { $0.append(name) } }
    }

    /// Waits for turns on its own thread, so that it blocks no other task.
    private actor Claimant {
        private let executor = QueueExecutor(name: "claimant")
        private let turns: Turns
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

        init(_ turns: Turns) { self.turns = turns }

        /// Takes a turn.
        ///
        /// - Parameters:
        ///   - entity: The name of the object's entity.
        ///   - id: The object's identifier.
        ///   - name: The caller's name.
        ///   - willWait: Called when the caller waits for its turn or has had it; the actor is then free for another
        ///     task.
        func take(_ entity: String, _ id: Int64, _ name: String, willWait: @escaping @Sendable () -> Void = {}) async {
            // This runs on the actor, so it runs only after the caller waits for its turn or has had it.
            Task { self.call(willWait) }
            await turns.queue.whenFree(entity, id: id) { turns.note(name) }
        }

        private func call(_ body: @Sendable () -> Void) { body() }

        /// Takes the first turn and holds it until the others have had their turns or wait for them.
        func hold(until others: @Sendable () -> Void) async {
            await turns.queue.whenFree("A", id: 1) {
                others()
                turns.note("first")
            }
        }
    }

    @Test("updates of one object run one after the other, and updates of other objects do not wait")
    func turns() async {
        let turns = Turns()
        await Claimant(turns).hold {
            let isGoingOn = DispatchSemaphore(value: 0)
            Task.detached {
                await Claimant(turns).take("A", 2, "other")
                await Claimant(turns).take("B", 1, "another")
                isGoingOn.signal()
            }
            isGoingOn.wait()
            Task.detached { await Claimant(turns).take("A", 1, "second") { isGoingOn.signal() } }
            isGoingOn.wait()
        }
        await turns.queue.whenFree("A", id: 1) { turns.note("third") }
        #expect(turns.names.withLock { $0 } == ["other", "another", "first", "second", "third"])
    }
}
