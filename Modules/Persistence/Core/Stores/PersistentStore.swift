/// Where a stack's rows live.
///
/// A store knows entities and rows, never records or objects. What it must do is written down as the store contract suite of
/// `StrataTesting`; a new kind of store is done when it passes. All methods may be called from any thread at once and block until
/// they are done.
public protocol PersistentStore: StoreReader, BulkWriting, Sendable {
    /// What the store is, for people and logs.
    ///
    /// - Throws: ``PersistenceError`` when the store cannot be read.
    func information() throws -> StoreInformation

    /// Opens snapshots that all show one state of the store, that of this moment.
    ///
    /// - Parameter count: How many threads want to read, at least 1.
    /// - Returns: As many snapshots.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` for less than one, or what hinders reading.
    func openSnapshots(_ count: Int) throws -> [any StoreSnapshot]

    /// How many snapshots of one state can be read at once; more of them take turns, and who waits for one that is being read waits for its end.
    var concurrentReaders: Int { get }

    /// Writes a set of changes: all of them or, when it throws, none.
    ///
    /// An inserted row has the version its insertion says; an update raises the version by one. Uniqueness and references are checked on the state that the whole
    /// set would leave. A deleted row takes its pairs along; then pairs are removed, then added.
    ///
    /// - Returns: Every row whose version is not the expected one; when there is any, nothing was written.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/uniqueness``,
    ///   ``PersistenceError/Code/danglingReference``, or what else hinders it.
    func save(_ changes: ChangeSet) throws -> [StoreConflict]

    /// Takes identifiers of an entity that nobody was given and nobody will be given again.
    ///
    /// - Parameters:
    ///   - count: How many, at least 1.
    ///   - entity: The entity's name.
    /// - Returns: The identifiers.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/identifiersExhausted`` when there are not so many left.
    func reserveIdentifiers(_ count: Int, of entity: String) throws -> ClosedRange<Int64>

    /// Runs `body` with a writer of rows inside one transaction: all its rows are stored or, when it throws, none.
    ///
    /// Rows without identifiers are numbered on from the entity's mark, without gaps. References are checked at the end, with the location of the
    /// first row, in input order, whose destination does not exist; the rows may come in any order.
    ///
    /// - Parameter body: Gives the rows; it may read the store, not write it otherwise.
    /// - Throws: What `body` throws, or ``PersistenceError``.
    func writeRows(_ body: (any RowWriter) throws -> Void) throws

    /// The text that was kept in the store under a key, if there is one; see ``RowWriter/setMetadata(_:forKey:)``.
    ///
    /// - Throws: ``PersistenceError`` when the store cannot be read.
    func metadata(forKey key: String) throws -> String?

    /// Has `told` called whenever others have written rows of the store, be they other store objects of this process or other processes.
    ///
    /// It is told of what was committed since this call, by all who were opened with ``StoreOptions/announcesChanges``, and never of what this store object
    /// writes; several transactions may be told in one call, and where something may have been missed all entities are named. Who asks the store then
    /// gets what is told, or what is newer. Nothing is told any more when ``close()`` has returned.
    ///
    /// - Parameter told: Gets the names of the entities whose rows, or whose pairs of many-to-many relationships, may have changed; called on a thread of the
    ///   store's, one call at a time. It must not wait for long: who is late is told of more at once.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` where that cannot be told, was not asked for by
    ///   ``StoreOptions/announcesChanges``, or is told to somebody already, or what hinders it.
    func observeRemoteChanges(_ told: @escaping @Sendable (_ entities: Set<String>) -> Void) throws

    /// Waits for calls under way and closes the store; calling it again does nothing. Every later call throws
    /// ``PersistenceError/Code/closed``.
    ///
    /// From inside a block that is given rows on this thread it waits for nothing: the block goes on, a fetch to its last row, a cursor's to the end
    /// of its row. The store is closed for every later call at once, and its files are when the last such block has ended.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` from inside ``transaction(_:)`` or ``writeRows(_:)`` on the same
    ///   thread; the store is then open as before.
    func close() throws

    // MARK: Transactions

    /// Runs `body` inside one writing transaction: what it saves is stored when it asks for that, and none of it otherwise, or when it throws.
    ///
    /// Nobody writes in between, and no reader sees a part.
    ///
    /// - Throws: What `body` throws, or ``PersistenceError``, with code ``PersistenceError/Code/invalidRequest`` from inside another transaction or bulk
    ///   insert on the same thread.
    func transaction(_ body: (any StoreTransaction) throws -> TransactionCompletion) throws
}

extension PersistentStore {
    /// As many as there are.
    public var concurrentReaders: Int { .max }

    /// Cannot be told.
    public func observeRemoteChanges(_ told: @escaping @Sendable (_ entities: Set<String>) -> Void) throws {
        throw PersistenceError.notAnnouncing("the store")
    }
}
