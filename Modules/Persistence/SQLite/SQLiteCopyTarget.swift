import Foundation
import StrataCore

/// The file that a copy of a store is written to.
struct SQLiteCopyTarget {
    /// What there is to be written over.
    enum Found {
        /// The file was made.
        case nothing
        /// What somebody left who was stopped while making a store.
        case leftover
        /// A store, or an empty file, which is to be replaced.
        case store
    }

    private let path: String
    private let registration: SQLiteOpenFiles.Registration?
    let found: Found

    /// Takes the file, which is made where it is not there.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/cannotCreate`` for a file that is not to be replaced,
    ///   ``PersistenceError/Code/locked`` for one that this process has open, or what else hinders it.
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
            .cannotCreate, "there is a file already, and it is not said that it is to be replaced", path: path)
    }

    private static func find(_ path: String, _ replacesStore: Bool) throws -> Found {
        guard let status = FileStatus(path: path) else { return .nothing }
        if replacesStore {
            // What is no store is refused.
            _ = try SQLiteFile(path: path).inspect()
            return .store
        }
        // Whoever was stopped while making a store left nothing in it, once its journal has been played back.
        let isHalfWritten = try FileHeader.hasJournal(besideFileAt: path)
        guard status.isRegular, status.byteCount == 0 || isHalfWritten else { throw taken(path) }
        return .leftover
    }

    /// Makes an empty file; nobody else can have made it.
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

    /// Leaves nothing where nothing was.
    func giveUp() {
        guard case .nothing = found else { return }
        // What hindered the copy is said; that an empty file stays, if it does, is the lesser evil.
        for ending in ["", "-wal", "-shm", "-journal"] { unlink(path + ending) }
    }
}
