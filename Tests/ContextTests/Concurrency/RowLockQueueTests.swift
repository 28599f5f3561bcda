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

        func take(_ entity: String, _ id: Int64, _ name: String) async {
            await queue.whenFree(entity, id: id) { names.withLock { $0.append(name) } }
        }
    }

    /// Has a thread of its own: what waits on it keeps no other task waiting.
    private actor Holder {
        private let executor = QueueExecutor(name: "holder")
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

        /// Has the first turn until others have had theirs, and one waits.
        func hold(_ turns: Turns) async {
            await turns.queue.whenFree("A", id: 1) {
                Task.detached { await turns.take("A", 1, "second") }
                let isOtherDone = DispatchSemaphore(value: 0)
                Task.detached {
                    await turns.take("A", 2, "other")
                    await turns.take("B", 1, "another")
                    isOtherDone.signal()
                }
                isOtherDone.wait()
                while turns.queue.waiterCount("A", id: 1) == 0, turns.names.withLock({ !$0.contains("second") }) {}
                turns.names.withLock { $0.append("first") }
            }
        }
    }

    @Test("who comes while somebody has an object waits, and who wants another does not")
    func turns() async {
        let turns = Turns()
        await Holder().hold(turns)
        await turns.take("A", 1, "third")
        #expect(turns.names.withLock { $0 } == ["other", "another", "first", "second", "third"])
        #expect(turns.queue.waiterCount("A", id: 1) == 0)
    }
}
