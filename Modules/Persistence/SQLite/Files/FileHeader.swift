import Foundation
import StrataCore
import StrataFiles

/// The first 100 bytes of a database file (sqlite.org/fileformat2.html, section 1.3).
struct FileHeader {
    private static let magic = Array("SQLite format 3\u{0}".utf8)

    var isSQLite: Bool
    var applicationID: Int32 = 0
    var formatVersion: Int32 = 0
    /// A Boolean value that indicates whether the database uses a write-ahead log.
    var usesLog = false

    init(path: String) throws {
        let bytes = try Self.bytes(of: path, count: 100)
        isSQLite = bytes.count == 100 && bytes.starts(with: Self.magic)
        guard isSQLite else { return }
        func number(at offset: Int) -> Int32 {
            Int32(bitPattern: bytes[offset..<(offset + 4)].reduce(0) { $0 << 8 | UInt32($1) })
        }
        usesLog = bytes[18] == 2 || bytes[19] == 2
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
        guard let file = OpenFile(path: path, O_RDONLY) else {
            throw PersistenceError.system(errno, "the store cannot be opened", path: path)
        }
        do { return try file.bytes(count) } catch {
            throw PersistenceError.system(error.number, "the store cannot be read", path: path)
        }
    }
}
