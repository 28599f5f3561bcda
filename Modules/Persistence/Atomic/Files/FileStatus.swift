import Foundation
import StrataCore

/// The properties of a file that the system reports.
struct FileStatus: Equatable {
    /// The device and number of a file, which identify the file independently of its name.
    struct Identity: Equatable {
        let device: UInt64
        let number: UInt64
    }

    let identity: Identity
    let byteCount: Int64
    /// The time of the last write to the file, in seconds and nanoseconds.
    let written: [Int64]
    let isDirectory: Bool
    let isRegular: Bool
    /// The permission bits of the file.
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

    /// Returns the status of the file at a path, if it can be the file of a store.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - name: The name of the file for error messages.
    /// - Returns: The status, or `nil` if there is no file.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/notADatabase`` if the path is not a regular
    ///   file.
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
            throw PersistenceError(.notADatabase, "this is not a regular file and therefore not a store", path: name)
        }
        return found
    }

    /// Returns a Boolean value that indicates whether this status and an earlier one describe the same, unchanged file.
    ///
    /// A file counts as unchanged if its size and the time of its last write are the same.
    func isUnchanged(since other: FileStatus) -> Bool {
        identity == other.identity && byteCount == other.byteCount && written == other.written
    }
}
