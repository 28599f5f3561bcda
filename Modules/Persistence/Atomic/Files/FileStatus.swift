import Foundation
import StrataCore

/// The status of a file that the system reports.
struct FileStatus: Equatable {
    /// The identity of a file, independently of its name.
    struct Identity: Equatable {
        let device: UInt64
        let number: UInt64
    }

    let identity: Identity
    let byteCount: Int64
    /// The time of the last write, in seconds and nanoseconds.
    let written: [Int64]
    let isDirectory: Bool
    let isRegular: Bool
    /// The permission bits.
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

    /// Returns the status of a file that may be a store.
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

    /// Returns a Boolean value that indicates whether the file is the one of another status and unchanged.
    ///
    /// A file is unchanged if its size and its write time are the same.
    func isUnchanged(since other: FileStatus) -> Bool {
        identity == other.identity && byteCount == other.byteCount && written == other.written
    }
}
