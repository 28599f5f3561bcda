/// The operations inside one writing transaction of a store; it must not be used afterwards.
///
/// Every read returns the state as if the transaction were committed now. No changes may be saved while a fetch passes
/// rows; a cursor returns the rows of the time when it was opened.
public protocol StoreTransaction: StoreReader {
    /// Writes a set of changes, as ``PersistentStore/save(_:)`` does.
    ///
    /// A set that cannot be written ends the transaction: rethrow the error.
    func save(_ changes: ChangeSet) throws -> [StoreConflict]
}

/// The end of a transaction.
public enum TransactionCompletion: Sendable {
    /// The saved changes are committed.
    case commit
    /// The saved changes are rolled back.
    case rollBack
}
