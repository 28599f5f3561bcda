public import StrataCore

/// Writes the join rows of one many-to-many relationship of a store, in the same form as a directory of all datasets.
public struct StoredPairs {
    private let join: JoinDescription
    private let store: any PersistentStore
    private let options: ExportOptions

    /// Creates a dataset of join rows.
    ///
    /// - Parameters:
    ///   - join: The relationship.
    ///   - store: The store.
    ///   - options: The export options.
    public init(_ join: JoinDescription, store: any PersistentStore, options: ExportOptions) {
        self.join = join
        self.store = store
        self.options = options
    }

    /// Writes the join rows.
    ///
    /// - Parameter output: The output, which is flushed at the end.
    /// - Returns: The number of join rows.
    /// - Throws: ``InterchangeError`` if writing fails, `PersistenceError` if reading fails, `CancellationError`.
    @discardableResult
    public func write(to output: ByteOutput) throws -> Int {
        let snapshots = try store.openSnapshots(1)
        defer { for snapshot in snapshots { snapshot.close() } }
        return try JoinExport(join, options).run(snapshots[0], to: output)
    }
}
