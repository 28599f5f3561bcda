/// What can be done inside one writing transaction of a store; of no use afterwards.
///
/// Everything that is read is as it would be if the transaction were stored now. Nothing may be saved while rows are given; a cursor gives the rows
/// of the time when it was opened.
public protocol StoreTransaction: StoreReader {
    /// Writes a set of changes, as ``PersistentStore/save(_:)`` does.
    ///
    /// A set that cannot be written ends the transaction: let the error pass.
    func save(_ changes: ChangeSet) throws -> [StoreConflict]
}

/// How a transaction ends.
public enum TransactionCompletion: Sendable {
    /// What was saved is stored.
    case commit
    /// Nothing is.
    case rollBack
}
