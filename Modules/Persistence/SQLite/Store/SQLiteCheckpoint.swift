import CStrataSQLite
import Foundation
import StrataCore

/// The checkpoints of a store, which move its write-ahead log into its file when the log exceeds a size.
///
/// In SQLite 3.7.0 to 3.51.2, a checkpoint can skip committed pages if another connection commits and restarts the log
/// meanwhile (sqlite.org/wal.html#walresetbug). Therefore Strata turns off SQLite's automatic checkpoints. Instead, the
/// store's writing connection takes the write lock, and a second connection runs the checkpoint. Then no process can
/// commit during the checkpoint, and the next commit restarts the log.
///
/// The checkpoint is PASSIVE. A TRUNCATE checkpoint would change `PRAGMA data_version` of other connections, and a
/// RESTART checkpoint runs without the write lock if it cannot take it. When the last connection to the file closes,
/// SQLite runs its own checkpoint under an exclusive lock.
struct SQLiteCheckpoint {
    /// The count of frames in the log from which a checkpoint runs; after a failed attempt, the log must grow by the
    /// same count before the next attempt.
    ///
    /// A frame is a page with a header. With SQLite's default page size, this count of frames has about 16 MB.
    static let interval = 4_096

    /// The maximum total time that a checkpoint waits for other writers and for readers of older snapshots.
    ///
    /// The time for reading and writing the disk is not included.
    private static let patience = Duration.milliseconds(200)
    /// The pause between two attempts to complete a checkpoint, in microseconds.
    private static let pause: UInt32 = 2_000

    /// The count of frames in the log from which the next checkpoint runs.
    private var limit = interval
    private(set) var counts = StoreLog.Checkpoints()

    /// Runs a checkpoint if the log has at least ``limit`` frames.
    ///
    /// The method does not throw errors, because the caller's changes are already committed; it only counts them.
    /// - Parameters:
    ///   - writer: The connection that committed the changes; it is in no transaction.
    ///   - pool: The pool that provides the second connection, which runs the checkpoint.
    mutating func runIfNeeded(after writer: SQLiteConnection, pool: SQLiteConnectionPool) {
        // The frames after a commit include those of other processes.
        let frames = writer.logFrames
        if frames <= Self.interval { limit = Self.interval }
        guard frames > limit, !writer.isInTransaction else { return }
        limit = frames + Self.interval
        do {
            try run(on: writer, pool: pool)
        } catch {
            counts.failed += 1
            counts.lastFailure = "\(error)"
        }
    }

    /// Runs a checkpoint regardless of the size of the log.
    ///
    /// - Parameters:
    ///   - writer: The connection that takes the write lock; it is in no transaction.
    ///   - pool: The pool that provides the second connection, which runs the checkpoint.
    ///   - patience: The maximum total time to wait for other writers and for readers of older snapshots.
    ///   - wait: A closure that waits before the next attempt, while the writer has the write lock.
    /// - Throws: ``PersistenceError`` if the file cannot be read or written.
    mutating func run(
        on writer: SQLiteConnection, pool: SQLiteConnectionPool, patience: Duration = patience,
        wait: () throws -> Void = { usleep(pause) }
    ) throws {
        let isDone = try pool.withConnection { other in
            try Self.moveLog(of: writer, through: other, patience, wait)
        }
        if isDone { counts.completed += 1 } else { counts.heldBack += 1 }
    }

    /// Copies the log into the file and waits until no reader needs the log, so that the next commit restarts the log.
    ///
    /// The writer's transaction is a reader of the log, too. It needs the log if it began before all frames were in the
    /// file, and it reads an older snapshot if other readers use all read marks of the log. Therefore each attempt
    /// begins a new transaction.
    /// - Returns: `true` if the next commit restarts the log; `false` if `patience` has expired before.
    private static func moveLog(
        of writer: SQLiteConnection, through other: SQLiteConnection, _ patience: Duration, _ wait: () throws -> Void
    ) throws -> Bool {
        let clock = ContinuousClock()
        // SQLite opens the log of a connection at its first read, and a checkpoint before the first read has no effect.
        _ = try other.number("PRAGMA schema_version")
        /// The count of frames in the log when the last attempt found that all of them are in the file.
        var completeFrames: Int32?
        var remaining = patience
        var isLocked = false
        while true {
            remaining -= try clock.measure { isLocked = try writer.beginWriting(waitingFor: remaining) }
            guard isLocked else { return false }
            defer { writer.rollBack() }
            let log = try other.checkpoint()
            let beganComplete = log.isComplete && log.frames == completeFrames
            if beganComplete, other.walIndex?.hasReaders != true { return true }
            guard remaining > .zero else { return false }
            if beganComplete || !log.isComplete { remaining -= try clock.measure(wait) }
            completeFrames = log.isComplete ? log.frames : nil
        }
    }
}

extension SQLiteConnection {
    /// The result of a PASSIVE checkpoint.
    struct CheckpointedLog {
        /// The count of frames in the log; -1 if the store has no log.
        var frames: Int32 = -1
        /// The count of frames that the checkpoint has copied into the file, including earlier ones.
        var movedFrames: Int32 = -1
        /// A Boolean value that indicates whether the checkpoint ran and all frames of the log are in the file.
        var isComplete = false
    }

    /// Runs a PASSIVE checkpoint, which waits for no lock.
    fileprivate func checkpoint() throws -> CheckpointedLog {
        var log = CheckpointedLog()
        let code = sqlite3_wal_checkpoint_v2(
            handle, "main", SQLITE_CHECKPOINT_PASSIVE, &log.frames, &log.movedFrames)
        // Another connection runs a checkpoint.
        if code & 0xFF == SQLITE_BUSY { return log }
        try check(code)
        log.isComplete = log.movedFrames >= log.frames
        return log
    }

    /// Begins a transaction with the write lock.
    ///
    /// - Returns: `false` if another connection has the lock for longer than `patience`.
    fileprivate func beginWriting(waitingFor patience: Duration) throws -> Bool {
        setBusyTimeout(min(busyTimeout, max(.zero, patience)))
        defer { setBusyTimeout() }
        do {
            try execute("BEGIN IMMEDIATE")
            return true
        } catch let error as PersistenceError where error.code == .locked {
            return false
        }
    }
}
