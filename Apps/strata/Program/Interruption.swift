import Dispatch
import Synchronization

/// A handler of SIGINT, SIGTERM and SIGHUP that cancels the command, or exits if the command does not react.
final class Interruption {
    /// The time that a command has to end after a signal.
    ///
    /// After that time, the process exits immediately. If a transaction of SQLite is then incomplete, SQLite rolls it
    /// back when the store is next opened.
    private static let grace: DispatchTimeInterval = .seconds(2)

    /// The state of the command and of the signal.
    let progress = InterruptionProgress()
    private let sources: [any DispatchSourceSignal]

    /// Creates a handler that is active while it exists.
    ///
    /// It does not handle signals that are already ignored, as by `nohup`.
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

    /// Blocks a signal in this thread and in the threads that it starts, so that the signal source receives it.
    ///
    /// If the signal were ignored temporarily instead, it would be lost in that time. A signal that was sent earlier
    /// and is pending, because the parent process blocked it, would be lost too.
    ///
    /// - Returns: A Boolean value that indicates whether the signal was not ignored at the start.
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

    /// A closure that is called between records and returns whether the command is canceled.
    var isCancelled: @Sendable () -> Bool {
        let progress = progress
        return { progress.notice() }
    }

    /// A closure that is called before the result is put in place; later signals have no effect.
    ///
    /// - Throws: `CancellationError` if a signal came before.
    var finish: @Sendable () throws -> Void {
        let progress = progress
        return { try progress.finish() }
    }
}
