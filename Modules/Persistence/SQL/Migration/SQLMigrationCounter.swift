package import StrataCore

/// Counts the rows of one migration, reports the progress, and checks for cancellation.
package final class SQLMigrationCounter {
    private var rows = 0
    private var totalRows = 0
    private let options: MigrationOptions

    package init(_ options: MigrationOptions) { self.options = options }

    /// Adds to the expected count of rows.
    func add(total: Int) {
        totalRows += total
        reportProgress()
    }

    /// The count of rows between two progress reports.
    package static let stride = 4096

    /// Counts rows that were written.
    ///
    /// - Returns: False if the migration was canceled.
    package func add(_ count: Int = 1) -> Bool {
        let before = rows / Self.stride
        rows += count
        guard rows / Self.stride != before else { return true }
        reportProgress()
        return !options.isCancelled()
    }

    private func reportProgress() {
        options.progress?(MigrationProgress(rows: min(rows, totalRows), totalRows: totalRows))
    }
    func end() { options.progress?(MigrationProgress(rows: totalRows, totalRows: totalRows)) }
}
