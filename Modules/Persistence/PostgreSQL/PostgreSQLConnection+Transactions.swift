#if PostgreSQL
import CStrataPostgreSQL
import StrataCore

extension PostgreSQLConnection {
    /// How a transaction begins, whatever the role or the database say: a lock that is waited for must not show the state before it.
    ///
    /// One that only reads is possible on a server that follows another.
    static func beginning(isReadOnly: Bool) -> String {
        "BEGIN ISOLATION LEVEL READ COMMITTED READ \(isReadOnly ? "ONLY" : "WRITE")"
    }

    /// Runs `body` in a transaction.
    ///
    /// Unless it writes nothing is committed: who only reads has what was to be had, whatever becomes of the end.
    ///
    /// - Parameters:
    ///   - beginning: The statements that begin it; they are sent with the first one of `body`.
    ///   - writes: Whether there is something to commit.
    ///   - answered: Gets the rows of the last one that begins it, before `body` gets any.
    ///   - body: What runs statements.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws, or ``PersistenceError``; nothing is stored then, unless the error says that it is not known.
    func inTransaction<Result>(
        _ beginning: [String] = [beginning(isReadOnly: false)], writes: Bool = true,
        answered: @escaping (PostgreSQLResult) -> Void = { _ in }, _ body: () throws -> Result
    ) throws -> Result {
        do {
            settle()
            self.beginning = PostgreSQLBeginning(statements: beginning, answered: answered)
            let result = try body()
            // Where nothing was asked it is still to be found out that it could have been.
            try begin()
            // The server answers the commit of a transaction that has failed as if it had been one.
            try checkInTransaction()
            if writes { try commit() } else { rollBack() }
            return result
        } catch {
            rollBack()
            throw error
        }
    }

    /// How often a transaction begins at most that others keep from beginning.
    private static let mostBeginnings = 5

    /// Runs a transaction, and once more where the server ends it as one of several that wait for each other, before it has all that it waits for: nothing was
    /// done then, and the others have what they wanted.
    ///
    /// - Parameter transaction: The transaction, which says when it has all that it waits for.
    /// - Returns: What `transaction` returns.
    /// - Throws: What `transaction` throws.
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

    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/unknownOutcome`` where no answer came.
    private func commit() throws {
        do { try execute("COMMIT") } catch let error as PersistenceError {
            guard PQstatus(handle) != CONNECTION_OK else { throw error }
            throw lostAtCommit(error)
        }
    }

    /// What is said of a commit to which no answer came.
    func lostAtCommit(_ error: PersistenceError) -> PersistenceError {
        PersistenceError(
            .unknownOutcome,
            "the connection was lost while it committed: \(error.message); whether it did is not known", path: place)
    }

    /// Has commits wait for the server's disk where its settings say that they need not; what is more than that stays
    /// (postgresql.org/docs/15/runtime-config-wal.html#GUC-SYNCHRONOUS-COMMIT).
    func waitForDisk() throws {
        if try text("SHOW synchronous_commit") == "off" { try execute("SET synchronous_commit = on") }
    }

    /// Ends the transaction, if there still is one, as if it had never been.
    func rollBack() {
        beginning = nil
        guard isInTransaction else { return }
        // A rollback that fails leaves nothing to do: the connection is not used again, and the server ends the transaction with it.
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
