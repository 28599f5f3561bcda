/// What can be done inside one writing transaction of a store; of no use afterwards.
///
/// Everything that is read is as it would be if the transaction were stored now.
public protocol StoreTransaction: AnyObject {
    /// Gives the rows a request selects to `body`, one after the other; nothing may be saved meanwhile.
    ///
    /// - Throws: What `body` throws, or ``PersistenceError``.
    func fetch(_ request: StoreRequest, _ body: (RowReader) throws -> FetchFlow) throws

    /// The pairs of a many-to-many relationship, as ``PersistentStore/joins(_:)`` gives them.
    func joins(_ request: JoinRequest) throws -> [JoinRow]

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
