#if PostgreSQL
import CStrataPostgreSQL
import StrataCore

/// What begins a transaction: it is sent with the first statement, so that nobody waits for it alone.
struct PostgreSQLBeginning {
    /// The statements, none of which takes values.
    let statements: [String]
    /// Gets the rows of the last one.
    let answered: (PostgreSQLResult) -> Void
}

/// A statement whose values were taken.
struct PostgreSQLReadyStatement {
    let sql: String
    /// The name under which it is prepared; `nil` where it is not.
    let name: String?
}

extension PostgreSQLConnection {
    /// Begins the transaction that is still to be begun, where one is.
    func begin() throws {
        guard let beginning else { return }
        try makeRoom(for: beginning.statements.count)
        _ = try begin(beginning, with: nil)
    }

    /// Begins a transaction and runs a statement in it, all in one message, and gives the statement's rows.
    ///
    /// The server runs them one after the other, none after one that fails, without anybody waiting in between
    /// (postgresql.org/docs/15/libpq-pipeline-mode.html). Where it could not begin, what comes next begins.
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
            // Nothing may be done without the transaction by whoever goes on after an error.
            if PQtransactionStatus(handle) == PQTRANS_IDLE { self.beginning = beginning }
            throw error
        }
    }

    /// Sends prepared statements and one more, and gives what they gave, up to the end of the connection.
    private func runTogether(_ names: [String], _ statement: PostgreSQLReadyStatement?) throws -> [PostgreSQLResult] {
        guard PQenterPipelineMode(handle) == 1 else { throw unanswered }
        // It stays in the mode only where the connection is lost.
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

    /// What the statements of a pipeline gave, up to its end or the connection's.
    private func takeAnswers() -> [PostgreSQLResult] {
        var answers: [PostgreSQLResult] = []
        while PQstatus(handle) == CONNECTION_OK {
            cancellation?.wait(handle)
            // There is nothing behind each statement's result.
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
