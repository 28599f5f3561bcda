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
            guard Self.hold(number) else { return nil }
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

    /// Keeps a signal for who listens, in this thread and those that it starts.
    ///
    /// A signal that is ignored for a moment instead is lost in that moment, and so is one that came earlier and waits because
    /// who started this process blocks it.
    ///
    /// - Returns: Whether it is not ignored from the start.
    private static func hold(_ number: Int32) -> Bool {
        var (signals, before) = (sigset_t(), sigset_t())
        sigemptyset(&signals)
        sigaddset(&signals, number)
        pthread_sigmask(SIG_BLOCK, &signals, &before)
        guard unsafeBitCast(signal(number, SIG_DFL), to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) else {
            return true
        }
        signal(number, SIG_IGN)
        pthread_sigmask(SIG_SETMASK, &before, nil)
        return false
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
