import Dispatch
import Synchronization

/// Ends a command on SIGINT, SIGTERM and SIGHUP: in order where it looks, at once where it does not.
final class Interruption {
    /// How long a command has to notice.
    ///
    /// After that the process ends as it is: SQLite takes an unfinished transaction back when the store is opened next.
    private static let grace: DispatchTimeInterval = .seconds(2)

    /// How far it has come.
    let progress = InterruptionProgress()
    private let sources: [any DispatchSourceSignal]

    /// Listens from now on, as long as this lives, to the signals that are not ignored already, as `nohup` has it.
    init() {
        let queue = DispatchQueue(label: "strata.signals")
        let progress = progress
        sources = [SIGINT, SIGTERM, SIGHUP].compactMap { number in
            let before = signal(number, SIG_IGN)
            guard unsafeBitCast(before, to: Int.self) != unsafeBitCast(SIG_IGN, to: Int.self) else { return nil }
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                progress.request()
                queue.asyncAfter(deadline: .now() + Self.grace) {
                    guard progress.isUnnoticed else { return }
                    Console.note("strata: interrupted")
                    _exit(ExitCode.interrupted)
                }
            }
            source.activate()
            return source
        }
    }

    /// Asked between records.
    var isCancelled: @Sendable () -> Bool {
        let progress = progress
        return { progress.notice() }
    }

    /// Called before the result is put in its place; signals that come later are too late.
    ///
    /// - Throws: `CancellationError` when one came before.
    var finish: @Sendable () throws -> Void {
        let progress = progress
        return { try progress.finish() }
    }
}

/// What has become of a signal: who asks first, the command's end or the signal, decides.
final class InterruptionProgress: Sendable {
    private enum State {
        static let running = 0
        static let requested = 1
        /// The command knows, and ends in order.
        static let noticed = 2
        static let finished = 3
    }

    private let state = Atomic(State.running)

    /// A signal came; without effect on what is finished.
    func request() {
        exchange(State.running, for: State.requested)
    }

    /// Whether a signal came; the command ends then by itself.
    func notice() -> Bool {
        exchange(State.requested, for: State.noticed)
        return state.load(ordering: .acquiring) == State.noticed
    }

    /// Whether a signal came and the command has not looked since.
    var isUnnoticed: Bool { state.load(ordering: .acquiring) == State.requested }

    /// From now on signals are too late.
    ///
    /// - Throws: `CancellationError` when one came before.
    func finish() throws {
        exchange(State.running, for: State.finished)
        if notice() { throw CancellationError() }
    }

    private func exchange(_ old: Int, for new: Int) {
        _ = state.compareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing)
    }
}
