#if PostgreSQL
import CStrataPostgreSQL
import StrataCore

/// The statements that begin a transaction, which are sent together with its first statement to save a round trip.
struct PostgreSQLBeginning {
    /// The statements, none of which has parameters.
    let statements: [String]
    /// A closure that receives the result rows of the last of these statements.
    let answered: (PostgreSQLResult) -> Void
}

/// A statement whose parameter values are already in ``PostgreSQLConnection/parameters``.
struct PostgreSQLReadyStatement {
    let sql: String
    /// The name of the prepared statement, or `nil` if the statement is not prepared.
    let name: String?
}

extension PostgreSQLConnection {
    /// Sends the statements that begin the pending transaction, if there is one.
    func begin() throws {
        guard let beginning else { return }
        try makeRoom(for: beginning.statements.count)
        _ = try begin(beginning, with: nil)
    }

    /// Begins a transaction and runs a statement in it by one message; returns the result rows of the statement.
    ///
    /// The server runs the statements one after the other and stops at the first error
    /// (postgresql.org/docs/15/libpq-pipeline-mode.html). If the transaction cannot begin, the next statement tries
    /// again to begin it.
    func begin(_ beginning: PostgreSQLBeginning, with statement: PostgreSQLReadyStatement?) throws -> PostgreSQLResult {
        self.beginning = nil
        do {
            let names = try beginning.statements.map { try preparedName(of: $0) }
            let answers = try runTogether(names, statement)
            for (sql, answer) in zip(beginning.statements, answers) { try check(answer.handle, sql: sql) }
            guard answers.count >= names.count, let begun = answers.prefix(names.count).last else { throw unanswered }
            beginning.answered(begun)
            guard let statement else { return begun }
            guard answers.count > names.count else { throw unanswered }
            try check(answers[names.count].handle, sql: statement.sql)
            return answers[names.count]
        } catch {
            // A caller that continues after the error must not run statements outside the transaction.
            if PQtransactionStatus(handle) == PQTRANS_IDLE { self.beginning = beginning }
            throw error
        }
    }

    /// Sends prepared statements and one more statement in one message; returns their results, or fewer if the
    /// connection is lost.
    private func runTogether(_ names: [String], _ statement: PostgreSQLReadyStatement?) throws -> [PostgreSQLResult] {
        guard PQenterPipelineMode(handle) == 1 else { throw unanswered }
        // The connection stays in pipeline mode only if it is lost.
        defer { PQexitPipelineMode(handle) }
        let isSent =
            names.allSatisfy { PQsendQueryPrepared(handle, $0, 0, nil, nil, nil, 1) == 1 }
            && statement.map(send) ?? true
        let refusal = isSent ? nil : unanswered
        guard PQpipelineSync(handle) == 1 else { throw refusal ?? unanswered }
        let answers = takeAnswers()
        if let refusal { throw refusal }
        return answers
    }

    private func send(_ statement: PostgreSQLReadyStatement) -> Bool {
        parameters.withArguments { [handle, kinds = parameters.kinds] count, values, lengths, formats in
            guard let name = statement.name else {
                return PQsendQueryParams(handle, statement.sql, count, kinds, values, lengths, formats, 1) == 1
            }
            return PQsendQueryPrepared(handle, name, count, values, lengths, formats, 1) == 1
        }
    }

    /// Returns the results of the statements in a pipeline, or fewer if the connection is lost.
    private func takeAnswers() -> [PostgreSQLResult] {
        var answers: [PostgreSQLResult] = []
        while PQstatus(handle) == CONNECTION_OK {
            cancellation?.wait(handle)
            // Each statement's result is followed by a null result.
            guard let answer = PQgetResult(handle) else { continue }
            if PQresultStatus(answer) == PGRES_PIPELINE_SYNC {
                PQclear(answer)
                break
            }
            answers.append(PostgreSQLResult(answer))
        }
        return answers
    }
}
#endif
