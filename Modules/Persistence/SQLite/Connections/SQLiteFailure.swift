import CStrataSQLite
import Foundation
import StrataCore
import StrataStoreKit

/// An error that SQLite reported, with its code and message, before its conversion to ``PersistenceError``.
struct SQLiteFailure: Error {
    var code: Int32
    var message: String
    var sql: String?
    /// The system's error number for a file that cannot be opened, read or written; 0 if there is none.
    var systemError: Int32 = 0

    /// SQLite's primary result code, without the upper bits that contain the extended code.
    var primary: Int32 { code & 0xFF }

    /// The entity and the attributes whose values are not unique, from SQLite's message; `nil` for other errors.
    ///
    /// An example of such a message is `UNIQUE constraint failed: Invoice.year, Invoice.number`.
    private var uniqueColumns: (entity: String, attributes: [String])? {
        guard let colon = message.lastIndex(of: ":") else { return nil }
        let names = message[message.index(after: colon)...].split(separator: ",").map { name in
            name.drop { $0 == " " }.split(separator: ".", maxSplits: 1).map(String.init)
        }
        guard let entity = names.first?.first, names.allSatisfy({ $0.count == 2 }) else { return nil }
        return (entity, names.map { $0[1] })
    }

    func error(path: String, busyTimeout: Duration = .zero) -> PersistenceError {
        var error = PersistenceError(errorCode, text(busyTimeout), path: path)
        if errorCode == .uniqueness, let columns = uniqueColumns {
            error.entity = columns.entity
            error.attribute = columns.attributes.joined(separator: PersistenceError.attributeSeparator)
        }
        error.sql = sql
        error.sqliteCode = code
        return error
    }

    private var errorCode: PersistenceError.Code {
        if message.hasPrefix(SQLiteFunctions.errorPrefix) { return .arithmetic }
        switch primary {
        case SQLITE_BUSY, SQLITE_LOCKED: return .locked
        case SQLITE_READONLY: return .readOnly
        case SQLITE_PERM, SQLITE_AUTH: return .permissionDenied
        case SQLITE_CANTOPEN:
            switch systemError {
            case 0, EACCES, EPERM, EROFS: return .permissionDenied
            case ENOENT, ENOTDIR: return .cannotCreate
            case ENOSPC, EDQUOT: return .diskFull
            default: return .inputOutput
            }
        case SQLITE_NOTADB: return .notADatabase
        case SQLITE_CORRUPT: return .corrupt
        case SQLITE_FULL: return .diskFull
        case SQLITE_IOERR: return systemError == ENOSPC || systemError == EDQUOT ? .diskFull : .inputOutput
        case SQLITE_CONSTRAINT:
            switch code {
            case strata_constraint_foreign_key: return .danglingReference
            case strata_constraint_unique, strata_constraint_primary_key, strata_constraint_rowid: return .uniqueness
            default: return .database
            }
        // Statements use only the tables of the store. If a table or column is missing, another program has changed the
        // schema. SQLite never writes a format that it does not know.
        case SQLITE_ERROR where Self.changedSchema.contains { message.hasPrefix($0) }: return .corrupt
        default: return .database
        }
    }

    /// The beginnings of SQLite's messages that a table or column is missing or that the schema cannot be read.
    private static let changedSchema = [
        "no such table: ", "no such column: ", "no such index: ", "unsupported file format",
    ]

    private var systemText: String {
        systemError == 0 ? "" : " (\(String(cString: strerror(systemError))))"
    }

    /// Returns a duration as readable text: `1 second`, `5 seconds`, `0.03 seconds`.
    private static func text(_ time: Duration) -> String {
        let seconds = time / .seconds(1)
        guard let whole = Int(exactly: seconds) else { return "\(seconds) seconds" }
        return "\(whole) \(whole == 1 ? "second" : "seconds")"
    }

    private func text(_ busyTimeout: Duration) -> String {
        switch errorCode {
        case .arithmetic: String(message.dropFirst(SQLiteFunctions.errorPrefix.count))
        case .locked:
            "another process or connection has held the store locked for longer than \(Self.text(busyTimeout)); try again, or raise the busy timeout"
        case .uniqueness: PersistenceError.taken(uniqueColumns?.attributes ?? [])
        case .diskFull: "the disk is full; nothing was written"
        case .notADatabase: "this is not a SQLite database"
        case .corrupt: "the database is damaged: \(message)"
        case .readOnly: "the store cannot be written: \(message)"
        case .permissionDenied, .inputOutput, .cannotCreate:
            "the store cannot be opened, read or written: \(message)\(systemText)"
        default: "SQLite: \(message)"
        }
    }
}
