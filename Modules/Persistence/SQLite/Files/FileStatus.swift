import Foundation
import StrataCore

/// The size, kind and write time of a file.
struct FileStatus {
    var byteCount: Int64
    var isDirectory: Bool
    var isRegular: Bool
    /// A value that changes whenever a process writes the file.
    var stamp: [Int64]
    /// The time of the last write to the file.
    var modified: Date

    /// Reads the status of the file at a path; if this fails, for example because there is no file, the result is `nil`
    /// and `errno` contains the reason.
    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        byteCount = Int64(status.st_size)
        isDirectory = status.st_mode & S_IFMT == S_IFDIR
        isRegular = status.st_mode & S_IFMT == S_IFREG
        #if canImport(Darwin)
        let changed = status.st_mtimespec
        #else
        let changed = status.st_mtim
        #endif
        modified = Date(timeIntervalSince1970: Double(changed.tv_sec) + Double(changed.tv_nsec) / 1e9)
        stamp = [byteCount, Int64(changed.tv_sec), Int64(changed.tv_nsec), Int64(truncatingIfNeeded: status.st_ino)]
    }

    /// Returns a path with symbolic links resolved, or the path itself if no file exists there.
    static func resolved(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }
}

/// The first 100 bytes of a database file (sqlite.org/fileformat2.html, section 1.3).
struct FileHeader {
    private static let magic = Array("SQLite format 3\u{0}".utf8)

    var isSQLite: Bool
    var applicationID: Int32 = 0
    var formatVersion: Int32 = 0

    init(path: String) throws {
        let bytes = try Self.bytes(of: path, count: 100)
        isSQLite = bytes.count == 100 && bytes.starts(with: Self.magic)
        guard isSQLite else { return }
        func number(at offset: Int) -> Int32 {
            Int32(bitPattern: bytes[offset..<(offset + 4)].reduce(0) { $0 << 8 | UInt32($1) })
        }
        formatVersion = number(at: 60)
        applicationID = number(at: 68)
    }

    /// The first bytes of a rollback journal of SQLite (sqlite.org/fileformat2.html, section 3).
    private static let journalMagic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]

    /// Returns a Boolean value that indicates whether a rollback journal of SQLite exists for a file.
    ///
    /// If so, SQLite rolls back an incomplete transaction when it opens the file.
    static func hasJournal(forFileAt path: String) throws -> Bool {
        guard FileStatus(path: path + "-journal")?.isRegular == true else { return false }
        return try bytes(of: path + "-journal", count: journalMagic.count) == journalMagic
    }

    /// Returns the first bytes of a file, or all bytes if the file is shorter.
    private static func bytes(of path: String, count: Int) throws -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            let code: PersistenceError.Code = errno == EACCES || errno == EPERM ? .permissionDenied : .inputOutput
            throw PersistenceError(code, "the store cannot be opened: \(String(cString: strerror(errno)))", path: path)
        }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: count)
        let found = read(descriptor, &bytes, count)
        guard found >= 0 else {
            throw PersistenceError(
                .inputOutput, "the store cannot be read: \(String(cString: strerror(errno)))", path: path)
        }
        return Array(bytes.prefix(found))
    }
}
