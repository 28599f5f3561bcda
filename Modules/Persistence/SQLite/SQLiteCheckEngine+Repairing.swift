import Foundation
import StrataCore
import StrataSQL

/// What SQLite rebuilds, and how it has the file alone meanwhile.
extension SQLiteCheckEngine {
    typealias Repairs = SQLRepairs<Self>

    /// SQLite does not always say which index is damaged, and sometimes names what a damaged index only leads to.
    static var everyIndex: Repairs.Mending {
        .engine(
            Repairs.Own("3") { connection in
                try connection.texts("SELECT name FROM sqlite_schema WHERE type = 'index' ORDER BY name").map { name in
                    Repairs.Attempt("rebuilt the index \(name)", failing: "cannot rebuild the index \(name)") {
                        // A name that another program may have chosen.
                        try $0.execute("REINDEX \(SQLLayout.quoted(name.replacing("\"", with: "\"\"")))")
                    }
                }
            })
    }

    static var formatVersion: Repairs.Mending {
        .engine(
            Repairs.Own("8") { _ in
                [
                    Repairs.Attempt(
                        "set the number of the store's format", failing: "cannot set the number of the store's format"
                    ) { try $0.execute("PRAGMA user_version = \(SQLiteFormat.version)") }
                ]
            })
    }

    /// The name may be one that no text is equal to.
    func removal(ofSequence name: String, row: Int64) -> (sql: String, values: [StoredValue]) {
        ("DELETE FROM \(SQLLayout.sequenceTable) WHERE rowid = ?", [.integer(row)])
    }

    // MARK: Alone

    /// How long to wait between two looks whether others have closed the store, in microseconds.
    private static let pause: UInt32 = 20_000

    /// Begins a transaction of the only connection that there is: with the log a writer's lock alone would let readers and other writers stay.
    func begin() throws {
        let clock = ContinuousClock()
        let deadline = clock.now + opening.busyTimeout
        while true {
            do {
                // Before the file is read for the first time; the lock is then kept until the connection is closed.
                try connection.execute("PRAGMA locking_mode = EXCLUSIVE")
                return try connection.execute("BEGIN EXCLUSIVE")
            } catch var error as PersistenceError where error.code == .locked {
                connection.rollBack()
                guard clock.now < deadline else {
                    error.message = "another process or connection has the store open, and a repair needs it alone"
                    throw error
                }
                usleep(Self.pause)
            }
        }
    }

    /// Nobody comes in between, as the file stays locked; what SQLite knows of a damaged file is right again.
    func beginAgain() throws {
        connection.rollBack()
        try connection.execute("BEGIN EXCLUSIVE")
    }

    func commit(_ again: () throws -> Void) throws {
        do {
            try connection.execute("COMMIT")
        } catch let error as PersistenceError where error.code == .corrupt {
            // SQLite commits nothing once a damaged page was read. The file is locked, so that the same steps without a look at the rest
            // leave what was looked at.
            try beginAgain()
            try again()
            try connection.execute("COMMIT")
        }
    }
}
