import Foundation
import StrataCore

/// The file into which a copy of a store is written.
struct SQLiteCopyTarget {
    /// The previous content of the file.
    enum Found {
        /// The file did not exist, and the copy created it.
        case nothing
        /// An incomplete store that an interrupted process left.
        case leftover
        /// A store or an empty file that is to be replaced.
        case store
    }

    private let path: String
    private let registration: SQLiteOpenFiles.Registration?
    let found: Found

    /// Reserves the file, and creates it if it does not exist.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/cannotCreate`` for a file that must not be
    ///   replaced, ``PersistenceError/Code/locked`` for a file that this process has open, or another error of the file
    ///   system.
    init(path: String, replacesStore: Bool) throws {
        self.path = path
        (found, registration) = try SQLiteOpenFiles.shared.alone {
            let isOpen = SQLiteOpenFiles.shared.contains(path)
            if isOpen { throw replacesStore ? Self.inUse(path) : Self.taken(path) }
            let found = try Self.find(path, replacesStore)
            if case .nothing = found { try Self.make(path) }
            return (found, SQLiteOpenFiles.shared.register(path))
        }
    }

    static func inUse(_ path: String) -> PersistenceError {
        PersistenceError(.locked, "the store is in use; close it first", path: path)
    }

    static func taken(_ path: String) -> PersistenceError {
        PersistenceError(
            .cannotCreate, "the file exists already; choose another path, or allow its replacement", path: path)
    }

    private static func find(_ path: String, _ replacesStore: Bool) throws -> Found {
        guard let status = FileStatus(path: path) else { return .nothing }
        if replacesStore {
            // A file that is not a store is rejected.
            _ = try SQLiteFile(path: path).inspect()
            return .store
        }
        // If the creation of a store was interrupted, the file is empty after its journal has been rolled back.
        let isHalfWritten = try FileHeader.hasJournal(forFileAt: path)
        guard status.isRegular, status.byteCount == 0 || isHalfWritten else { throw taken(path) }
        return .leftover
    }

    /// Creates an empty file, and throws if another process has created it.
    private static func make(_ path: String) throws {
        let descriptor = open(path, O_RDWR | O_CLOEXEC | O_CREAT | O_EXCL, 0o644)
        guard descriptor >= 0 else {
            if errno == EEXIST { throw taken(path) }
            throw PersistenceError(
                errno == ENOSPC ? .diskFull : .cannotCreate,
                "the copy cannot be written there: \(String(cString: strerror(errno)))", path: path)
        }
        close(descriptor)
    }

    /// Deletes the file if it did not exist before.
    func cancel() {
        guard case .nothing = found else { return }
        // The copy reports its own error. If the deletion fails, an empty file remains, which is acceptable.
        for ending in ["", "-wal", "-shm", "-journal"] { unlink(path + ending) }
    }
}
