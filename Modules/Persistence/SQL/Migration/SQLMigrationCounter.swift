package import StrataCore

/// Counts the rows of one migration, tells of them, and asks whether it goes on.
package final class SQLMigrationCounter {
    private var rows = 0
    private var totalRows = 0
    private let options: MigrationOptions

    package init(_ options: MigrationOptions) { self.options = options }

    /// Expects more rows.
    func add(total: Int) {
        totalRows += total
        tell()
    }

    /// Tells of every so many rows.
    package static let stride = 4096

    /// Counts rows that are written.
    ///
    /// - Returns: Whether it goes on.
    package func add(_ count: Int = 1) -> Bool {
        let before = rows / Self.stride
        rows += count
        guard rows / Self.stride != before else { return true }
        tell()
        return !options.isCancelled()
    }

    private func tell() { options.progress?(MigrationProgress(rows: min(rows, totalRows), totalRows: totalRows)) }
    func end() { options.progress?(MigrationProgress(rows: totalRows, totalRows: totalRows)) }
}
