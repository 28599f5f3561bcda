import Foundation
import StrataCore

/// A file's size and kind.
struct FileStatus {
    var byteCount: Int64
    var isDirectory: Bool
    var isRegular: Bool
    /// Changes whenever somebody writes the file.
    var stamp: [Int64]

    /// `nil` when there is no such file, or it cannot be asked for; `errno` says which.
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
        stamp = [byteCount, Int64(changed.tv_sec), Int64(changed.tv_nsec), Int64(truncatingIfNeeded: status.st_ino)]
    }

    /// Where a path leads, symbolic links followed; the path itself where that is nowhere.
    static func resolved(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }
}

/// What the first 100 bytes of a database file say (sqlite.org/fileformat2.html, section 1.3).
struct FileHeader {
    private static let magic = Array("SQLite format 3\u{0}".utf8)

    var isSQLite: Bool
    var applicationID: Int32 = 0
    var formatVersion: Int32 = 0

    init(path: String) throws {
        var bytes = [UInt8](repeating: 0, count: 100)
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            let code: PersistenceError.Code = errno == EACCES || errno == EPERM ? .permissionDenied : .inputOutput
            throw PersistenceError(code, "the store cannot be opened: \(String(cString: strerror(errno)))", path: path)
        }
        defer { close(descriptor) }
        let count = read(descriptor, &bytes, bytes.count)
        guard count >= 0 else {
            throw PersistenceError(
                .inputOutput, "the store cannot be read: \(String(cString: strerror(errno)))", path: path)
        }
        isSQLite = count == bytes.count && bytes.starts(with: Self.magic)
        guard isSQLite else { return }
        func number(at offset: Int) -> Int32 {
            Int32(bitPattern: bytes[offset..<(offset + 4)].reduce(0) { $0 << 8 | UInt32($1) })
        }
        formatVersion = number(at: 60)
        applicationID = number(at: 68)
    }
}
