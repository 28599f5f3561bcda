public import StrataCore

/// The history of a store: which rows each committed transaction changed.
///
/// Every method blocks until it is done; any thread may call it. If the level is ``HistoryLevel/off``, the methods that
/// read throw ``PersistenceError/Code/notTracked``.
public protocol StoreHistory: Sendable {
    /// The process text of the transactions of this store object; see ``HistoryTransaction/process``.
    var process: String { get }

    /// A Boolean value that indicates whether a read returns every committed transaction.
    ///
    /// It is `false` for a store on a server, where running transactions delay later ones.
    var isImmediate: Bool { get }

    /// Returns the current level.
    ///
    /// - Throws: ``PersistenceError`` if the store cannot be read.
    func level() throws -> HistoryLevel

    /// Changes the level, and discards the history if the new level is ``HistoryLevel/off``.
    ///
    /// Every store object that has the store open, this one included, afterwards throws
    /// ``PersistenceError/Code/storeMigrated``: open the store again.
    ///
    /// - Throws: ``PersistenceError`` if the store cannot be written.
    func setLevel(_ level: HistoryLevel) throws

    /// Returns the token of the newest transaction.
    ///
    /// - Throws: ``PersistenceError`` if the store cannot be read.
    func newestToken() throws -> HistoryToken

    /// Returns the next transactions after a token, in the order of their commits.
    ///
    /// - Parameters:
    ///   - token: The token; `nil` begins with the oldest transaction that is kept.
    ///   - limit: The maximum count of transactions.
    ///   - request: The selection of transactions and changes.
    /// - Returns: The transactions; fewer than `limit` only if there are no more.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/otherStore`` if the token is not one of this
    ///   history, or ``PersistenceError/Code/historyExpired`` if transactions after the token were deleted.
    func transactions(
        after token: HistoryToken?, limit: Int, _ request: HistoryRequest
    ) throws -> [HistoryTransaction]

    /// Returns the positions of the consumers, by their names.
    ///
    /// - Throws: ``PersistenceError`` if the store cannot be read.
    func positions() throws -> [HistoryPosition]

    /// Moves a consumer from one position to another, or adds it.
    ///
    /// - Parameters:
    ///   - consumer: The name of the consumer.
    ///   - old: The position that the consumer must have; `nil` if it must not exist.
    ///   - new: The new position; `nil` removes the consumer.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/conflict`` if the consumer has another
    ///   position.
    func move(_ consumer: String, from old: HistoryToken?, to new: HistoryToken?) throws

    /// Deletes the transactions before a token, but none that a consumer has not processed yet, unless it is forced.
    ///
    /// - Parameters:
    ///   - token: The token, whose transaction is kept.
    ///   - isForced: A Boolean value that indicates whether consumers are ignored.
    /// - Returns: The consumer because of which fewer transactions were deleted; `nil` if there was none.
    /// - Throws: ``PersistenceError`` as for ``transactions(after:limit:_:)``.
    func deleteTransactions(before token: HistoryToken, isForced: Bool) throws -> HistoryPosition?

    /// Deletes the values of a row from the history, and keeps the changes themselves.
    ///
    /// - Returns: The count of changes whose values were deleted.
    /// - Throws: ``PersistenceError`` if the store cannot be written.
    func eraseValues(of id: Int64, _ entity: String) throws -> Int
}

/// A selection of transactions and changes of a history.
public struct HistoryRequest: Sendable, Hashable {
    /// The names of the entities and join tables whose changes are read; `nil` for all.
    ///
    /// Transactions without such a change are omitted.
    public var entities: Set<String>?
    /// The author of the transactions; `nil` for all.
    public var author: String?

    /// Creates a selection.
    public init(entities: Set<String>? = nil, author: String? = nil) {
        (self.entities, self.author) = (entities, author)
    }
}

/// The author and the context of a write, for the history of the store, and the consumer that moves with the write.
package struct WriteOrigin: Sendable {
    /// A move of a consumer in the transaction of a write.
    package struct Move: Sendable {
        package let consumer: String
        package let old: HistoryToken
        package let new: HistoryToken
        /// The name of the context whose save moves the consumer; other writes of the task do not move it.
        package let context: String

        package init(consumer: String, from old: HistoryToken, to new: HistoryToken, by context: String) {
            (self.consumer, self.old, self.new, self.context) = (consumer, old, new, context)
        }
    }

    /// The origin of the writes of the current task.
    @TaskLocal package static var current = WriteOrigin()

    package var author: String?
    package var context: String?
    package var move: Move?

    package init(author: String? = nil, context: String? = nil, move: Move? = nil) {
        (self.author, self.context, self.move) = (author, context, move)
    }
}
