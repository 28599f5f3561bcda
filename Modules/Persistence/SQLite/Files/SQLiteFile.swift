import Foundation
import StrataCore
import StrataFiles

/// A file that may contain a store; it is inspected before SQLite opens it.
struct SQLiteFile {
    let path: String

    enum Found: Equatable {
        case nothing, store
        /// The file contains a store that a process is writing, or that an interrupted process left incomplete.
        ///
        /// When a store is copied page by page, its first page is written last. Until then, the file has no valid
        /// header.
        case unfinished
    }

    private func error(_ code: PersistenceError.Code, _ message: String) -> PersistenceError {
        PersistenceError(code, message, path: path)
    }

    /// Reads the file's first bytes and returns the kind of its content.
    ///
    /// The caller must ensure that no other thread of this process opens a store meanwhile, because closing the file
    /// releases the locks of this process on it.
    func inspect() throws -> Found {
        // A registered file is a store. Another descriptor would release SQLite's locks when it is closed.
        if SQLiteOpenFiles.shared.contains(path) { return .store }
        guard let status = FileStatus(path: path) else {
            if errno == ENOENT { return .nothing }
            let failure = FileError("the store cannot be opened")
            guard failure.number == ENOTDIR else {
                throw PersistenceError.system(failure.number, failure.operation, path: path)
            }
            throw error(.storeNotFound, "\(failure.operation): \(failure.reason)")
        }
        guard !status.isDirectory else { throw error(.notADatabase, "this is a folder, not a database") }
        guard status.isRegular else {
            throw error(.notADatabase, "this is not a regular file and therefore not a database")
        }
        if status.byteCount == 0 { return .nothing }
        let header = try FileHeader(path: path)
        guard header.isSQLite else {
            if try FileHeader.hasJournal(forFileAt: path) { return .unfinished }
            throw error(.notADatabase, "this is not a SQLite database")
        }
        guard header.applicationID == SQLiteFormat.applicationID else {
            throw error(
                .foreignStore, "this is a database of another application, which is only read; nothing was changed")
        }
        guard header.formatVersion <= SQLiteFormat.versionWithHistory else {
            throw error(
                .newerFormat,
                "the store has format \(header.formatVersion), but this version of Strata supports formats up to "
                    + "\(SQLiteFormat.versionWithHistory); use a newer version"
            )
        }
        return .store
    }
}

/// The marks that distinguish the file of a Strata store from other SQLite files.
enum SQLiteFormat {
    /// The application identifier of Strata's databases, “Strt” (see SQLite's magic.txt).
    static let applicationID: Int32 = 0x5374_7274
    /// The current number of the store format, which is raised with every change that older versions of Strata cannot
    /// read.
    ///
    /// Format 2: a store that was migrated to another model contains the count of its migrations. Format 3: a store has
    /// views, which older versions would not drop before they change a table.
    static let version: Int32 = 3
    /// The number of the format of a store that keeps a history, which older versions would not write.
    static let versionWithHistory: Int32 = 4

    /// Returns a Boolean value that indicates whether a format number is that of a format from 1 to `latest`.
    static func isKnown(_ number: Int64, upTo latest: Int32 = versionWithHistory) -> Bool {
        (1...Int64(latest)).contains(number)
    }
}
