import Foundation
import StrataCore

/// What the system says of a file.
struct FileStatus: Equatable {
    /// Which file it is, whatever its name.
    struct Identity: Equatable {
        let device: UInt64
        let number: UInt64
    }

    let identity: Identity
    let byteCount: Int64
    /// When its bytes were last written, in seconds and nanoseconds.
    let written: [Int64]
    let isDirectory: Bool
    let isRegular: Bool
    /// Who may do what.
    let permissions: mode_t
    let owner: uid_t
    let group: gid_t

    init(_ status: stat) {
        identity = Identity(
            device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(truncatingIfNeeded: status.st_ino))
        byteCount = Int64(status.st_size)
        #if canImport(Darwin)
        written = [Int64(status.st_mtimespec.tv_sec), Int64(status.st_mtimespec.tv_nsec)]
        #else
        written = [Int64(status.st_mtim.tv_sec), Int64(status.st_mtim.tv_nsec)]
        #endif
        isDirectory = status.st_mode & S_IFMT == S_IFDIR
        isRegular = status.st_mode & S_IFMT == S_IFREG
        permissions = status.st_mode & 0o7777
        (owner, group) = (status.st_uid, status.st_gid)
    }

    /// Looks at a file that may be a store.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - name: What errors call it.
    /// - Returns: What it is; `nil` where there is none.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/notADatabase`` for what is no regular file.
    static func ofStore(at path: String, named name: String) throws -> FileStatus? {
        var status = stat()
        guard stat(path, &status) == 0 else {
            if errno == ENOENT { return nil }
            if errno == ENOTDIR {
                throw PersistenceError(.storeNotFound, "there is no such folder", path: name)
            }
            throw PersistenceError.system(errno, "the store cannot be opened", path: name)
        }
        let found = FileStatus(status)
        guard !found.isDirectory else {
            throw PersistenceError(.notADatabase, "this is a folder, not a store", path: name)
        }
        guard found.isRegular else {
            throw PersistenceError(.notADatabase, "this is no regular file, and so no store", path: name)
        }
        return found
    }

    /// Whether it is the same file with the same bytes, as far as the system tells.
    func isUnchanged(since other: FileStatus) -> Bool {
        identity == other.identity && byteCount == other.byteCount && written == other.written
    }
}
