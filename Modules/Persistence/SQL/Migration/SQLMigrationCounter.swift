package import StrataCore

/// A counter of the rows that a migration has written, which reports the progress and checks for cancellation.
package final class SQLMigrationCounter {
    private var rows = 0
    private var totalRows = 0
    private let options: MigrationOptions

    package init(_ options: MigrationOptions) { self.options = options }

    /// Adds a number to the expected total count of rows.
    func add(total: Int) {
        totalRows += total
        reportProgress()
    }

    /// The count of rows between two progress reports.
    package static let stride = 4096

    /// Adds to the count of written rows, reports the progress, and checks for cancellation.
    ///
    /// - Returns: False if the caller has canceled the migration.
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
