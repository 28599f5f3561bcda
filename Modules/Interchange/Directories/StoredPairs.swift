public import StrataCore
public import StrataStoreKit

/// An export of the join rows of one many-to-many relationship of a store, in the form that a ``DirectoryExporter``
/// writes.
///
/// Use it to export a single relationship. A ``DirectoryExporter`` exports all of them, together with their entities.
public struct StoredPairs {
    private let join: JoinDescription
    private let store: any PersistentStore
    private let options: ExportOptions

    /// Creates an export of the join rows of a relationship.
    ///
    /// The options are not validated; call ``ExportOptions/check()`` for options from a user.
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
    /// The call blocks the calling thread, and reads one state of the store. The output is flushed, but not closed or
    /// committed. A join row of a symmetric relationship is written once.
    ///
    /// - Parameter output: The output, which is flushed at the end.
    /// - Returns: The number of join rows that were written.
    /// - Throws: ``InterchangeError`` if writing fails, `PersistenceError` if reading fails, `CancellationError`.
    /// - Complexity: O(*n*) in the number of join rows, in constant memory. If the model declares keys for the file,
    ///   the identifiers of all rows with join rows are in memory.
    @discardableResult
    public func write(to output: ByteOutput) throws -> Int {
        let snapshots = try store.openSnapshots(1)
        defer { for snapshot in snapshots { snapshot.close() } }
        return try JoinExport(join, options).run(snapshots[0], to: output)
    }
}
