import Dispatch
import Synchronization

/// Ends a command on SIGINT and SIGTERM: in order where it looks, at once where it does not.
final class Interruption {
    private final class Flag: Sendable {
        let isSet = Atomic(false)
    }

    /// How long a command has to end in order.
    ///
    /// After that the process ends as it is: SQLite takes an unfinished transaction back when the store is opened next.
    private static let grace: DispatchTimeInterval = .seconds(2)

    private let flag = Flag()
    private let sources: [any DispatchSourceSignal]

    /// Listens from now on, as long as this lives.
    init() {
        let queue = DispatchQueue(label: "strata.signals")
        let flag = flag
        sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                flag.isSet.store(true, ordering: .relaxed)
                queue.asyncAfter(deadline: .now() + Self.grace) {
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
        let flag = flag
        return { flag.isSet.load(ordering: .relaxed) }
    }
}
