/// How far a batch is: an update or a deletion of many rows.
public struct BatchProgress: Sendable, Hashable {
    /// The rows that were read or changed so far; a row may count more than once.
    public let rows: Int
    /// How many there are to be, as far as is known; never fewer than ``rows``, and more once there is more to be done than it seemed.
    public let totalRows: Int

    /// A share of a batch.
    public init(rows: Int, totalRows: Int) {
        self.rows = rows
        self.totalRows = totalRows
    }
}

/// Counts the rows of a batch, whoever reads or changes them: handed down by the task, as its being cancelled is.
package final class BatchMeter: Sendable {
    /// Of the batch that is under way in this task.
    @TaskLocal package static var current: BatchMeter?

    private let counts = Guarded((rows: 0, total: 0))
    private let report: @Sendable (BatchProgress) -> Void

    package init(_ report: @escaping @Sendable (BatchProgress) -> Void) {
        self.report = report
    }

    /// Notes that so many rows are still to come.
    package func expect(_ rows: Int) { counts.withLock { $0.total += rows } }

    /// Counts rows that were read or changed, and tells.
    package func add(_ rows: Int) {
        let progress = counts.withLock { counts in
            counts.rows += rows
            return BatchProgress(rows: counts.rows, totalRows: max(counts.rows, counts.total))
        }
        report(progress)
    }
}
