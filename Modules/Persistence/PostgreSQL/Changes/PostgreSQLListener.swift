#if PostgreSQL
import Dispatch
import Foundation
import StrataCore
import StrataStoreKit
import Synchronization

/// A thread that waits for changes of other stores on its own connection, until ``end()`` is called.
final class PostgreSQLListener: Sendable {
    /// The maximum pause between two attempts to reconnect, in milliseconds.
    private static let longestPause: Int32 = 30_000
    /// The pause before the second attempt to reconnect, in milliseconds.
    ///
    /// There is no pause before the first attempt, and each later pause is twice as long as the previous one.
    private static let secondPause: Int32 = 100

    private let settings: PostgreSQLSettings
    private let feed: any PostgreSQLChangeFeed
    private let entities: Set<String>
    private let handler: @Sendable (Set<String>) -> Void
    private let wakeUp: WakeUpPipe
    private let running = DispatchGroup()
    /// The number of the listener's thread, or 0 before the thread starts.
    private let thread = Atomic<UInt>(0)

    /// Creates a listener, which reports all changes that other stores commit after this call.
    ///
    /// - Parameters:
    ///   - feed: The feed by which the other stores announce their changes.
    ///   - settings: The settings of the listener's connection.
    ///   - entities: The names of all entities, which the listener reports after a lost connection, because it may have
    ///     missed changes.
    ///   - handler: A closure that receives the names of the changed entities on the listener's thread.
    /// - Throws: ``PersistenceError`` if the server cannot be reached or rejects the subscription.
    init(
        to feed: any PostgreSQLChangeFeed, _ settings: PostgreSQLSettings, entities: Set<String>,
        handler: @escaping @Sendable (Set<String>) -> Void
    ) throws {
        (self.feed, self.settings, self.entities, self.handler) = (feed, settings, entities, handler)
        wakeUp = try WakeUpPipe(place: settings.location)
        let first = try Self.subscribe(feed, settings, unless: wakeUp)
        running.enter()
        let thread = Thread { [self] in
            // The name is set here because a thread that has not started has no system thread.
            Thread.current.name = "strata listen"
            self.thread.store(WriterLock.currentThreadNumber, ordering: .relaxed)
            run(first)
            running.leave()
        }
        thread.start()
    }

    /// Ends the subscription.
    ///
    /// The method waits until `handler` has returned, except if `handler` itself calls the method.
    func end() {
        wakeUp.signal()
        if thread.load(ordering: .relaxed) != WriterLock.currentThreadNumber { running.wait() }
    }

    private static func subscribe(
        _ feed: any PostgreSQLChangeFeed, _ settings: PostgreSQLSettings, unless wakeUp: WakeUpPipe
    ) throws -> any PostgreSQLChangeSubscription {
        let connection = try settings.connect(isOpening: false, unless: wakeUp)
        do { return try feed.subscribe(on: connection) } catch {
            connection.close()
            throw error
        }
    }

    private func run(_ first: any PostgreSQLChangeSubscription) {
        let clock = ContinuousClock()
        var subscription = first
        var pause: Int32 = 0
        while true {
            let beginning = clock.now
            do {
                while let changed = try subscription.next(until: wakeUp) { handler(changed) }
                return subscription.end()
            } catch {
                // Other stores may continue to write after any error, so the listener subscribes again as soon as the
                // server allows it.
                subscription.end()
            }
            if clock.now - beginning > .milliseconds(Self.longestPause) { pause = 0 }
            guard let again = resubscribe(&pause) else { return }
            subscription = again
            handler(entities)
        }
    }

    /// Subscribes again after a lost connection, with growing pauses between attempts; returns `nil` if ``end()`` was
    /// called.
    private func resubscribe(_ pause: inout Int32) -> (any PostgreSQLChangeSubscription)? {
        while !wakeUp.rings(within: pause) {
            pause = min(max(Self.secondPause, 2 * pause), Self.longestPause)
            do { return try Self.subscribe(feed, settings, unless: wakeUp) } catch { continue }
        }
        return nil
    }
}
#endif
