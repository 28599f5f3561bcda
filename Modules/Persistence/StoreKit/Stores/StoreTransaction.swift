public import StrataCore

/// A writing transaction of a store, which must not be used after it has ended.
///
/// Every read returns the state that a commit would store now. While a fetch passes rows, no changes may be saved. A
/// cursor returns the rows of the state in which it was opened.
public protocol StoreTransaction: StoreReader {
    /// Writes a change set, as ``PersistentStore/save(_:)`` does.
    ///
    /// If the method throws an error, the transaction is invalid: rethrow the error.
    func save(_ changes: ChangeSet) throws -> [StoreConflict]
}

/// The action at the end of a transaction.
public enum TransactionCompletion: Sendable {
    /// Commit the changes that the transaction has saved.
    case commit
    /// Roll back the changes that the transaction has saved.
    case rollBack
}
