public import StrataCore

/// A store of entities' rows; each kind of store is a conforming type.
///
/// A store knows entities and rows, but no records or objects. The store contract suite of `StrataTesting` specifies
/// its behavior; an implementation is complete if it passes that suite. Any thread may call any method at any time.
/// Each method blocks until it is done.
public protocol PersistentStore: StoreReader, BulkWriting, Sendable {
    /// Returns a description of the store for people and logs.
    ///
    /// - Throws: ``PersistenceError`` if the store cannot be read.
    func information() throws -> StoreInformation

    /// Opens snapshots that all have the current state of the store.
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
    /// - Returns: A conflict for each row whose stored version is not the expected version.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/uniqueness`` or
    ///   ``PersistenceError/Code/danglingReference``, or with another code if the store cannot be written.
    func save(_ changes: ChangeSet) throws -> [StoreConflict]

    /// Reserves identifiers of an entity: they were never assigned before and will not be assigned by the store later.
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
    /// - Parameter body: A closure that writes rows with the writer. It may read the store, but must not write to it in
    ///   another way.
    /// - Throws: The error that `body` throws, or ``PersistenceError`` if the rows cannot be stored.
    func writeRows(_ body: (any RowWriter) throws -> Void) throws

    /// Returns the text that is stored under a key; `nil` if there is none. See ``RowWriter/setMetadata(_:forKey:)``.
    ///
    /// - Throws: ``PersistenceError`` if the store cannot be read.
    func metadata(forKey key: String) throws -> String?

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
    /// The maximum integer, because any count of snapshots can be read at the same time.
    public var concurrentReaders: Int { .max }

    /// Throws a ``PersistenceError``, because this kind of store cannot announce changes.
    public func observeRemoteChanges(_ handler: @escaping @Sendable (_ entities: Set<String>) -> Void) throws {
        throw PersistenceError.notAnnouncing("the store")
    }
}
