import CStrataSQLite
import Foundation
import StrataCore
import StrataFiles

/// The part of the shared memory of a log that contains its frames and its readers (sqlite.org/walformat.html).
///
/// Other processes write the memory at any time, so its values may be from different moments.
struct SQLiteWALIndex {
    /// The size of the header of a frame in bytes.
    static let frameHeaderSize = 24

    /// A lock that a reader holds while it uses the log.
    private struct Slot {
        /// The count of slots, each of which several readers may share.
        static let count = 5

        var number: Int
        /// The count of frames that a reader of this slot may need; 0 for slot 0, whose readers use the file only.
        var frames: UInt32
        var isLocked: Bool
    }

    /// The count of frames of the log.
    let frames: Int
    /// The count of frames of the log that are in the file.
    let movedFrames: Int
    /// The size of a page in bytes.
    let pageSize: Int
    private let slots: [Slot]

    /// The size of a region of shared memory, which SQLite fixes.
    private static let regionSize: Int32 = 32 << 10

    /// Reads the shared memory through the file of a connection, which is in no transaction.
    ///
    /// Another descriptor of the shared memory must not be used, because the process would lose its locks when it
    /// closes the descriptor.
    /// - Returns: `nil` without a log.
    init?(_ connection: SQLiteConnection) {
        var opened: UnsafeMutablePointer<sqlite3_file>?
        guard sqlite3_file_control(connection.handle, "main", SQLITE_FCNTL_FILE_POINTER, &opened) == SQLITE_OK,
            let file = opened, let methods = file.pointee.pMethods, methods.pointee.iVersion >= 2,
            let map = methods.pointee.xShmMap, let lock = methods.pointee.xShmLock
        else { return nil }
        var region: UnsafeMutableRawPointer?
        guard map(file, 0, Self.regionSize, 0, &region) == SQLITE_OK, let region else { return nil }
        // SAFETY: SQLite keeps the region mapped until the connection is closed; all offsets are inside it.
        let memory = UnsafeRawPointer(region)
        func number(at offset: Int) -> UInt32 { memory.load(fromByteOffset: offset, as: UInt32.self) }
        let size = Int(memory.load(fromByteOffset: 14, as: UInt16.self))
        // 65,536 does not fit into two bytes and is written as 1.
        pageSize = size == 1 ? 65_536 : size
        frames = Int(number(at: 16))
        movedFrames = Int(number(at: 96))
        slots = (0..<Slot.count).map { index in
            let offset = Self.firstReadLock + Int32(index)
            let code = lock(file, offset, 1, SQLITE_SHM_LOCK | SQLITE_SHM_EXCLUSIVE)
            if code == SQLITE_OK { _ = lock(file, offset, 1, SQLITE_SHM_UNLOCK | SQLITE_SHM_EXCLUSIVE) }
            return Slot(number: index, frames: number(at: 100 + 4 * index), isLocked: code & 0xFF == SQLITE_BUSY)
        }
    }

    /// The offset of the readers' locks, which follow the locks for writing, for checkpoints and for recovery.
    private static let firstReadLock: Int32 = 3

    /// A Boolean value that indicates whether a reader uses the log, so that the log cannot be restarted.
    var hasReaders: Bool { slots.contains { $0.number > 0 && $0.isLocked } }

    /// The slot of the oldest reader that prevents a copy of frames into the file, or the restart of a complete log.
    private var blockingSlot: Slot? {
        slots.filter { slot in
            slot.isLocked && (slot.number == 0 ? movedFrames < frames : slot.frames < frames)
        }.min { $0.frames < $1.frames }
    }

    /// The byte of the shared memory that a reader of slot 0 locks (sqlite.org/walformat.html, section 2.3).
    ///
    /// A reader of another slot locks a later byte.
    private static let firstLockByte = 123

    /// Returns the reader that prevents progress of the log.
    ///
    /// - Parameter path: The path of the database file.
    /// - Returns: The oldest reader of an older snapshot; `nil` if there is none.
    func blockingReader(path: String) -> StoreLog.Reader? {
        guard let slot = blockingSlot else { return nil }
        let process = FileLocks.processes(locking: Self.firstLockByte + slot.number, of: path + "-shm").first
        // A checkpoint made the last write into the file. The reader prevented every later checkpoint.
        let checkpoint = FileStatus(path: path)?.modified ?? .now
        let began = max(checkpoint, process?.started ?? .distantPast)
        return StoreLog.Reader(
            processID: process?.id, processName: process?.name, age: .seconds(max(0, -began.timeIntervalSinceNow)))
    }
}

extension SQLiteConnection {
    /// The shared memory of the log; `nil` without a log.
    var walIndex: SQLiteWALIndex? { SQLiteWALIndex(self) }

    /// Returns information about a store and its file.
    func information(_ identifier: UUID) throws -> StoreInformation {
        let version = try number("PRAGMA user_version")
        let sizes = ["", "-wal"].map { FileStatus(path: path + $0)?.byteCount ?? 0 }
        var information = StoreInformation(
            kind: "SQLite", identifier: identifier, formatVersion: version.map { Int($0) },
            byteCount: sizes.reduce(0, +))
        information.library = SQLiteVersion.current.description
        information.warnings = SQLiteVersion.current.warnings
        guard try text("PRAGMA journal_mode") == "wal" else { return information }
        var log = StoreLog(byteCount: sizes[1])
        if !isInTransaction, let index = walIndex {
            log.unmovedByteCount = Int64(
                max(0, index.frames - index.movedFrames) * (index.pageSize + SQLiteWALIndex.frameHeaderSize))
            log.reader = index.blockingReader(path: path)
        }
        information.log = log
        return information
    }
}
