import Dispatch
import Foundation

/// Hears of SIGTERM and SIGINT.
struct Termination {
    /// An element for every signal.
    let signals: AsyncStream<Void>
    private let sources: [any DispatchSourceSignal]

    /// Returns when it really listens: a source takes up its work some time after `resume`, and a signal that comes
    /// between would be lost.
    init() async {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        let (registrations, registration) = AsyncStream.makeStream(of: Void.self)
        signals = stream
        sources = [SIGTERM, SIGINT].map { number in
            #if canImport(Darwin)
            // There a source only watches, and the default action would end the process.
            signal(number, SIG_IGN)
            #endif
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { continuation.yield() }
            source.setRegistrationHandler { registration.yield() }
            source.resume()
            return source
        }
        for await _ in registrations.prefix(sources.count) {}
    }

    /// Stops listening.
    func cancel() {
        for source in sources { source.cancel() }
    }
}
