import Dispatch
import StrataCore

/// Receives the parts of a file from several threads, and writes them in order.
///
/// The thread with the next part never waits, so that all threads make progress. A part that is finished too early is
/// kept in memory. A thread that would start a part too far ahead waits. Therefore only a few parts are in memory.
final class OrderedOutput: Sendable {
    // SAFETY: used only under the lock.
    private struct State: @unchecked Sendable {
        let output: ByteOutput
        /// The number of the part that is written next.
        var next = 0
        /// Finished parts that wait for earlier parts.
        var done: [Int: OutputChunk] = [:]
        var spare: [OutputChunk] = []
        var skip: Int
        var failure: (any Error)?
        /// The semaphores of the waiting threads; with one shared semaphore, the wrong thread could take a signal.
        var waiting: [DispatchSemaphore] = []
    }

    private let state: Guarded<State>
    private let mostAhead: Int

    /// Creates an ordered output that writes parts to an output and drops the first bytes of the whole.
    init(_ output: ByteOutput, skipping skip: Int, mostAhead: Int) {
        state = Guarded(State(output: output, skip: skip))
        self.mostAhead = mostAhead
    }

    /// The first error.
    var failure: (any Error)? { state.withLock { $0.failure } }

    /// Stores the first error, and wakes all waiting threads, which then stop.
    func fail(_ error: any Error) {
        change { state in
            if state.failure == nil { state.failure = error }
        }
    }

    /// Waits until a part may begin; returns `nil` after an error.
    func begin(_ part: Int) -> OutputChunk? {
        wait { [mostAhead] state in
            state.next + mostAhead > part
        } then: { state in
            state.spare.popLast() ?? OutputChunk()
        }
    }

    /// Writes the finished bytes of an unfinished part after all earlier parts; returns `false` after an error.
    func write(_ chunk: OutputChunk, of part: Int) -> Bool {
        wait { state in
            state.next == part
        } then: { state in
            Self.write(chunk, &state)
        } != nil
    }

    /// Receives a finished part.
    func finish(_ chunk: OutputChunk, of part: Int) {
        change { state in
            state.done[part] = chunk
            while state.failure == nil, let chunk = state.done.removeValue(forKey: state.next) {
                Self.write(chunk, &state)
                state.spare.append(chunk)
                state.next += 1
            }
        }
    }

    private static func write(_ chunk: OutputChunk, _ state: inout State) {
        let bytes = chunk.buffer.bytes
        let skipped = min(state.skip, bytes.count)
        state.skip -= skipped
        do throws(InterchangeError) {
            try state.output.append(UnsafeBufferPointer(rebasing: bytes[skipped...]))
        } catch {
            if state.failure == nil { state.failure = error }
        }
        chunk.buffer.truncate(to: 0)
    }

    /// Changes the state, and wakes all waiting threads to check it.
    private func change(_ body: (inout State) -> Void) {
        let waiting = state.withLock { state in
            body(&state)
            defer { state.waiting = [] }
            return state.waiting
        }
        for signal in waiting { signal.signal() }
    }

    private func wait<Result: Sendable>(
        until isReady: (State) -> Bool, then body: (inout State) -> Result
    ) -> Result? {
        let signal = DispatchSemaphore(value: 0)
        while true {
            let (result, isOver) = state.withLock { state -> (Result?, Bool) in
                if state.failure != nil { return (nil, true) }
                if isReady(state) { return (body(&state), true) }
                state.waiting.append(signal)
                return (nil, false)
            }
            if isOver { return result }
            signal.wait()
        }
    }
}
