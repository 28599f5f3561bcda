import Foundation
import StrataCore
import StrataStoreKit
import StrataTesting
import Testing

@testable import StrataSQLite

/// The settings of a connection and the texts of its errors.
@Suite("SQLite connections")
struct ConnectionTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func connection(_ busyTimeout: Duration = .zero) throws -> SQLiteConnection {
        try SQLiteConnection(path: folder.file("store.sqlite").path, access: .create, busyTimeout: busyTimeout)
    }

    @Test(
        "a connection waits for locks as long as configured, in whole milliseconds",
        arguments: [
            (Duration.zero, Int64(0)), (.milliseconds(1_500), 1_500), (.microseconds(2_900), 2), (.seconds(5), 5_000),
            (.seconds(Int64.max), Int64(Int32.max)),
        ])
    func busyTimeout(_ duration: Duration, _ milliseconds: Int64) throws {
        let connection = try connection(duration)
        defer { connection.close() }
        #expect(try connection.number("PRAGMA busy_timeout") == milliseconds)
    }

    @Test("a sort of many rows uses threads, and earlier and later small sorts use none")
    func sorting() throws {
        let connection = try connection()
        defer { connection.close() }
        let cores = min(ProcessInfo.processInfo.activeProcessorCount, 4)
        for rows in [1_000, 1_000_000] {
            let threads = try connection.sortingOnThreads(rows: rows) { try connection.number("PRAGMA threads") }
            #expect(threads == (rows == 1_000 || cores == 1 ? 0 : Int64(cores)))
            #expect(try connection.number("PRAGMA threads") == 0)
        }
    }

    @Test("a file is listed as open while at least one of its stores is open")
    func openFiles() throws {
        let (url, other) = (folder.file("open.sqlite"), folder.file("other.sqlite"))
        try Data().write(to: other)
        let provider = SQLiteStoreProvider(at: url)
        let stores = try (0..<2).map { _ in try provider.open(try ManagedObjectModel([]), options: StoreOptions()) }
        #expect(SQLiteOpenFiles.shared.contains(url.path) && !SQLiteOpenFiles.shared.contains(other.path))
        try stores[0].close()
        #expect(SQLiteOpenFiles.shared.contains(url.path))
        try stores[1].close()
    }

    @Test(
        "an input or output error is reported as a full disk only if the system reports a full disk",
        arguments: [
            (EIO, PersistenceError.Code.inputOutput), (ENOSPC, .diskFull), (EDQUOT, .diskFull), (0, .inputOutput),
        ])
    func systemErrors(_ number: Int32, _ code: PersistenceError.Code) {
        // The code is SQLITE_IOERR.
        let failure = SQLiteFailure(code: 10, message: "disk I/O error", systemError: number)
        let error = failure.error(path: "store")
        #expect(error.code == code)
        let text = [EIO: ": disk I/O error (\(String(cString: strerror(EIO))))", 0: ": disk I/O error"][number]
        #expect(error.message.hasSuffix(text ?? "the disk is full; nothing was written"), "\(error)")
    }

    @Test(
        "a file with special characters in its name can be opened", arguments: ["a\u{10}b", "%41?#é "])
    func namesOfFiles(_ name: String) throws {
        let path = folder.file("x").path + name
        let made = try SQLiteConnection(path: path, access: .create, busyTimeout: .zero)
        try made.execute("PRAGMA user_version = 7")
        made.close()
        let read = try SQLiteConnection(path: path, access: .immutable, busyTimeout: .zero)
        defer { read.close() }
        #expect(try read.number("PRAGMA user_version") == 7)
    }

    @Test("a copy to a file that another process has locked throws locked")
    func lockedCopy() throws {
        let source = try connection()
        defer { source.close() }
        try source.execute("CREATE TABLE t (a INTEGER) STRICT; BEGIN")
        #expect(try source.number("SELECT count(*) FROM t") == 0)
        let path = folder.file("copy.sqlite").path
        let other = try SQLiteConnection(path: path, access: .create, busyTimeout: .zero)
        defer { other.close() }
        try other.execute("CREATE TABLE t (a INTEGER) STRICT; BEGIN EXCLUSIVE")
        let copy = try SQLiteConnection(path: path, access: .readWrite, busyTimeout: .zero)
        defer { copy.close() }
        let error = #expect(throws: PersistenceError.self) {
            try SQLiteBackup.copy(from: source, to: copy) { _, _ in }
        }
        #expect(error?.code == .locked, "\(error as Any)")
    }

    @Test("an error contains the statement and SQLite's code")
    func errors() throws {
        let connection = try connection()
        defer { connection.close() }
        try connection.execute("CREATE TABLE t (a INTEGER UNIQUE) STRICT")
        let insertion = "INSERT INTO t VALUES (?1)"
        try connection.run(insertion, .integer(1))
        let error = #expect(throws: PersistenceError.self) { try connection.run(insertion, .integer(1)) }
        #expect(error?.code == .uniqueness)
        #expect(error?.sql == insertion)
        // The code is SQLITE_CONSTRAINT_UNIQUE.
        #expect(error?.sqliteCode == 2067)
    }

    @Test(
        "a text with an invalid UTF-8 byte at any position is rejected",
        arguments: ["80", "4180", "FF41", "C3"])
    func texts(_ hex: String) throws {
        let connection = try connection()
        defer { connection.close() }
        let statement = try SQLiteStatement("SELECT CAST(x'\(hex)' AS TEXT)", on: connection)
        defer { statement.finalize() }
        #expect(try statement.step())
        #expect(statement.value(at: 0, as: .string) == nil)
    }
}
