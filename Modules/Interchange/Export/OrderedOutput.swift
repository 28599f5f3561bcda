import Dispatch
import StrataCore
import StrataStoreKit

/// An output that receives numbered parts of a file from several threads and writes them in order.
///
/// A part that is finished before earlier parts is stored in memory. A thread that would begin a part too far ahead
/// waits, so that only a few parts are in memory. The thread with the next part to be written never waits.
///
/// Each thread repeats these calls: ``begin(_:)`` for a new part, any number of ``write(_:of:)`` for a long part, and
/// ``finish(_:of:)``. A thread must take parts in ascending order. After the first error, all calls return without
/// result, and the threads end.
final class OrderedOutput: Sendable {
    // SAFETY: used only under the lock.
    private struct State: @unchecked Sendable {
        let output: ByteOutput
        /// The number of the next part to be written.
        var next = 0
        /// The finished parts that are not written yet, by number.
        var done: [Int: OutputChunk] = [:]
        var spare: [OutputChunk] = []
        var skip: Int
        var failure: (any Error)?
        /// The semaphores of the threads that wait to begin a part, one for each thread.
        ///
        /// If the threads shared one semaphore, another thread than the intended one could continue.
        var waiting: [DispatchSemaphore] = []
    }

    private let state: Guarded<State>
    private let mostAhead: Int

    /// Creates an ordered output that writes the parts to an output without the first `skip` bytes of the first part.
    init(_ output: ByteOutput, skipping skip: Int, mostAhead: Int) {
        state = Guarded(State(output: output, skip: skip))
        self.mostAhead = mostAhead
    }

    /// The first error of a thread; `nil` if there was no error.
    var failure: (any Error)? { state.withLock { $0.failure } }

    /// Stores an error if it is the first one, and wakes all waiting threads, which then stop.
    func fail(_ error: any Error) {
        change { state in
            if state.failure == nil { state.failure = error }
        }
    }

    /// Waits until a thread may begin a part; returns `nil` if an error occurred.
    func begin(_ part: Int) -> OutputChunk? {
        wait { [mostAhead] state in
            state.next + mostAhead > part
        } then: { state in
            state.spare.popLast() ?? OutputChunk()
        }
    }

    /// Waits for all earlier parts and writes the finished bytes of an unfinished part; returns `false` if an error
    /// occurred.
    ///
    /// A thread with a long part writes its beginning early, so that the memory is bounded. The chunk is empty
    /// afterwards.
    func write(_ chunk: OutputChunk, of part: Int) -> Bool {
        wait { state in
            state.next == part
        } then: { state in
            Self.write(chunk, &state)
        } != nil
    }

    /// Receives a finished part, and writes it after all earlier parts.
    ///
    /// The chunk is reused for another part.
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

    /// Changes the state under a lock, and wakes all waiting threads, which check the state again.
    private func change(_ body: (inout State) -> Void) {
        let waiting = state.withLock { state in
            body(&state)
            defer { state.waiting = [] }
            return state.waiting
        }
        for signal in waiting { signal.signal() }
    }

    /// Waits until a condition is true, and then changes the state in the same critical section; returns `nil` after an
    /// error.
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
