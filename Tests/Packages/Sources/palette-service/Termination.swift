import Dispatch
import Foundation

/// A subscription to SIGTERM and SIGINT.
struct Termination {
    /// A stream with an element for every signal.
    let signals: AsyncStream<Void>
    private let sources: [any DispatchSourceSignal]

    /// Subscribes, and returns once signals are handled: a source becomes active some time after `resume`, and an
    /// earlier signal would be lost.
    init() async {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        let (registrations, registration) = AsyncStream.makeStream(of: Void.self)
        signals = stream
        sources = [SIGTERM, SIGINT].map { number in
            #if canImport(Darwin)
            // On Darwin a source only observes the signal, whose default action would end the process.
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

    /// Cancels the subscription.
    func cancel() {
        for source in sources { source.cancel() }
    }
}
