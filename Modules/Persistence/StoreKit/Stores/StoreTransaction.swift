import StrataCore

/// A writing transaction of a store, which must not be used after it has ended.
///
/// Every read returns the state that a commit would store now. While a fetch passes rows, no changes may be saved. A
/// cursor returns the rows of the state in which it was opened.
///
/// ``PersistentStore/transaction(_:)`` passes a transaction to its closure; it ends when the closure returns. Only the
/// thread that runs the closure may use it. It does not see changes that other writers commit meanwhile, because no
/// other writer runs.
///
/// A save that returns conflicts has written nothing, and the transaction is still valid. A save that throws makes it
/// invalid; then rethrow the error, which rolls back all saves of the transaction.
public protocol StoreTransaction: StoreReader {
    /// Writes a change set, as ``PersistentStore/save(_:)`` does.
    ///
    /// If the method throws an error, the transaction is invalid: rethrow the error.
    ///
    /// - Parameter changes: The changes; several saves of one transaction may change the same row, if each expects the
    ///   version that the previous one has written.
    /// - Returns: A conflict for each row whose version is not the expected version.
    /// - Throws: ``PersistenceError``, as ``PersistentStore/save(_:)`` does, or with code
    ///   ``PersistenceError/Code/invalidRequest`` after the transaction has ended.
    func save(_ changes: ChangeSet) throws -> [StoreConflict]
}

/// The action at the end of a transaction.
public enum TransactionCompletion: Sendable {
    /// Commit the changes that the transaction has saved.
    case commit
    /// Roll back the changes that the transaction has saved.
    case rollBack
}
