#if PostgreSQL
import CStrataPostgreSQL
import StrataCore

extension PostgreSQLConnection {
    /// Returns the statement that begins a transaction, independently of the defaults of the role and the database.
    ///
    /// READ COMMITTED is necessary because a transaction that waited for a lock must not see the state before the lock.
    /// A read-only transaction is also possible on a standby server.
    static func beginning(isReadOnly: Bool) -> String {
        "BEGIN ISOLATION LEVEL READ COMMITTED READ \(isReadOnly ? "ONLY" : "WRITE")"
    }

    /// Runs `body` in a transaction.
    ///
    /// If the transaction only reads, it is rolled back, and an error of the rollback is ignored: the caller already
    /// has its data.
    ///
    /// - Parameters:
    ///   - beginning: The statements that begin the transaction; they are sent together with the first statement of
    ///     `body`.
    ///   - writes: A Boolean value that indicates whether the transaction has changes to commit.
    ///   - answered: A closure that receives the rows of the last beginning statement, before `body` receives any rows.
    ///   - body: A closure that runs statements.
    /// - Returns: The result of `body`.
    /// - Throws: An error that `body` throws, or ``PersistenceError``; nothing is stored then, unless the error reports
    ///   an unknown outcome.
    func inTransaction<Result>(
        _ beginning: [String] = [beginning(isReadOnly: false)], writes: Bool = true,
        answered: @escaping (PostgreSQLResult) -> Void = { _ in }, _ body: () throws -> Result
    ) throws -> Result {
        do {
            settle()
            self.beginning = PostgreSQLBeginning(statements: beginning, answered: answered)
            let result = try body()
            // If `body` ran no statement, check that the transaction can begin.
            try begin()
            // The server answers the commit of a failed transaction without an error.
            try checkInTransaction()
            if writes { try commit() } else { rollBack() }
            return result
        } catch {
            rollBack()
            throw error
        }
    }

    /// The maximum count of attempts to begin a transaction that ends in a deadlock.
    private static let mostBeginnings = 5

    /// Runs a transaction, and retries it if the server ends it because of a deadlock before it has all its locks.
    ///
    /// The retry is safe because the transaction has changed nothing yet, and the other transactions can now continue.
    ///
    /// - Parameter transaction: The transaction, which sets its argument once it has all its locks.
    /// - Returns: The result of `transaction`.
    /// - Throws: An error that `transaction` throws.
    func beginningAgain<Result>(_ transaction: (_ hasAll: inout Bool) throws -> Result) throws -> Result {
        var attempt = 1
        while true {
            var hasAll = false
            isDeadlocked = false
            do { return try transaction(&hasAll) } catch {
                guard !hasAll, isDeadlocked, attempt < Self.mostBeginnings else { throw error }
            }
            attempt += 1
        }
    }

    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/unknownOutcome`` if the server did not answer.
    private func commit() throws {
        do { try execute("COMMIT") } catch let error as PersistenceError {
            guard PQstatus(handle) != CONNECTION_OK else { throw error }
            throw lostAtCommit(error)
        }
    }

    /// Returns the error for a commit that the server did not answer.
    func lostAtCommit(_ error: PersistenceError) -> PersistenceError {
        PersistenceError(
            .unknownOutcome,
            "the connection was lost during a commit: \(error.message); it is not known whether the transaction was "
                + "committed", path: place)
    }

    /// Makes commits wait for the server's disk if the server's settings disable that.
    ///
    /// Stricter settings are unchanged (postgresql.org/docs/15/runtime-config-wal.html#GUC-SYNCHRONOUS-COMMIT).
    func waitForDisk() throws {
        if try text("SHOW synchronous_commit") == "off" { try execute("SET synchronous_commit = on") }
    }

    /// Rolls back the current transaction, if there is one.
    func rollBack() {
        beginning = nil
        guard isInTransaction else { return }
        // An error of the rollback needs no action: the connection is not reused, and the server rolls back when it
        // ends.
        PQclear(PQexec(handle, "ROLLBACK"))
    }

    func checkInTransaction() throws {
        guard !isTransactionGood else { return }
        if PQstatus(handle) != CONNECTION_OK { throw unanswered }
        throw PersistenceError(
            .database, "an error before this one ended the transaction; nothing was stored", path: place)
    }
}
#endif
