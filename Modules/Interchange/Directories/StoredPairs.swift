public import StrataCore
public import StrataStoreKit

/// An export of the join rows of one many-to-many relationship of a store, in the form that a ``DirectoryExporter``
/// writes.
public struct StoredPairs {
    private let join: JoinDescription
    private let store: any PersistentStore
    private let options: ExportOptions

    /// Creates an export of the join rows of a relationship.
    ///
    /// - Parameters:
    ///   - join: The many-to-many relationship.
    ///   - store: The store that contains the join rows.
    ///   - options: The export options.
    public init(_ join: JoinDescription, store: any PersistentStore, options: ExportOptions) {
        self.join = join
        self.store = store
        self.options = options
    }

    /// Writes the join rows to an output.
    ///
    /// - Parameter output: The output, which is flushed at the end.
    /// - Returns: The number of join rows that were written.
    /// - Throws: ``InterchangeError`` if writing fails, `PersistenceError` if reading fails, `CancellationError`.
    @discardableResult
    public func write(to output: ByteOutput) throws -> Int {
        let snapshots = try store.openSnapshots(1)
        defer { for snapshot in snapshots { snapshot.close() } }
        return try JoinExport(join, options).run(snapshots[0], to: output)
    }
}
