import CStrataSQLite
package import StrataCore
import StrataSQL
package import StrataStoreKit

extension SQLiteStore: SQLQueryable {
    /// Runs a query on a separate connection, on which nothing but reading is permitted.
    package func run(
        _ query: SQLQuery, begin: ([String]) throws -> Void, _ body: ([StoredValue]) throws -> FetchFlow
    ) throws {
        let connection = try pool.separateConnection()
        defer { connection.close() }
        try SQLiteDecimalAggregates.register(on: connection.handle)
        try createNames(on: connection)
        try connection.permittingOnlyQueries {
            try connection.cancelling(if: query.isCancelled) {
                try connection.run(query, begin: begin, body)
            }
        }
    }

    /// Creates temporary views with the names of the entities and of their files.
    ///
    /// A temporary view precedes the table of the same name, whose decimals are whole numbers and whose references are
    /// numbers of rows.
    private func createNames(on connection: SQLiteConnection) throws {
        let existing = Set(try connection.texts("SELECT name FROM main.sqlite_schema WHERE type = 'view'"))
        var taken: Set<String> = []
        for view in layout.views(taken: [String]()) where view.relationship == nil && existing.contains(view.name) {
            let entity = try model.entity(named: view.entity)
            for name in [entity.external.name ?? entity.name, entity.name] {
                // SQLite reserves names that begin with "sqlite_".
                let folded = name.lowercased()
                guard !folded.hasPrefix("sqlite_"), !folded.utf8.contains(0), taken.insert(folded).inserted else {
                    continue
                }
                let quoted = "\"" + name.replacing("\"", by: "\"\"") + "\""
                try connection.execute(
                    "CREATE TEMP VIEW \(quoted) AS SELECT * FROM main.\(SQLLayout.quoted(view.name))")
            }
        }
    }
}

extension SQLiteConnection {
    /// Runs `body`, in which SQLite rejects every statement that does more than to read tables and call functions.
    fileprivate func permittingOnlyQueries(_ body: () throws -> Void) throws {
        // SAFETY: the closure uses only its arguments.
        sqlite3_set_authorizer(
            handle,
            { _, action, _, name, _, _ in
                switch action {
                case SQLITE_SELECT, SQLITE_READ, SQLITE_RECURSIVE: SQLITE_OK
                case SQLITE_FUNCTION: name.map { String(cString: $0) } == "load_extension" ? SQLITE_DENY : SQLITE_OK
                default: SQLITE_DENY
                }
            }, nil)
        defer { sqlite3_set_authorizer(handle, nil, nil) }
        try body()
    }

    /// Runs a query with its parameters.
    fileprivate func run(
        _ query: SQLQuery, begin: ([String]) throws -> Void, _ body: ([StoredValue]) throws -> FetchFlow
    ) throws {
        let statement = try prepared(query.text)
        defer { sqlite3_finalize(statement) }
        try bind(query, to: statement)
        let columns = 0..<sqlite3_column_count(statement)
        try begin(columns.map { sqlite3_column_name(statement, $0).map { String(cString: $0) } ?? "" })
        while true {
            let code = sqlite3_step(statement)
            if code == SQLITE_DONE { return }
            guard code == SQLITE_ROW else {
                throw failure(code, sql: query.text).error(path: path, busyTimeout: busyTimeout)
            }
            if case .stop = try body(try columns.map { try value(statement, $0) }) { return }
        }
    }

    private func prepared(_ text: String) throws -> OpaquePointer {
        var statement: OpaquePointer?
        var rest = ""
        let code = text.withCString { start in
            var tail: UnsafePointer<CChar>?
            let code = sqlite3_prepare_v3(handle, start, -1, 0, &statement, &tail)
            rest = tail.map { String(cString: $0) } ?? ""
            return code
        }
        guard code == SQLITE_OK else {
            // An error in the text has the code of SQLite for errors in general.
            let message = sqlite3_errmsg(handle).map { String(cString: $0) } ?? ""
            if code == SQLITE_AUTH {
                throw PersistenceError(.invalidRequest, "only queries that read are permitted (\(message))")
            }
            if code & 0xFF == SQLITE_ERROR { throw PersistenceError(.invalidRequest, message) }
            throw failure(code, sql: text).error(path: path, busyTimeout: busyTimeout)
        }
        guard let statement else { throw PersistenceError(.invalidRequest, "the query is empty") }
        guard rest.allSatisfy({ $0.isWhitespace || $0 == ";" }), sqlite3_stmt_readonly(statement) != 0 else {
            sqlite3_finalize(statement)
            throw PersistenceError(.invalidRequest, "only one query that reads is permitted")
        }
        return statement
    }

    private func bind(_ query: SQLQuery, to statement: OpaquePointer) throws {
        let names = try (0..<sqlite3_bind_parameter_count(statement)).map { index in
            guard let sign = sqlite3_bind_parameter_name(statement, index + 1) else {
                throw PersistenceError(.invalidRequest, "a parameter requires a name, such as :name")
            }
            return String(String(cString: sign).dropFirst())
        }
        for (index, value) in try query.values(of: names).enumerated() {
            let code = SQLiteValues.bind(value, to: statement, Int32(index + 1))
            guard code == SQLITE_OK else { throw failure(code, sql: "").error(path: path, busyTimeout: busyTimeout) }
        }
    }

    private func value(_ statement: OpaquePointer, _ column: Int32) throws -> StoredValue {
        let type: AttributeType =
            switch sqlite3_column_type(statement, column) {
            case SQLITE_INTEGER: .integer64
            case SQLITE_FLOAT: .double
            case SQLITE_BLOB: .binary
            default: .string
            }
        guard let value = SQLiteValues.read(statement, column, as: type) else {
            throw PersistenceError(.corrupt, "a text in the result is not valid UTF-8", path: path)
        }
        return value
    }
}
