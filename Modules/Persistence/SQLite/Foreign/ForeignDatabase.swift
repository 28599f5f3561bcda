import CStrataSQLite
package import Foundation
package import StrataCore
import StrataFiles

/// A SQLite database that another program created, which is only read.
///
/// The database is input: its triggers and functions do not run, and no file beside it is created or changed. All
/// tables are read from one snapshot. A database with a log is copied first.
package final class ForeignDatabase {
    /// The largest value in bytes: as base64 it fits in the largest record that an import reads, 128 MiB.
    private static let mostBytesOfValue: Int32 = 96 << 20
    /// The maximum nesting depth of an expression in the schema, which is SQLite's default: a schema with deeper ones
    /// cannot be created.
    private static let deepestExpression: Int32 = 1_000
    /// The maximum time in which all rows of a view must be computed.
    private static let mostTimeOfView = Duration.seconds(60)
    /// The count of attempts to copy a database that another program changes meanwhile.
    private static let mostCopies = 3

    /// The path of the database.
    package let path: String
    /// The tables that can be read, in the order of their names.
    package private(set) var tables: [ForeignTable] = []
    /// Sentences about tables, columns and values that are not read as they are declared.
    package private(set) var notes: [String] = []

    /// The notes about columns with values of several kinds.
    package private(set) var mixedColumns: [String] = []

    /// The file to which the path leads.
    private let file: String
    private let readsTimes: Bool
    private let connection: SQLiteConnection
    /// The stamp of a file that is read without locks, because no other program had it open.
    private let unlocked: FileStatus?

    /// Returns a Boolean value that indicates whether a file is a SQLite database that is not a store of Strata.
    ///
    /// - Throws: ``PersistenceError`` if the file exists and cannot be read.
    package static func isForeign(_ path: String) throws -> Bool {
        guard FileStatus(path: path)?.isRegular == true else { return false }
        let header = try FileHeader(path: path)
        return header.isSQLite && header.applicationID != SQLiteFormat.applicationID
    }

    /// Opens a database, begins a snapshot, and reads all values once to find the types of the columns.
    ///
    /// - Parameters:
    ///   - path: The path of the database.
    ///   - readsTimes: A Boolean value that indicates whether whole numbers in date columns are times.
    ///   - readsViews: A Boolean value that indicates whether views are read like tables.
    ///   - folder: A folder for temporary files, to which a database with a log is copied.
    ///   - isCancelled: A closure that returns whether the reading should be cancelled.
    /// - Throws: ``PersistenceError`` if the database cannot be read, `CancellationError`.
    package init(
        _ path: String, readsTimes: Bool = true, readsViews: Bool = false, copyingTo folder: URL,
        isCancelled: @escaping @Sendable () -> Bool
    ) throws {
        (self.path, self.readsTimes) = (path, readsTimes)
        var opened: SQLiteConnection?
        do {
            // SQLite looks for the log beside the file to which a link leads.
            guard let target = FilePath.followingLinks(path) else {
                throw PersistenceError(.inputOutput, "there are too many symbolic links", path: path)
            }
            file = target
            let hasLog = Self.hasContent(target + "-wal")
            var (copied, access) = (target, SQLiteConnection.Access.readOnly)
            var unlocked: FileStatus?
            if hasLog {
                // SQLite would write the index of the log to read the file in place.
                copied = try Self.copy(target, to: folder)
            } else if try FileHeader(path: target).usesLog {
                // SQLite would create the log and its index to read such a file with locks.
                (access, unlocked) = (.immutable, FileStatus(path: target))
            }
            self.unlocked = unlocked
            let connection = try SQLiteConnection(path: copied, access: access, busyTimeout: .seconds(5))
            (self.connection, opened) = (connection, connection)
            sqlite3_limit(connection.handle, SQLITE_LIMIT_LENGTH, Self.mostBytesOfValue)
            sqlite3_limit(connection.handle, SQLITE_LIMIT_EXPR_DEPTH, Self.deepestExpression)
            sqlite3_limit(connection.handle, SQLITE_LIMIT_ATTACHED, 0)
            try read(readsViews: readsViews, isCopy: hasLog, isCancelled)
        } catch {
            opened?.close()
            throw Self.explained(error, path)
        }
    }

    private static func hasContent(_ path: String) -> Bool { FileStatus(path: path).map { $0.byteCount > 0 } ?? false }

    private func read(readsViews: Bool, isCopy: Bool, _ isCancelled: @escaping @Sendable () -> Bool) throws {
        try connection.execute("BEGIN")
        try connection.cancelling(if: isCancelled) {
            if isCopy { try checkCopy() }
            (tables, notes) = try ForeignSchema(connection, readsViews: readsViews).read()
        }
        for table in tables { try readTypes(of: table, isCancelled) }
        tables.removeAll { $0.columns.isEmpty }
        try connection.cancelling(if: isCancelled) {
            for place in tables.indices {
                notes += try ForeignReferences(tables, connection).check(&tables[place])
            }
        }
    }

    /// Returns an error with the path that the user knows, and with the remedy for an interrupted transaction.
    private static func explained(_ error: any Error, _ path: String) -> any Error {
        guard var error = error as? PersistenceError else { return error }
        error.path = path
        let isInterrupted = [.readOnly, .cannotCreate].contains(error.code)
        if isInterrupted, hasContent((FilePath.followingLinks(path) ?? path) + "-journal") {
            error.message += "; a program was interrupted while it changed the database: open it once with that program"
        }
        return error
    }

    /// Copies a database and its log, and returns the path of the copy.
    private static func copy(_ path: String, to folder: URL) throws -> String {
        let copy = folder.appendingPathComponent("copy.sqlite").path
        func stamps() -> [FileStatus?] { [path, path + "-wal"].map { FileStatus(path: $0) } }
        for _ in 0..<mostCopies {
            let before = stamps()
            for ending in ["", "-wal"] {
                // The first copy finds no file; if an old one remains, the copy fails and says so.
                try? FileManager.default.removeItem(atPath: copy + ending)
                do { try FileManager.default.copyItem(atPath: path + ending, toPath: copy + ending) } catch {
                    let number = ((error as? CocoaError)?.underlying as? POSIXError)?.code.rawValue ?? EIO
                    throw PersistenceError.system(number, "the database cannot be copied", path: path)
                }
            }
            if stamps() == before { return copy }
        }
        throw PersistenceError(
            .locked, "another program changes the database; try again when it is idle", path: path)
    }

    private func checkCopy() throws {
        guard let problem = try connection.text("PRAGMA quick_check(1)"), problem != "ok" else { return }
        throw PersistenceError(.corrupt, "the database is damaged: \(problem)", path: path)
    }

    /// Reads all values of a table and decides the types of its columns; omits a view that cannot be read.
    private func readTypes(of given: ForeignTable, _ isCancelled: @escaping @Sendable () -> Bool) throws {
        guard let place = tables.firstIndex(where: { $0.label == given.label }) else { return }
        let end = ContinuousClock.now + Self.mostTimeOfView
        do {
            let isOver = { @Sendable in isCancelled() || (given.isView && ContinuousClock.now > end) }
            try connection.cancelling(if: isOver) {
                let rows = try ForeignRows(given, on: connection)
                defer { rows.end() }
                var statistics = given.columns.map { _ in ForeignColumnStatistics() }
                while try rows.step() {
                    tables[place].rowCount += 1
                    for (index, column) in given.columns.enumerated() {
                        statistics[index].add(
                            rows.raw(index), row: tables[place].rowCount, dateLike: column.isDateLike)
                    }
                }
                let found = tables[place].decide(statistics, readsTimes: readsTimes)
                notes += found.notes
                mixedColumns += found.mixed
            }
        } catch let error as PersistenceError where given.isView {
            notes.append("\(given.label): the view cannot be read: \(error.message)")
            tables[place].columns = []
        } catch is CancellationError where !isCancelled() {
            notes.append("\(given.label): the view is not read, because it takes longer than \(Self.mostTimeOfView)")
            tables[place].columns = []
        }
    }

    /// Returns the descriptions of the tables in a descriptor.
    ///
    /// - Parameter hasJoins: A Boolean value that indicates whether tables of join rows become relationships.
    /// - Returns: The resources.
    package func resources(hasJoins: Bool) -> [JSONValue] {
        guard hasJoins else { return tables.map { $0.resource(links: []) } }
        let joins = ForeignJoins(tables)
        return tables.map(joins.resource)
    }

    /// Returns the rows of a table as CSV.
    package func text(of table: ForeignTable) throws -> ForeignTableText {
        ForeignTableText(table, try ForeignRows(table, on: connection))
    }

    /// Throws an error if another program changed a file that is read without locks.
    package func checkUnchanged() throws {
        guard let unlocked else { return }
        guard !Self.hasContent(file + "-wal"), FileStatus(path: file) == unlocked else {
            throw PersistenceError(
                .locked, "another program changed the database while it was read; try again", path: path)
        }
    }

    /// Ends the snapshot and closes the file.
    package func close() { connection.close() }
}
