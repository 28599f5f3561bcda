import StrataCore

/// The time that the operations of one caller wait for a connection or for the store's writer.
///
/// The wait is measured only inside ``measuring(_:)``, because a measurement reads the clock twice.
package final class ConnectionWait: Sendable {
    @TaskLocal private static var current: ConnectionWait?

    private let total = Guarded(Duration.zero)

    /// Runs `body`, and returns its result with the time for which it waited.
    package static func measuring<Result>(_ body: () -> Result) -> (result: Result, wait: Duration) {
        let wait = ConnectionWait()
        let result = $current.withValue(wait, operation: body)
        return (result, wait.total.withLock { $0 })
    }

    /// Runs a wait, whose time counts if it is measured.
    package static func during<Result>(_ wait: () throws -> Result) rethrows -> Result {
        guard let current else { return try wait() }
        let start = ContinuousClock.now
        defer { current.total.withLock { $0 += .now - start } }
        return try wait()
    }
}
