public import StrataCore

/// A store of entities' rows; each kind of store is a conforming type.
///
/// A store knows entities and rows, but no records or objects. The store contract suite of `StrataTesting` specifies
/// its behavior; an implementation is complete if it passes that suite. Any thread may call any method at any time.
/// Each method blocks until it is done.
///
/// An application uses a container with contexts, which call the store. Use a store directly for bulk operations and
/// tools. Writing to a store directly does not notify contexts, and applies no delete rules.
///
/// A store of your own must satisfy these requirements:
///
/// - **Isolation.** A read sees one committed state, from its first row to its last, even if another thread writes
///   meanwhile. A read does not wait for a writer.
/// - **Atomicity.** ``save(_:)``, ``writeRows(_:)``, ``transaction(_:)`` and ``reserveIdentifiers(_:of:)`` either take
///   effect as a whole or not at all. If they throw, the store is unchanged.
/// - **One writer.** A second writer waits for the first one; ``WriterLock`` does this inside a process. A call that
///   would wait for itself, such as a save inside ``writeRows(_:)`` on the same thread, throws
///   ``PersistenceError/Code/invalidRequest``.
/// - **Order.** Rows are returned in the order of the sort keys, then by ascending identifier.
/// - **Values.** Values are compared by <doc:ComparisonRules>, and are returned in the form of their column's type.
/// - **Identifiers.** An identifier is never assigned twice, also if its row was deleted.
/// - **Errors.** A failure throws a ``PersistenceError`` whose code describes it.
///
/// A store need not validate values by the rules of the model: contexts, batches and imports do so before they write.
/// It must enforce uniqueness and references, because only it knows all rows.
///
/// ## Topics
///
/// ### Reading
///
/// - ``StoreReader``
/// - ``openSnapshots(_:)``
/// - ``concurrentReaders``
/// - ``StoreSnapshot``
///
/// ### Writing
///
/// - ``save(_:)``
/// - ``reserveIdentifiers(_:of:)``
/// - ``transaction(_:)``
/// - ``ChangeSet``
/// - ``StoreConflict``
/// - ``StoreTransaction``
///
/// ### Writing many rows
///
/// - ``insertRows(of:_:)``
/// - ``BulkWriting/batchWrite(_:)``
/// - ``writeRows(_:)``
/// - ``RowWriter``
///
/// ### Metadata and information
///
/// - ``information()``
/// - ``metadata(forKey:)``
///
/// ### Analyzing slow requests
///
/// - ``explanation(of:)-(ResolvedRequest)``
/// - ``StatementExplanation``
///
/// ### History
///
/// - ``history``
/// - ``StoreHistory``
///
/// ### Changes of other processes
///
/// - ``observeRemoteChanges(_:)``
///
/// ### Closing
///
/// - ``close()``
public protocol PersistentStore: StoreReader, BulkWriting, Sendable {
    /// Returns a description of the store for people and logs.
    ///
    /// The method is for diagnosis. It may read the file system, so do not call it for each operation.
    ///
    /// - Throws: ``PersistenceError`` if the store cannot be read.
    func information() throws -> StoreInformation

    /// Opens snapshots that all have the current state of the store.
    ///
    /// Close each snapshot when it is no longer needed: while it is open, the log of a SQLite store grows with each
    /// commit, and a store on a server occupies a connection.
    ///
    /// - Parameter count: The count of snapshots, one for each reading thread; at least 1.
    /// - Returns: The snapshots.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if `count` is less than 1, or
    ///   with another code if the store cannot be read.
    func openSnapshots(_ count: Int) throws -> [any StoreSnapshot]

    /// The maximum count of snapshots that can be read at the same time.
    ///
    /// If more snapshots are read, a read waits until another one ends.
    var concurrentReaders: Int { get }

    /// Writes a change set: if the method throws an error or returns conflicts, nothing is written.
    ///
    /// An inserted row gets the version of its insertion; an updated row gets a version that is greater by one.
    /// Uniqueness and references are checked in the state after all changes of the set. If a row is deleted, its join
    /// rows are deleted too. After that, the join rows of the set are removed, and then the new ones are added.
    ///
    /// The result contains all conflicts, and not only the first one. Changes to join rows have no versions and never
    /// conflict. The method applies no delete rule: the caller lists every row to delete.
    ///
    /// - Returns: A conflict for each row whose stored version is not the expected version.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/uniqueness`` or
    ///   ``PersistenceError/Code/danglingReference``, or with another code if the store cannot be written.
    func save(_ changes: ChangeSet) throws -> [StoreConflict]

    /// Reserves identifiers of an entity: they were never assigned before and will not be assigned by the store later.
    ///
    /// The reservation does not depend on a later save. Identifiers that are not used are lost, so that identifiers may
    /// have gaps. Contexts reserve a range and assign its numbers to new objects.
    ///
    /// - Parameters:
    ///   - count: The count of identifiers, at least 1.
    ///   - entity: The entity's name.
    /// - Returns: The range of the reserved identifiers.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/identifiersExhausted`` if fewer identifiers are
    ///   left.
    func reserveIdentifiers(_ count: Int, of entity: String) throws -> ClosedRange<Int64>

    /// Writes rows inside one transaction: if `body` throws an error, none of them is stored.
    ///
    /// Rows may be written in any order. The store assigns identifiers to rows without one, beginning with the entity's
    /// next identifier, without gaps. References are checked after `body` returns; an error contains the location of
    /// the first row, in input order, with a dangling reference.
    ///
    /// The rows must have been validated. ``BulkWriting/batchWrite(_:)`` validates rows and checks the counts of
    /// related objects; use it unless the caller has done so. The whole store is locked for other writers until the
    /// method returns, and readers see the earlier state until then.
    ///
    /// - Parameter body: A closure that writes rows with the writer. It may read the store, but must not write to it in
    ///   another way.
    /// - Throws: The error that `body` throws, or ``PersistenceError`` if the rows cannot be stored.
    func writeRows(_ body: (any RowWriter) throws -> Void) throws

    /// Returns the text that is stored under a key; `nil` if there is none. See ``RowWriter/setMetadata(_:forKey:)``.
    ///
    /// Keys are compared byte by byte.
    ///
    /// - Throws: ``PersistenceError`` if the store cannot be read.
    func metadata(forKey key: String) throws -> String?

    /// The history of the store; `nil` if this kind of store cannot keep one.
    var history: (any StoreHistory)? { get }

    /// Returns the statement that answers a request, with the plan of the database; the request is not executed.
    ///
    /// - Returns: The explanation; `nil` if the store is no database.
    /// - Throws: ``PersistenceError`` if the store cannot be read.
    func explanation(of request: ResolvedRequest) throws -> StatementExplanation?

    /// Returns the statement that answers a selection, with the plan of the database; the statement is not executed.
    ///
    /// - Returns: The explanation; `nil` if the store is no database.
    /// - Throws: ``PersistenceError`` if the store cannot be read.
    func explanation(of selection: ResolvedSelection) throws -> StatementExplanation?

    /// Subscribes a closure to changes by other store objects of this process and by other processes.
    ///
    /// The closure is notified of all transactions that were committed after this call by store objects that were
    /// opened with ``StoreOptions/announcesChanges``. It is not notified of changes by this store object. One
    /// notification may report several transactions. If a change may have been missed, the notification names all
    /// entities. A read after a notification returns the reported state or a later one. After ``close()`` has returned,
    /// the closure is not called.
    ///
    /// - Parameter handler: A closure that receives the names of the entities whose rows, or whose join rows of
    ///   many-to-many relationships, may have changed. The store calls it on a separate thread, one call at a time. It
    ///   must return quickly; if it is slow, the next call reports more changes.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if the store cannot announce
    ///   changes, if it was not opened with ``StoreOptions/announcesChanges``, or if another closure is already
    ///   subscribed; or with another code if the store fails.
    func observeRemoteChanges(_ handler: @escaping @Sendable (_ entities: Set<String>) -> Void) throws

    /// Waits for running calls of other threads and closes the store; a second call does nothing.
    ///
    /// Every later call throws a ``PersistenceError`` with code ``PersistenceError/Code/closed``. If the method is
    /// called inside a closure that receives rows on the same thread, it does not wait: a fetch continues to its last
    /// row, and a cursor to the end of its current row. The store's files are closed when the last such closure has
    /// returned.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` inside ``transaction(_:)`` or
    ///   ``writeRows(_:)`` on the same thread; the store then remains open.
    func close() throws

    // MARK: Transactions

    /// Runs a closure inside one writing transaction.
    ///
    /// If the closure returns ``TransactionCompletion/commit``, the changes that it has saved are committed. If it
    /// returns another value or throws an error, they are rolled back. No other writer runs during the transaction, and
    /// readers do not see its changes before the commit.
    ///
    /// - Throws: The error that `body` throws, or ``PersistenceError``; its code is
    ///   ``PersistenceError/Code/invalidRequest`` inside another transaction or bulk insert on the same thread.
    func transaction(_ body: (any StoreTransaction) throws -> TransactionCompletion) throws
}

extension PersistentStore {
    /// The history: `nil`, because this kind of store cannot keep one.
    public var history: (any StoreHistory)? { nil }

    /// Returns `nil`, because this kind of store is no database.
    public func explanation(of request: ResolvedRequest) throws -> StatementExplanation? { nil }

    /// Returns `nil`, because this kind of store is no database.
    public func explanation(of selection: ResolvedSelection) throws -> StatementExplanation? { nil }

    /// The maximum integer, because any count of snapshots can be read at the same time.
    public var concurrentReaders: Int { .max }

    /// Throws a ``PersistenceError``, because this kind of store cannot announce changes.
    public func observeRemoteChanges(_ handler: @escaping @Sendable (_ entities: Set<String>) -> Void) throws {
        throw PersistenceError.notAnnouncing("the store")
    }
}
