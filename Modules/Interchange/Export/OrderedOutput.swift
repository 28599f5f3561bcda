import Dispatch
import StrataCore

/// Takes the parts of a file from several threads, and writes them in their order.
///
/// Who makes the part that is next never waits, so that all come to an end. A part that is made too early waits in memory, and who would make
/// one still further ahead waits itself: a few parts are all that is held.
final class OrderedOutput: Sendable {
    // SAFETY: used under the lock only.
    private struct State: @unchecked Sendable {
        let output: ByteOutput
        /// The part that is written next.
        var next = 0
        /// Parts that are done and wait for others.
        var done: [Int: OutputChunk] = [:]
        var spare: [OutputChunk] = []
        var skip: Int
        var failure: (any Error)?
        /// A signal for everybody who waits: one for all could be taken by the wrong one.
        var waiting: [DispatchSemaphore] = []
    }

    private let state: Guarded<State>
    private let mostAhead: Int

    /// Writes parts to an output, and of the whole leaves out the first bytes.
    init(_ output: ByteOutput, skipping skip: Int, mostAhead: Int) {
        state = Guarded(State(output: output, skip: skip))
        self.mostAhead = mostAhead
    }

    /// What went wrong first.
    var failure: (any Error)? { state.withLock { $0.failure } }

    /// Ends everything: nobody waits any more.
    func fail(_ error: any Error) {
        change { state in
            if state.failure == nil { state.failure = error }
        }
    }

    /// Waits until a part may be begun; nil when all is over.
    func begin(_ part: Int) -> OutputChunk? {
        wait { [mostAhead] state in
            state.next + mostAhead > part
        } then: { state in
            state.spare.popLast() ?? OutputChunk()
        }
    }

    /// Writes what there is of a part that is not done, as soon as all parts before it are written; false when all is over.
    func write(_ chunk: OutputChunk, of part: Int) -> Bool {
        wait { state in
            state.next == part
        } then: { state in
            Self.write(chunk, &state)
        } != nil
    }

    /// Takes a part that is done.
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

    /// Changes the state, and has everybody who waits look again.
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
