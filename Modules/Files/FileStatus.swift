package import Foundation

/// The properties of a file that the system reports.
package struct FileStatus: Equatable, Sendable {
    /// The device and number of a file, which identify the file independently of its name.
    package struct Identity: Hashable, Sendable {
        /// The number of the device.
        package let device: UInt64
        /// The number of the file on its device (the inode number).
        package let number: UInt64
    }

    /// The device and number of the file.
    package let identity: Identity
    /// The size of the file in bytes.
    package let byteCount: Int64
    /// The seconds and nanoseconds of the time of the last write to the file.
    private let written: [Int64]
    /// A Boolean value that indicates whether the file is a directory.
    package let isDirectory: Bool
    /// A Boolean value that indicates whether the file is a regular file.
    package let isRegular: Bool
    /// The permission bits of the file.
    package let permissions: mode_t
    /// The user that owns the file.
    package let owner: uid_t
    /// The group of the file.
    package let group: gid_t
    /// The count of names of the file.
    let linkCount: Int

    /// Reads the status of the file at a path.
    ///
    /// If this fails, for example because there is no file, the result is `nil` and `errno` contains the reason.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - followsLinks: A Boolean value that indicates whether the status is that of the target of a symbolic link
    ///     (default: true).
    package init?(path: String, followsLinks: Bool = true) {
        var status = stat()
        guard (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
        self.init(status)
    }

    /// Reads the status of an open file; if this fails, the result is `nil` and `errno` contains the reason.
    package init?(descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        identity = Identity(
            device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(truncatingIfNeeded: status.st_ino))
        byteCount = Int64(status.st_size)
        #if canImport(Darwin)
        let time = status.st_mtimespec
        #else
        let time = status.st_mtim
        #endif
        written = [Int64(time.tv_sec), Int64(time.tv_nsec)]
        isDirectory = status.st_mode & S_IFMT == S_IFDIR
        isRegular = status.st_mode & S_IFMT == S_IFREG
        permissions = status.st_mode & 0o7777
        (owner, group, linkCount) = (status.st_uid, status.st_gid, Int(status.st_nlink))
    }

    /// The time of the last write to the file.
    package var modified: Date { Date(timeIntervalSince1970: Double(written[0]) + Double(written[1]) / 1e9) }

    /// A value that changes whenever a process writes the file, or replaces it with another file.
    package var stamp: [Int64] {
        [Int64(bitPattern: identity.device), Int64(bitPattern: identity.number), byteCount] + written
    }
}
