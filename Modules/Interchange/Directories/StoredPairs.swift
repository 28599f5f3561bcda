public import StrataCore

/// Writes the pairs of one many-to-many relationship of a store, as a directory of all its datasets has them.
public struct StoredPairs {
    private let join: JoinDescription
    private let store: any PersistentStore
    private let options: ExportOptions

    /// Prepares a dataset of pairs.
    ///
    /// - Parameters:
    ///   - join: The relationship.
    ///   - store: What is read.
    ///   - options: How they are written.
    public init(_ join: JoinDescription, store: any PersistentStore, options: ExportOptions) {
        self.join = join
        self.store = store
        self.options = options
    }

    /// Writes the pairs.
    ///
    /// - Parameter output: Where they go; flushed at the end.
    /// - Returns: The number of pairs.
    /// - Throws: ``InterchangeError`` when writing fails, `PersistenceError` when reading does, `CancellationError`.
    @discardableResult
    public func write(to output: ByteOutput) throws -> Int {
        let snapshots = try store.openSnapshots(1)
        defer { for snapshot in snapshots { snapshot.close() } }
        return try JoinExport(join, options).run(snapshots[0], to: output)
    }
}
