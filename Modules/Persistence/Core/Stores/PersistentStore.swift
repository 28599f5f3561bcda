/// A store of the rows of a stack.
///
/// A store has entities and rows, never records or objects. The store contract suite of `StrataTesting` specifies its
/// behavior; a new kind of store is complete when it passes the suite. Any thread may call any method at any time. Each
/// method blocks until it is done.
public protocol PersistentStore: StoreReader, BulkWriting, Sendable {
    /// Returns a description of the store for people and logs.
    ///
    /// - Throws: ``PersistenceError`` if the store cannot be read.
    func information() throws -> StoreInformation

    /// Opens snapshots that all show one state of the store, the state at this moment.
    ///
    /// - Parameter count: The count of threads that read, at least 1.
    /// - Returns: As many snapshots as `count`.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if `count` is less than 1, or
    ///     an error of reading.
    func openSnapshots(_ count: Int) throws -> [any StoreSnapshot]

    /// The maximum count of snapshots of one state that can be read at the same time.
    ///
    /// If there are more snapshots, they take turns: a reader waits until the current read ends.
    var concurrentReaders: Int { get }

    /// Writes a set of changes: all of them or, if it throws, none.
    ///
    /// An inserted row gets the version of its insertion; an update raises the version by one. Uniqueness and
    /// references are checked in the state that the whole set would leave. The join rows of a deleted row are deleted
    /// with it. After that, join rows of the set are removed, and then added.
    ///
    /// - Returns: Every row whose version is not the expected one; if there is any, nothing was written.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/uniqueness`` or
    ///     ``PersistenceError/Code/danglingReference``, or another error of writing.
    func save(_ changes: ChangeSet) throws -> [StoreConflict]

    /// Reserves identifiers of an entity that were never used and are never assigned again.
    ///
    /// - Parameters:
    ///   - count: The count of identifiers, at least 1.
    ///   - entity: The entity's name.
    /// - Returns: The identifiers.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/identifiersExhausted`` if fewer identifiers are
    ///     left.
    func reserveIdentifiers(_ count: Int, of entity: String) throws -> ClosedRange<Int64>

    /// Runs a closure with a writer of rows inside one transaction: all its rows are stored or, if it throws, none.
    ///
    /// The store numbers rows without identifiers from the entity's next identifier, without gaps. References are
    /// checked at the end; an error has the location of the first row, in input order, whose destination does not
    /// exist. The rows may come in any order.
    ///
    /// - Parameter body: Writes the rows; it may read the store, but must not write it in another way.
    /// - Throws: The error that `body` throws, or ``PersistenceError``.
    func writeRows(_ body: (any RowWriter) throws -> Void) throws

    /// Returns the text that is stored under a key, if there is one; see ``RowWriter/setMetadata(_:forKey:)``.
    ///
    /// - Throws: ``PersistenceError`` if the store cannot be read.
    func metadata(forKey key: String) throws -> String?

    /// Calls a closure when other store objects of this process, or other processes, wrote rows of the store.
    ///
    /// The closure is notified of everything that was committed since this call by store objects that were opened with
    /// ``StoreOptions/announcesChanges``. It is never notified of changes by this store object. One call may report
    /// several transactions. If a change may have been missed, the call names all entities. A reader that queries the
    /// store after the call gets the reported state or a newer one. After ``close()`` has returned, the closure is not
    /// called.
    ///
    /// - Parameter handler: Receives the names of the entities whose rows, or whose join rows of many-to-many
    ///     relationships, may have changed. The store calls it on a thread of its own, one call at a time. It must
    ///     return quickly; if it is late, the next call reports more changes.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if the store cannot announce
    ///     changes, if it was not opened with ``StoreOptions/announcesChanges``, or if another closure observes it
    ///     already; or another error of the store.
    func observeRemoteChanges(_ handler: @escaping @Sendable (_ entities: Set<String>) -> Void) throws

    /// Waits for the current calls and closes the store; a second call does nothing.
    ///
    /// Every later call throws ``PersistenceError/Code/closed``. Inside a block that receives rows on this thread, the
    /// method does not wait: a fetch continues to its last row, and a cursor to the end of its row. The store is closed
    /// for every later call at once. Its files are closed when the last such block has ended.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` inside ``transaction(_:)`` or
    ///     ``writeRows(_:)`` on the same thread; the store then remains open.
    func close() throws

    // MARK: Transactions

    /// Runs a closure inside one writing transaction.
    ///
    /// The changes that the closure saves are committed if it returns ``TransactionCompletion/commit``. They are rolled
    /// back otherwise, or if it throws. No other writer writes in the meantime, and no reader sees a part of the
    /// changes.
    ///
    /// - Throws: The error that `body` throws, or ``PersistenceError``, with code
    ///     ``PersistenceError/Code/invalidRequest`` inside another transaction or bulk insert on the same thread.
    func transaction(_ body: (any StoreTransaction) throws -> TransactionCompletion) throws
}

extension PersistentStore {
    /// No limit.
    public var concurrentReaders: Int { .max }

    /// Throws, because this kind of store cannot announce changes.
    public func observeRemoteChanges(_ handler: @escaping @Sendable (_ entities: Set<String>) -> Void) throws {
        throw PersistenceError.notAnnouncing("the store")
    }
}
