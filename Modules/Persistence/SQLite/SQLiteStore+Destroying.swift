public import Foundation

extension SQLiteStore {
    /// Removes a store: its file, its log and its log's index.
    ///
    /// Where there is none, nothing happens. Goes through SQLite, so that a store somebody else has open is not pulled away under them.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/foreignStore`` or ``PersistenceError/Code/notADatabase`` when the
    ///   file is not a Strata store, ``PersistenceError/Code/locked`` when somebody else uses it.
    public static func destroy(at url: URL, busyTimeout: Duration = .seconds(5)) throws {
        let path = url.path
        if try SQLiteFile(path: path).inspect() == .store {
            let connection = try SQLiteConnection(path: path, access: .readWrite, busyTimeout: busyTimeout)
            defer { connection.close() }
            // Leaving the log is possible only for the sole connection; it ends with a single file that nobody has open.
            guard try connection.text("PRAGMA journal_mode = DELETE") == "delete" else {
                throw PersistenceError(.locked, "the store is in use; close it first", path: path)
            }
            try connection.execute("BEGIN EXCLUSIVE")
            try remove(path)
            connection.rollBack()
        } else if FileStatus(path: path) != nil {
            try remove(path)
        }
        for companion in ["-wal", "-shm", "-journal"] { try remove(path + companion) }
    }

    private static func remove(_ path: String) throws {
        guard unlink(path) != 0, errno != ENOENT else { return }
        let code: PersistenceError.Code =
            errno == EACCES || errno == EPERM || errno == EROFS ? .permissionDenied : .inputOutput
        throw PersistenceError(code, "the file cannot be removed: \(String(cString: strerror(errno)))", path: path)
    }
}
