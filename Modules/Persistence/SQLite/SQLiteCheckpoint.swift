import CStrataSQLite
import Foundation
import StrataCore

/// Moves the log of a store into its file when the log exceeds a size.
///
/// SQLite 3.7.0 to 3.51.2 can skip committed pages if a checkpoint runs while another connection commits and restarts
/// the log (sqlite.org/wal.html#walresetbug). Therefore the connections of the package run no automatic checkpoints.
/// Instead, the store takes the write lock, and a second connection runs the checkpoint. No process can commit
/// meanwhile, and the next commit restarts the log.
///
/// The checkpoint is PASSIVE: TRUNCATE would change `PRAGMA data_version` of other connections, and RESTART runs
/// without the write lock if it cannot take it. When the last connection closes, SQLite runs its own checkpoint under
/// an exclusive lock.
struct SQLiteCheckpoint {
    /// The count of frames at which a checkpoint runs, and by which the log grows until the next attempt.
    ///
    /// A frame is a page and its header, so these are 16 MB with SQLite's default pages.
    static let interval = 4_096

    /// The total time that a checkpoint waits for other writers and for readers of older snapshots.
    ///
    /// The time for disk access does not count.
    private static let patience = Duration.milliseconds(200)
    /// The pause between two attempts, in microseconds.
    private static let pause: UInt32 = 2_000

    /// The count of frames at which the next checkpoint runs.
    private var limit = interval
    private(set) var counts = StoreLog.Checkpoints()

    /// Runs a checkpoint if the log is large enough.
    ///
    /// The method counts an error and does not throw it, because the caller's changes are committed.
    /// - Parameters:
    ///   - writer: The connection that committed; it is in no transaction.
    ///   - pool: The pool of the connection that runs the checkpoint.
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

    /// Runs a checkpoint immediately.
    ///
    /// - Parameters:
    ///   - writer: The connection that writes; it is in no transaction.
    ///   - pool: The pool of the connection that runs the checkpoint.
    ///   - patience: The total time to wait for other writers and for readers of older snapshots.
    ///   - wait: Waits before the next attempt; the write lock is held meanwhile.
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

    /// Copies the log into the file and waits until no reader needs the log.
    ///
    /// The transaction with the write lock is a reader, too. It needs the log if it began before the log was complete.
    /// It needs an older snapshot if other readers occupy all read marks of the log. Therefore the transaction begins
    /// again for each attempt.
    /// - Returns: `true` if the next commit restarts the log; `false` if the time is over.
    private static func moveLog(
        of writer: SQLiteConnection, through other: SQLiteConnection, _ patience: Duration, _ wait: () throws -> Void
    ) throws -> Bool {
        let clock = ContinuousClock()
        // SQLite opens the log of a connection at its first read, and a checkpoint before the first read has no effect.
        _ = try other.number("PRAGMA schema_version")
        /// The count of frames of the log when the last attempt found it complete.
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
    /// The result of a checkpoint.
    struct CheckpointedLog {
        /// The count of frames of the log; -1 without a log.
        var frames: Int32 = -1
        /// The count of frames of the log that are in the file.
        var movedFrames: Int32 = -1
        /// A Boolean value that indicates whether the checkpoint ran and all frames are in the file.
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

    /// Takes the write lock.
    ///
    /// - Returns: `false` if another connection holds the lock longer than the given time.
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
