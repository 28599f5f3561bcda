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
    private let writer: Guarded<Writer>
    private let writing = WriterLock()

    /// The one connection that writes, made when it is first needed.
    struct Writer {
        var connection: SQLiteConnection?
        var isClosed = false
    }

    init(
        url: URL, layout: SQLLayout, identifier: UUID, isReadOnly: Bool, durability: Durability,
        pool: SQLiteConnectionPool
    ) {
        self.durability = durability
        self.url = url
        model = layout.model
        self.layout = layout
        self.identifier = identifier
        self.isReadOnly = isReadOnly
        self.pool = pool
        writer = Guarded(Writer())
    }

    /// Runs `body` on the writing connection, alone.
    func withWriter<Result: Sendable>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
        guard !isReadOnly else {
            throw PersistenceError(.readOnly, "the store is open for reading only", path: url.path)
        }
        return try writing.withLock {
            try writer.withLock { writer in
                guard !writer.isClosed else { throw closedError }
                if writer.connection?.isClosed == true { writer.connection = nil }
                let connection = try writer.connection ?? makeWriter()
                writer.connection = connection
                return try body(connection)
            }
        }
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

    /// What the store is: kind, identifier, format version, and the size of its file and log in bytes.
    public func information() throws -> StoreInformation {
        let version = try pool.withConnection { try $0.number("PRAGMA user_version") }
        let sizes = ["", "-wal"].map { FileStatus(path: url.path + $0)?.byteCount ?? 0 }
        return StoreInformation(
            kind: "SQLite", identifier: identifier, formatVersion: version.map { Int($0) },
            byteCount: sizes.reduce(0, +))
    }

    /// The text that was kept under a key.
    public func metadata(forKey key: String) throws -> String? {
        try pool.withConnection {
            try $0.text(layout.metadataSelection, .string(SQLLayout.userKeyPrefix + key))
        }
    }

    /// Waits for calls under way, writes the log back into the file and closes; the file is then alone in its folder.
    public func close() throws {
        pool.close()
        try writing.withLock {
            writer.withLock { writer in
                writer.isClosed = true
                writer.connection?.close()
                writer.connection = nil
            }
        }
        pool.closeLast()
    }

    deinit {
        // A store nobody closed gives its connections back all the same; nothing uncommitted is lost by that.
        pool.close()
        pool.closeLast()
    }
}
