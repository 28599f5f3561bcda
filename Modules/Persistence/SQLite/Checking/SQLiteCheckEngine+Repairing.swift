import Foundation
import StrataCore
import StrataSQL

/// The repairs that only SQLite stores need, and the exclusive access to the file during a repair.
extension SQLiteCheckEngine {
    typealias Repairs = SQLRepairs<Self>

    /// The repair that rebuilds all indexes, because SQLite does not always report which index is damaged.
    ///
    /// For example, SQLite may report damage of a page without a name, although only a damaged index uses the page.
    static var everyIndex: Repairs.Repair {
        .engine(
            Repairs.Own("3") { connection in
                try connection.texts("SELECT name FROM sqlite_schema WHERE type = 'index' ORDER BY name").map { name in
                    Repairs.Attempt("rebuilt the index \(name)", failing: "cannot rebuild the index \(name)") {
                        // Another program may have chosen the name.
                        try $0.execute("REINDEX \(SQLLayout.quoted(name.replacing("\"", with: "\"\"")))")
                    }
                }
            })
    }

    static var formatVersion: Repairs.Repair {
        .engine(
            Repairs.Own("8") { _ in
                [
                    Repairs.Attempt(
                        "set the number of the store's format", failing: "cannot set the number of the store's format"
                    ) { try $0.writeFormat() }
                ]
            })
    }

    /// Returns the statement that deletes the next identifier in the table row with a number; the entity's name may be
    /// an invalid text, so the statement does not compare it.
    func removal(ofSequence name: String, row: Int64) -> (sql: String, values: [StoredValue]) {
        ("DELETE FROM \(SQLLayout.sequenceTable) WHERE rowid = ?", [.integer(row)])
    }

    // MARK: Exclusive access

    /// The time between two attempts to get exclusive access to the file, in microseconds.
    private static let pause: UInt32 = 20_000

    /// Begins a transaction with exclusive access, while no other connection has the store open.
    ///
    /// In WAL mode, the write lock alone would not exclude other connections that read the store, or write it later.
    func begin() throws {
        let clock = ContinuousClock()
        let deadline = clock.now + opening.busyTimeout
        while true {
            do {
                // This must precede the first read of the file. The connection then keeps the lock until it is closed.
                try connection.execute("PRAGMA locking_mode = EXCLUSIVE")
                return try connection.execute("BEGIN EXCLUSIVE")
            } catch var error as PersistenceError where error.code == .locked {
                connection.rollBack()
                guard clock.now < deadline else {
                    error.message =
                        "another process or connection has the store open, but a repair requires exclusive access"
                    throw error
                }
                usleep(Self.pause)
            }
        }
    }

    /// Rolls back the transaction and begins another one.
    ///
    /// The file remains locked in between, so that no other connection gets access. The new transaction also discards
    /// SQLite's cached pages of a damaged file.
    func beginAgain() throws {
        connection.rollBack()
        try connection.execute("BEGIN EXCLUSIVE")
    }

    func commit(_ again: () throws -> Void) throws {
        do {
            try connection.execute("COMMIT")
        } catch let error as PersistenceError where error.code == .corrupt {
            // SQLite commits nothing after it has read a damaged page. The file is locked, so the same repairs without
            // the checks lead to the same result.
            try beginAgain()
            try again()
            try connection.execute("COMMIT")
        }
    }
}
