import StrataCore

/// A check whether the task that reads rows is canceled, which runs after every few rows.
struct CancellableReading {
    /// The number of rows between two checks; one check takes some nanoseconds.
    private static let interval = 256

    private var count = 0

    mutating func next() throws {
        count += 1
        guard count % Self.interval == 0 else { return }
        try Self.check()
    }

    /// Throws an error if the current task is canceled.
    ///
    /// - Throws: `CancellationError`, which Swift code expects from a canceled task.
    static func check() throws { try Task.checkCancellation() }
}
