import Foundation

extension SQLiteConnection {
    /// The keys of fewer rows are sorted as quickly on one thread, with fewer instructions and 3 MB less.
    private static let rowsForThreads = 250_000
    /// More threads than that wait for one another.
    private static let maximumThreads = 4

    /// Runs `body`, which makes indexes of so many rows.
    ///
    /// SQLite sorts an index's keys on threads of its own only if it is allowed to: a million dates in 0.7 s on two cores, not 1.05 s.
    func sortingOnThreads<Result>(rows: Int, _ body: () throws -> Result) throws -> Result {
        let isLarge = rows >= Self.rowsForThreads
        let threads = isLarge ? min(ProcessInfo.processInfo.activeProcessorCount, Self.maximumThreads) : 1
        guard threads > 1 else { return try body() }
        try execute("PRAGMA threads = \(threads)")
        let result = try body()
        // Where it was not reached the connection is closed, or sorts the next keys so too, which does no harm.
        try execute("PRAGMA threads = 0")
        return result
    }
}
