import StrataCore

/// Looks from time to time whether the task that reads was cancelled.
struct CancellableReading {
    /// Rows between two looks: each costs some nanoseconds.
    private static let interval = 256

    private var count = 0

    mutating func next() throws {
        count += 1
        guard count % Self.interval == 0 else { return }
        try Self.check()
    }

    /// - Throws: `CancellationError` when the current task was cancelled: what Swift code expects of cancelled work.
    static func check() throws { try Task.checkCancellation() }
}
