public import Foundation
public import StrataCore
import StrataSQL
public import StrataStoreKit

/// A store in a SQLite file with a write-ahead log, one writer, several readers, and safe use by several processes.
///
/// This is the default kind of store. A container opens it by its description; use the type itself to read a store
/// without a container, or to check, remove or examine a file.
///
/// ```swift
/// let container = try PersistentContainer(model: model, .sqlite(at: url))
/// ```
///
/// A reader never waits for the writer. Two writers wait for each other up to the busy timeout. Committed saves survive
/// the end of the process at any moment; ``Durability`` defines which commits a power failure may lose.
///
/// Any thread may call any method; each method blocks until it is done. Each reading thread uses its own connection,
/// and at most four idle connections remain open. The file must be on a local disk, because the log's index is shared
/// memory. While the store is open, the files with the suffixes `-wal` and `-shm` belong to it; do not copy, move or
/// remove any of the three files then.
///
/// ## Topics
///
/// ### Opening a store
///
/// - ``open(at:model:isReadOnly:createsFile:busyTimeout:durability:migration:)``
/// - ``model``
/// - ``url``
/// - ``isReadOnly``
/// - ``close()``
///
/// ### Reading rows
///
/// - ``fetch(_:_:)``
/// - ``count(_:)``
/// - ``openCursor(_:)``
/// - ``joins(_:_:)``
/// - ``openSnapshots(_:)``
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
/// ### Reading metadata
///
/// - ``information()``
/// - ``metadata(forKey:)``
/// - ``metadata(at:busyTimeout:)``
/// - ``storedModel(at:busyTimeout:)``
/// - ``StoredModel``
///
/// ### Migrating, checking and removing a store
///
/// - ``previewMigration(at:to:options:busyTimeout:)``
/// - ``check(at:model:options:busyTimeout:_:)``
/// - ``destroy(at:onlyIfEmpty:busyTimeout:)``
///
/// ### Examining SQL
///
/// - ``schema(of:)``
/// - ``queryPlan(_:)``
public final class SQLiteStore: PersistentStore {
    /// The model with which the store was opened.
    public let model: ManagedObjectModel
    /// The file, as it was passed to the method that opened the store.
    public let url: URL
    /// A Boolean value that indicates whether the store was opened read-only or cannot be written by this process.
    ///
    /// If it is `true`, each method that writes throws ``PersistenceError/Code/readOnly``.
    public let isReadOnly: Bool

    let layout: SQLLayout
    let identifier: UUID
    let pool: SQLiteConnectionPool
    private let durability: Durability
    /// The only connection that writes, created at its first use and used only while ``writing`` is held.
    private let writer = Guarded<SQLiteConnection?>(nil)
    private let writing = WriterLock()
    /// The checkpoints of this store, changed only while ``writing`` is held.
    let checkpoint = Guarded(SQLiteCheckpoint())
    /// The migration that the first bulk write performs; `nil` if the store already has the model.
    ///
    /// It is used only while ``writing`` is held.
    let following: Guarded<SQLiteMigration?>
    /// The level of the history when the store was opened; a change of the level requires opening it again.
    let historyLevel: HistoryLevel
    let historyProcess = SQLHistoryRecorder.newProcess()
    /// The subscription to commits of others.
    let subscription = SQLiteSubscription()

    init(
        url: URL, layout: SQLLayout, identifier: UUID, isReadOnly: Bool, durability: Durability,
        pool: SQLiteConnectionPool, following: SQLiteMigration? = nil, historyLevel: HistoryLevel = .off
    ) {
        self.historyLevel = historyLevel
        self.following = Guarded(following)
        self.durability = durability
        self.url = url
        model = layout.model
        self.layout = layout
        self.identifier = identifier
        self.isReadOnly = isReadOnly
        self.pool = pool
    }

    /// Runs `body` with exclusive use of the writing connection.
    func withWriter<Result: Sendable>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
        guard !isReadOnly else {
            throw PersistenceError(.readOnly, "the store is open for reading only", path: url.path)
        }
        return try writing.withLock {
            try pool.connections.checkOpen()
            let connection = try writingConnection()
            let result = try body(connection)
            moveLog(after: connection)
            return result
        }
    }

    /// Runs a checkpoint if the log is large; called while ``writing`` is held.
    private func moveLog(after connection: SQLiteConnection) {
        var checkpoint = checkpoint.withLock { $0 }
        checkpoint.runIfNeeded(after: connection, pool: pool)
        self.checkpoint.withLock { $0 = checkpoint }
    }

    private func writingConnection() throws -> SQLiteConnection {
        if let connection = writer.withLock({ $0 }), !connection.isClosed { return connection }
        let connection = try makeWriter()
        writer.withLock { $0 = connection }
        return connection
    }

    private func makeWriter() throws -> SQLiteConnection {
        let connection = try pool.connections.connect()
        switch durability {
        case .normal:
            // SQLite's default waits for the disk at every commit. Without the log, a weaker setting could corrupt the
            // file.
            guard try connection.text("PRAGMA journal_mode") == "wal" else { break }
            try connection.execute("PRAGMA synchronous = NORMAL")
        case .full:
            // With the log, this is the same as FULL. Without it, the removal of the journal reaches the disk, too
            // (sqlite.org/pragma.html#pragma_synchronous).
            try connection.execute("PRAGMA synchronous = EXTRA")
        }
        return connection
    }

    var closedError: PersistenceError {
        PersistenceError(.closed, "the store was closed", path: url.path)
    }

    /// Returns kind, identifier, format version, library, the size of file and log in bytes, and the log's state.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/closed`` if the store was closed, or with
    ///   another code if the file cannot be read.
    public func information() throws -> StoreInformation {
        try pool.withConnection { connection in
            var information = try connection.information(identifier)
            information.log?.checkpoints = checkpoint.withLock(\.counts)
            return information
        }
    }

    /// Returns the text that is stored for a key; `nil` if there is none.
    ///
    /// - Parameter key: The key, as it was passed to ``RowWriter/setMetadata(_:forKey:)``.
    /// - Returns: The text, in its current state in the file.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/closed`` if the store was closed, or with
    ///   another code if the file cannot be read.
    public func metadata(forKey key: String) throws -> String? {
        try pool.withConnection {
            try $0.text(layout.metadataSelection, .string(SQLLayout.userKeyPrefix + key))
        }
    }

    /// Waits for running calls, writes the log into the file, and closes the store, which then has no companion files.
    ///
    /// If a closure that receives rows calls this method on its own thread, the method does not wait. The closure
    /// continues to its end, but the closure of a cursor receives no further row. The companion files are removed when
    /// the last such closure has ended.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if a closure that writes the
    ///   store calls this method on its own thread; the store then remains open.
    public func close() throws {
        try writing.withLock {
            pool.connections.beginClosing()
            closeWriter()
        }
        // The check for commits of others uses the writing connection, so that this thread must not wait for it
        // earlier.
        subscription.end()
        pool.connections.close()
    }

    private func closeWriter() {
        writer.withLock { connection in
            connection?.close()
            connection = nil
        }
    }

    deinit {
        // A store that was not closed also releases its connections; this loses no committed data.
        closeWriter()
        pool.connections.close()
    }
}
