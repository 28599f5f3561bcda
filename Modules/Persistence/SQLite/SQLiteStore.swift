public import Foundation
public import StrataCore
import StrataSQL

/// A store in a SQLite file: write-ahead log, one writer, several readers, safe between processes.
///
/// A reader never waits for the writer; two writers wait for each other up to the busy timeout. Saves survive the end of the process at any
/// moment; what a power failure may take is said by ``Durability``.
public final class SQLiteStore: PersistentStore {
    /// The model the store was opened with.
    public let model: ManagedObjectModel
    /// The file.
    public let url: URL
    /// Whether the store was opened for reading, or cannot be written by this process.
    public let isReadOnly: Bool

    let layout: SQLLayout
    let identifier: UUID
    let pool: SQLiteConnectionPool
    private let durability: Durability
    /// The one connection that writes, made when it is first needed; used by whoever holds ``writing``.
    private let writer = Guarded<SQLiteConnection?>(nil)
    private let writing = WriterLock()
    /// The checkpoints of this store; changed only while ``writing`` is held.
    let checkpoint = Guarded(SQLiteCheckpoint())
    /// What has the store follow the model in the first bulk write; `nil` where it is the model's.
    ///
    /// Used by whoever holds ``writing``.
    let following: Guarded<SQLiteMigration?>

    init(
        url: URL, layout: SQLLayout, identifier: UUID, isReadOnly: Bool, durability: Durability,
        pool: SQLiteConnectionPool, following: SQLiteMigration? = nil
    ) {
        self.following = Guarded(following)
        self.durability = durability
        self.url = url
        model = layout.model
        self.layout = layout
        self.identifier = identifier
        self.isReadOnly = isReadOnly
        self.pool = pool
    }

    /// Runs `body` on the writing connection, alone.
    func withWriter<Result: Sendable>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
        guard !isReadOnly else {
            throw PersistenceError(.readOnly, "the store is open for reading only", path: url.path)
        }
        return try writing.withLock {
            try pool.checkOpen()
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
        let connection = try pool.makeConnection()
        switch durability {
        case .normal:
            // SQLite's own default waits for the disk at every commit. Without the log less than that could spoil the file.
            guard try connection.text("PRAGMA journal_mode") == "wal" else { break }
            try connection.execute("PRAGMA synchronous = NORMAL")
        case .full:
            // With the log the same as FULL; without it the journal's removal reaches the disk too (sqlite.org/pragma.html#pragma_synchronous).
            try connection.execute("PRAGMA synchronous = EXTRA")
        }
        return connection
    }

    var closedError: PersistenceError {
        PersistenceError(.closed, "the store was closed", path: url.path)
    }

    /// Returns kind, identifier, format version, library, the size of file and log in bytes, and the log's state.
    public func information() throws -> StoreInformation {
        try pool.withConnection { connection in
            var information = try connection.information(identifier)
            information.log?.checkpoints = checkpoint.withLock(\.counts)
            return information
        }
    }

    /// The text that was kept under a key.
    public func metadata(forKey key: String) throws -> String? {
        try pool.withConnection {
            try $0.text(layout.metadataSelection, .string(SQLLayout.userKeyPrefix + key))
        }
    }

    /// Waits for calls under way, writes the log back into the file and closes; the file is then alone in its folder.
    ///
    /// From inside a block that the store runs on this thread to give it rows nothing is waited for: the block goes on to its end, a cursor's
    /// gets no further row, and the file is alone when the last such block has ended.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` from inside a block that writes the store on this thread; the
    ///   store is then open as before.
    public func close() throws {
        try writing.withLock {
            pool.beginClosing()
            closeWriter()
        }
        pool.close()
    }

    private func closeWriter() {
        writer.withLock { connection in
            connection?.close()
            connection = nil
        }
    }

    deinit {
        // A store nobody closed gives its connections back all the same; nothing uncommitted is lost by that.
        closeWriter()
        pool.close()
    }
}
