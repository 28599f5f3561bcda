#if PostgreSQL
import Foundation
public import StrataCore
public import StrataSQL
public import StrataStoreKit

/// A store in a schema of a PostgreSQL database, which any number of processes and machines read and write.
///
/// Saves and readers never wait for each other; two saves wait for each other only if they change the same row.
/// ``transaction(_:)`` and ``writeRows(_:)`` have the store's exclusive write lock until they end.
///
/// A ``PostgreSQLStoreProvider`` opens the store. Any thread may call any method; each method blocks until the server
/// has answered. A call uses one connection of the pool; a cursor and a snapshot use one until they are closed or
/// released. A connection that the server has closed is replaced.
///
/// If a connection is lost during a commit, the store queries the outcome of the transaction on another connection. A
/// write throws ``PersistenceError/Code/unknownOutcome`` only if this is not possible, for example on Citus.
///
/// ## Topics
///
/// ### Reading rows
///
/// - ``model``
/// - ``fetch(_:_:)``
/// - ``fetchRow(_:of:_:)``
/// - ``count(_:)``
/// - ``openCursor(_:)``
/// - ``joins(_:_:)``
/// - ``openSnapshots(_:)``
/// - ``concurrentReaders``
///
/// ### Writing rows
///
/// - ``save(_:)``
/// - ``writeRows(_:)``
/// - ``transaction(_:)``
/// - ``reserveIdentifiers(_:of:)``
///
/// ### Observing other processes
///
/// - ``observeRemoteChanges(_:)``
///
/// ### Reading metadata and closing the store
///
/// - ``information()``
/// - ``metadata(forKey:)``
/// - ``close()``
public final class PostgreSQLStore: PersistentStore {
    /// The model with which the store was opened.
    public let model: ManagedObjectModel

    let layout: SQLLayout
    let pool: PostgreSQLPool
    let isReadOnly: Bool
    /// The queries for a row by its identifier, by the entities' names.
    let lookups: [String: String]
    /// The statements that begin a transaction with the shared write lock, and those that begin one with the exclusive
    /// write lock.
    private let (sharing, excluding): ([String], [String])
    private let identifier: UUID
    /// The store's generation when it was opened; `nil` if the first bulk write will migrate the store.
    let generation: PostgreSQLGeneration?
    /// The opening with the migration that the first bulk write must perform; `nil` if the store already has the model.
    let following: Guarded<PostgreSQLOpening?>
    /// The feed that announces changes to other stores; `nil` if the options do not request one.
    let changeFeed: (any PostgreSQLChangeFeed)?
    /// The level of the history when the store was opened; a change of the level requires opening it again.
    let historyLevel: HistoryLevel
    let historyProcess = SQLHistoryRecorder.newProcess()
    /// The listener that reports the changes of other stores; `nil` if no caller has subscribed.
    let listening = Guarded<PostgreSQLListener?>(nil)
    /// The numbers of the threads that are writing to the store.
    private let writers = Guarded<Set<UInt>>([])

    init(
        _ pool: PostgreSQLPool, layout: SQLLayout, identifier: UUID, generation: PostgreSQLGeneration?,
        following: PostgreSQLOpening?, isReadOnly: Bool, historyLevel: HistoryLevel
    ) {
        self.historyLevel = historyLevel
        (self.pool, self.layout, self.identifier, self.isReadOnly) = (pool, layout, identifier, isReadOnly)
        self.generation = generation
        self.following = Guarded(following)
        model = layout.model
        lookups = layout.model.entities.reduce(into: [:]) { lookups, entity in
            lookups[entity.name] = layout.selection(entity) + (generation.map { " AND \($0.condition)" } ?? "")
        }
        let questions = [PostgreSQLOutcome.question, generation?.column].compactMap(\.self)
        (sharing, excluding) = (
            pool.settings.beginning(.shared, alongside: questions),
            pool.settings.beginning(.alone, alongside: questions)
        )
        changeFeed = pool.settings.changeFeed(of: layout.model)
    }

    deinit {
        endListening()
        pool.connections.close()
    }

    // MARK: Information

    /// Returns the kind, identifier and format version of the store, and the size of its tables in bytes.
    ///
    /// The call may wait for transactions that have locked a table exclusively, such as a migration.
    public func information() throws -> StoreInformation {
        let bytes = try pool.withConnection { try $0.byteCount(of: pool.settings.schema) }
        return StoreInformation(kind: "PostgreSQL", identifier: identifier, formatVersion: 1, byteCount: bytes)
    }

    /// Returns the metadata text that is stored under a key.
    public func metadata(forKey key: String) throws -> String? {
        try pool.withConnection {
            try $0.texts(layout.metadataSelection, .string(SQLLayout.userKeyPrefix + key)).first
        }
    }

    /// Waits for running calls and closes the store and its connections.
    ///
    /// It also ends the subscription to the changes of other processes.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if a closure that writes the
    ///   store calls this method on its own thread; the store then remains open.
    public func close() throws {
        try checkNotWriting()
        endListening()
        pool.connections.close()
    }

    // MARK: PostgreSQLWriteLock

    /// Throws an error if the store is open for reading only, or if the current thread is already writing to it.
    func checkWritable() throws {
        guard !isReadOnly else {
            throw PersistenceError(.readOnly, "the store is open for reading only", path: pool.settings.location)
        }
        try checkNotWriting()
    }

    private func checkNotWriting() throws {
        guard writers.withLock({ $0.contains(WriterLock.currentThreadNumber) }) else { return }
        throw PersistenceError(
            .invalidRequest,
            "the store is being written on this thread; save, create identifiers and close the store before or after "
                + "the write")
    }

    /// Runs `body` in a writing transaction, and announces the entities that `body` has added to `written`.
    ///
    /// - Parameters:
    ///   - writing: The mode in which the transaction takes the store's write lock.
    ///   - opening: The migration to perform before `body`, for which the transaction locks the whole store
    ///     exclusively; `nil` if no migration is necessary.
    ///   - body: A closure that writes, and adds the names of the written entities to its second argument.
    /// - Returns: The result of `body`.
    /// - Throws: An error that `body` throws, or ``PersistenceError``. Nothing is stored, unless the code of the error
    ///   is ``PersistenceError/Code/unknownOutcome``.
    func write<Result>(
        _ writing: PostgreSQLWriteLock, following opening: PostgreSQLOpening? = nil,
        _ body: (PostgreSQLConnection, _ written: inout Set<String>) throws -> Result
    ) throws -> Result {
        try checkWritable()
        return try pool.withConnection { connection in
            let thread = WriterLock.currentThreadNumber
            writers.withLock { _ = $0.insert(thread) }
            defer { writers.withLock { _ = $0.remove(thread) } }
            var beginning =
                switch writing {
                case .shared: sharing
                case .alone: excluding
                }
            // The lock of the metadata table precedes the store's write lock, as in other transactions.
            if opening != nil { beginning.insert(PostgreSQLGeneration.lockAlone, at: 1) }
            var begun: PostgreSQLResult?
            var ended: Result?
            do {
                return try connection.naming(generation) {
                    try connection.beginningAgain { hasAll in
                        try connection.inTransaction(beginning, answered: { begun = $0 }) {
                            try opening?.lockTables(on: connection)
                            hasAll = true
                            try opening?.follow(on: connection)
                            var written: Set<String> = []
                            let result = try body(connection, &written)
                            if let changeFeed, !written.isEmpty {
                                // If a statement has failed before, its failure is the reason to report.
                                try connection.checkInTransaction()
                                try changeFeed.announce(written, on: connection)
                            }
                            ended = result
                            return result
                        }
                    }
                }
            } catch let error as PersistenceError where error.code == .unknownOutcome {
                guard let ended else { throw error }
                let number = begun?.text(row: 0, column: 1)
                try PostgreSQLOutcome(of: number, on: connection, pool.settings).find(after: error)
                return ended
            }
        }
    }

    /// Writes a set of changes in one transaction.
    ///
    /// The transaction waits only for other transactions that change the same rows, and for an exclusive writer. If the
    /// method returns conflicts or throws an error, nothing is written, unless the code is
    /// ``PersistenceError/Code/unknownOutcome``.
    ///
    /// - Parameter changes: The insertions, updates and deletions, with the versions that the caller expects.
    /// - Returns: A conflict for each row whose stored version is not the expected version; empty if everything was
    ///   written.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/uniqueness``,
    ///   ``PersistenceError/Code/danglingReference``, ``PersistenceError/Code/locked``,
    ///   ``PersistenceError/Code/readOnly`` or ``PersistenceError/Code/storeMigrated``, among others.
    public func save(_ changes: ChangeSet) throws -> [StoreConflict] {
        try model.checkNames(of: changes)
        do {
            try write(.shared) { connection, written in
                let history = SQLHistoryRecorder(
                    historyLevel, process: historyProcess, in: layout, on: connection)
                try SQLSaving(layout: layout, connection: connection, history: history).save(changes)
                try history?.finish()
                written = model.entitiesWritten(by: changes)
            }
            return []
        } catch let found as ConflictsFound {
            return found.conflicts
        }
    }

    /// Reserves identifiers of an entity by one statement in a short transaction, which locks the entity's next
    /// identifier.
    public func reserveIdentifiers(_ count: Int, of entity: String) throws -> ClosedRange<Int64> {
        _ = try model.entity(named: entity)
        guard count >= 1 else {
            throw PersistenceError(
                .invalidRequest, "\(count) identifiers were requested; at least 1 is required", entity: entity)
        }
        return try write(.shared) { connection, _ in
            let exhausted = PersistenceError.identifiersExhausted(entity)
            let table = SQLLayout.sequenceTable
            guard Int64(count) < identifierRange.upperBound else { throw exhausted }
            let next: Int64?
            do {
                next = try connection.number(
                    """
                    INSERT INTO \(table) (entity, next) VALUES ($1, $2 + 1) ON CONFLICT (entity) \
                    DO UPDATE SET next = \(table).next + $2 RETURNING next
                    """, .string(entity), .integer(Int64(count)))
            } catch let error as PersistenceError where error.code == .arithmetic {
                throw exhausted
            }
            guard let next, identifierRange.contains(next - 1) else { throw exhausted }
            return next - Int64(count)...next - 1
        }
    }
}
#endif
