import Foundation
import StrataCore
import StrataFiles

/// The file into which a copy of a store is written.
struct SQLiteCopyTarget {
    /// The content of the file before the copy.
    enum Found {
        /// There was no file; the copy has created an empty one.
        case nothing
        /// The file contained an incomplete store that an interrupted process left.
        case leftover
        /// The file contained a store or was empty, and will be replaced.
        case store
    }

    private let path: String
    private let registration: SQLiteOpenFiles.Registration?
    let found: Found

    /// Reserves the file at a path for the copy, and creates the file if it does not exist.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/cannotCreate`` if the file must not be
    ///   replaced, with code ``PersistenceError/Code/locked`` if this process has the file open, or with another code
    ///   if the file system reports an error.
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

    /// Creates an empty file at a path; throws if another process has created a file there.
    private static func make(_ path: String) throws {
        guard OpenFile(path: path, O_RDWR | O_CREAT | O_EXCL, mode: 0o644) == nil else { return }
        let error = FileError("the copy cannot be written there")
        if error.number == EEXIST { throw taken(path) }
        throw PersistenceError(
            error.number == ENOSPC ? .diskFull : .cannotCreate,
            "\(error.operation): \(error.reason)", path: path)
    }

    /// Deletes the file if the copy has created it.
    func cancel() {
        guard case .nothing = found else { return }
        // The copy reports its own error. If the deletion fails, an empty file remains, which is acceptable.
        for ending in ["", "-wal", "-shm", "-journal"] { unlink(path + ending) }
    }
}
