public import StrataCore
import StrataStoreKit

extension PersistentContainer {
    /// Changes the level of the history of a store that is not open in this container.
    ///
    /// If tables or metadata of an existing history are missing, the method makes a new history.
    ///
    /// See ``PersistentStoreDescription/history``.
    ///
    /// - Parameters:
    ///   - level: The new level; ``HistoryLevel/off`` discards the history.
    ///   - description: The store.
    ///   - model: The model of the store.
    /// - Throws: ``PersistenceError``, with code ``PersistenceError/Code/notTracked`` if the kind of store cannot keep
    ///   a history.
    public static func setHistory(
        _ level: HistoryLevel, of description: PersistentStoreDescription, model: ManagedObjectModel
    ) throws {
        let store = try description.open(model)
        do {
            if level != .off || store.history != nil { try store.requiredHistory().setLevel(level) }
        } catch {
            // The caller gets this error, not an error of closing.
            try? store.close()
            throw error
        }
        try store.close()
    }

    /// Returns the level of the store's history.
    ///
    /// - Throws: ``PersistenceError`` if the store cannot be read.
    public func historyLevel() throws -> HistoryLevel { try coordinator.store.history?.level() ?? .off }

    /// Returns the token of the newest transaction: what is committed later is read after it.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/notTracked`` if the store keeps no history, or
    ///   with another code if it cannot be read.
    public func historyToken() throws -> HistoryToken { try coordinator.store.requiredHistory().newestToken() }

    /// Returns the transactions that were committed after a token.
    ///
    /// ```swift
    /// var token = try container.historyToken()
    /// for try await transaction in container.history(after: token, entities: ["Color"]) {
    ///     print(transaction.date, transaction.changes)
    ///     token = transaction.token
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - token: The token; `nil` begins with the oldest transaction that the store keeps.
    ///   - entities: The names of the entities and join tables whose changes are read; `nil` reads all. Transactions
    ///     without such a change are omitted.
    ///   - author: The author of the transactions; `nil` reads those of all authors.
    /// - Returns: The sequence, which reads the store when it is iterated.
    public func history(
        after token: HistoryToken?, entities: Set<String>? = nil, author: String? = nil
    ) -> PersistentHistory {
        PersistentHistory(coordinator.store, after: token, HistoryRequest(entities: entities, author: author))
    }

    /// Returns the consumer with a name, which is added if it does not exist.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - token: The position of a new consumer; `nil` is after the newest transaction.
    ///   - entities: The names of the entities and join tables whose changes the consumer reads; `nil` reads all.
    ///   - author: The author of the transactions that the consumer reads; `nil` reads those of all authors.
    /// - Returns: The consumer.
    /// - Throws: The errors of ``historyToken()``, and ``PersistenceError`` with code
    ///   ``PersistenceError/Code/otherStore`` if the token is not one of this store.
    public func historyConsumer(
        _ name: String, startingAfter token: HistoryToken? = nil, entities: Set<String>? = nil, author: String? = nil
    ) throws -> HistoryConsumer {
        let history = try coordinator.store.requiredHistory()
        if try !history.positions().contains(where: { $0.consumer == name }) {
            do {
                try history.move(name, from: nil, to: try token ?? history.newestToken())
            } catch let error as PersistenceError where error.code == .conflict {
                // Another process has added the consumer meanwhile.
            }
        }
        return HistoryConsumer(name, of: self, HistoryRequest(entities: entities, author: author))
    }

    /// Returns the consumers of the history with their positions, by name.
    ///
    /// - Throws: The errors of ``historyToken()``.
    public func historyConsumers() throws -> [HistoryPosition] {
        try coordinator.store.requiredHistory().positions()
    }

    /// Deletes the transactions before a token, except those that a consumer has not processed.
    ///
    /// - Parameters:
    ///   - token: The token, whose transaction is kept.
    ///   - isForced: A Boolean value that indicates whether transactions are deleted that a consumer has not processed;
    ///     its next read then throws ``PersistenceError/Code/historyExpired``.
    /// - Returns: The consumer because of which fewer transactions were deleted; `nil` if there was none.
    /// - Throws: The errors of ``history(after:entities:author:)``.
    @discardableResult
    public func deleteHistory(before token: HistoryToken, isForced: Bool = false) throws -> HistoryPosition? {
        try coordinator.store.requiredHistory().deleteTransactions(before: token, isForced: isForced)
    }

    /// Deletes the values of a record from the history, such as personal data, and keeps the fact of the changes.
    ///
    /// - Parameters:
    ///   - id: The identifier of the record, which may be deleted already.
    ///   - type: The type of the record.
    ///   - entity: The entity of the record; `nil` uses the entity that the type declares.
    /// - Returns: The count of changes whose values were deleted.
    /// - Throws: The errors of ``historyToken()``.
    @discardableResult
    public func deleteHistory<Record: ManagedRecord>(
        of id: Record.ID, _ type: Record.Type = Record.self, entity: RecordEntity<Record>? = nil
    ) throws -> Int {
        try coordinator.store.requiredHistory().eraseValues(of: id.rawValue, try Record.entity(entity).name)
    }
}
