#if PostgreSQL
import Dispatch
import Foundation
import StrataCore
import Synchronization

/// Listens to what other stores write, on a thread and a connection of its own, until its end.
final class PostgreSQLListener: Sendable {
    /// The longest wait for a server that is gone, in milliseconds.
    private static let longestPause: Int32 = 30_000
    /// The second wait, in milliseconds; the first is none, and each other one twice the one before.
    private static let secondPause: Int32 = 100

    private let settings: PostgreSQLSettings
    private let feed: any PostgreSQLChangeFeed
    private let entities: Set<String>
    private let told: @Sendable (Set<String>) -> Void
    private let alarm: PostgreSQLAlarm
    private let running = DispatchGroup()
    /// The thread that listens; 0 before it does.
    private let thread = Atomic<UInt>(0)

    /// Begins to listen: what others write from now on is told.
    ///
    /// - Parameters:
    ///   - feed: The way on which others tell it.
    ///   - settings: How the server is reached.
    ///   - entities: The names of all entities, for when something may have been missed.
    ///   - told: Is told, on the thread that listens.
    /// - Throws: ``PersistenceError`` where the server cannot be reached, or lets nobody listen.
    init(
        to feed: any PostgreSQLChangeFeed, _ settings: PostgreSQLSettings, entities: Set<String>,
        told: @escaping @Sendable (Set<String>) -> Void
    ) throws {
        (self.feed, self.settings, self.entities, self.told) = (feed, settings, entities, told)
        alarm = try PostgreSQLAlarm(place: settings.location)
        let first = try Self.hearing(feed, settings, unless: alarm)
        running.enter()
        let thread = Thread { [self] in
            // One that has not begun has none for the system.
            Thread.current.name = "strata listen"
            self.thread.store(WriterLock.currentThreadNumber, ordering: .relaxed)
            run(first)
            running.leave()
        }
        thread.start()
    }

    /// Ends it, and waits until nothing is told any more, unless it is called by who is being told.
    func end() {
        alarm.ring()
        if thread.load(ordering: .relaxed) != WriterLock.currentThreadNumber { running.wait() }
    }

    private static func hearing(
        _ feed: any PostgreSQLChangeFeed, _ settings: PostgreSQLSettings, unless alarm: PostgreSQLAlarm
    ) throws -> any PostgreSQLHearing {
        let connection = try settings.connect(isOpening: false, unless: alarm)
        do { return try feed.hearing(on: connection) } catch {
            connection.close()
            throw error
        }
    }

    private func run(_ first: any PostgreSQLHearing) {
        let clock = ContinuousClock()
        var hearing = first
        var pause: Int32 = 0
        while true {
            let beginning = clock.now
            do {
                while let heard = try hearing.next(until: alarm) { told(heard) }
                return hearing.end()
            } catch {
                // Whatever the reason is, others go on writing: it listens again as soon as the server lets it.
                hearing.end()
            }
            if clock.now - beginning > .milliseconds(Self.longestPause) { pause = 0 }
            guard let again = hearingAgain(&pause) else { return }
            hearing = again
            told(entities)
        }
    }

    /// Tries again and again, with growing pauses; `nil` at the end.
    private func hearingAgain(_ pause: inout Int32) -> (any PostgreSQLHearing)? {
        while !alarm.rings(within: pause) {
            pause = min(max(Self.secondPause, 2 * pause), Self.longestPause)
            do { return try Self.hearing(feed, settings, unless: alarm) } catch { continue }
        }
        return nil
    }
}
#endif
