#if PostgreSQL
import CStrataPostgreSQL
import StrataCore

extension PostgreSQLConnection {
    /// Returns the statement that begins a transaction whose properties do not depend on defaults of the role and the
    /// database.
    ///
    /// READ COMMITTED is necessary: a transaction that has waited for a lock must read the rows that were committed
    /// meanwhile. If `isReadOnly` is true, the transaction is also possible on a standby server.
    static func beginning(isReadOnly: Bool) -> String {
        "BEGIN ISOLATION LEVEL READ COMMITTED READ \(isReadOnly ? "ONLY" : "WRITE")"
    }

    /// Runs `body` in a transaction, which is committed if `body` returns.
    ///
    /// If `writes` is false, the transaction is rolled back instead, and an error of the rollback is ignored, because
    /// the caller already has the rows that it has read.
    ///
    /// - Parameters:
    ///   - beginning: The statements that begin the transaction; they are sent together with the first statement that
    ///     `body` runs.
    ///   - writes: A Boolean value that indicates whether the transaction may contain changes, so that it must be
    ///     committed.
    ///   - answered: A closure that receives the result rows of the last statement in `beginning`, before `body`
    ///     receives rows.
    ///   - body: A closure that runs the statements of the transaction.
    /// - Returns: The result of `body`.
    /// - Throws: An error that `body` throws, or ``PersistenceError``. Nothing is stored, unless the code of the error
    ///   is ``PersistenceError/Code/unknownOutcome``.
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

    /// The maximum count of attempts to run a transaction that ends in a deadlock.
    private static let mostBeginnings = 5

    /// Runs a transaction; if the server ends it by a deadlock before it has all its locks, runs it again.
    ///
    /// This is safe, because a transaction that does not have all its locks has changed nothing. The other transactions
    /// of the deadlock can then continue.
    ///
    /// - Parameter transaction: A closure that runs the transaction, and sets its argument to true when the transaction
    ///   has all its locks.
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

    /// Returns the error for a commit whose result the server did not report.
    func lostAtCommit(_ error: PersistenceError) -> PersistenceError {
        PersistenceError(
            .unknownOutcome,
            "the connection was lost during a commit: \(error.message); it is not known whether the transaction was "
                + "committed", path: place)
    }

    /// Makes commits wait until the server has written them to disk, if the server's settings do not require that.
    ///
    /// If the server's settings are stricter, they are unchanged
    /// (postgresql.org/docs/15/runtime-config-wal.html#GUC-SYNCHRONOUS-COMMIT).
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
