#if PostgreSQL
import CStrataPostgreSQL
import StrataCore

/// The beginning of a transaction, which is sent together with the first statement to save a round trip.
struct PostgreSQLBeginning {
    /// The statements, none of which has parameters.
    let statements: [String]
    /// A closure that receives the rows of the last statement.
    let answered: (PostgreSQLResult) -> Void
}

/// A statement whose values are already in the connection's parameters.
struct PostgreSQLReadyStatement {
    let sql: String
    /// The name of the prepared statement, or `nil` if it is not prepared.
    let name: String?
}

extension PostgreSQLConnection {
    /// Begins the pending transaction, if there is one.
    func begin() throws {
        guard let beginning else { return }
        try makeRoom(for: beginning.statements.count)
        _ = try begin(beginning, with: nil)
    }

    /// Begins a transaction, runs a statement in it in the same message, and returns the rows of the statement.
    ///
    /// The server runs the statements one after the other and stops at the first error; no round trip is needed between
    /// them (postgresql.org/docs/15/libpq-pipeline-mode.html). If the transaction could not begin, the next statement
    /// retries to begin it.
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

    /// Sends prepared statements and one more statement, and returns their results, up to a loss of the connection.
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

    /// Returns the results of a pipeline's statements, up to its end or the loss of the connection.
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
