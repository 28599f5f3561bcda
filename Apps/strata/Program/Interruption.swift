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
