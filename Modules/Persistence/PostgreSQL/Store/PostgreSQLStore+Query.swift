#if PostgreSQL
import CStrataPostgreSQL
import Foundation
package import StrataCore
import StrataSQL
package import StrataStoreKit

extension PostgreSQLStore: SQLQueryable {
    /// Runs a query in a transaction that reads one snapshot and is rolled back.
    ///
    /// The transaction first creates the names that the query uses, then becomes read-only. The server accepts a query
    /// for a cursor only if it is one statement that returns rows and changes no table.
    package func run(
        _ query: SQLQuery, begin: ([String]) throws -> Void, _ body: ([StoredValue]) throws -> FetchFlow
    ) throws {
        let statement = PostgreSQLNamedParameters(query.text)
        if statement.hasNumbers {
            throw PersistenceError(.invalidRequest, "a parameter requires a name, such as :name")
        }
        let values = try query.values(of: statement.names)
        let beginning = ["BEGIN ISOLATION LEVEL REPEATABLE READ READ WRITE", PostgreSQLGeneration.lock]
        try pool.withConnection { connection in
            try connection.cancelling(where: query.isCancelled) {
                try connection.naming(generation) {
                    try connection.inTransaction(beginning, writes: false) {
                        try createNames(on: connection)
                        if statement.usesAggregates { try Self.createAggregates(on: connection) }
                        try connection.execute(
                            "SET LOCAL search_path TO pg_temp, \(pool.settings.quotedSchema); "
                                + "SET TRANSACTION READ ONLY")
                        try connection.openCursor(Self.cursor, of: statement.sql, values)
                        try connection.readTexts(from: Self.cursor, begin: begin, body)
                    }
                }
            }
        }
    }

    private static let cursor = "strata_query"

    /// Creates temporary views with the names of the entities and of their files, in which upper and lower case are
    /// different, and with these names in lower case.
    private func createNames(on connection: PostgreSQLConnection) throws {
        if let generation { _ = try connection.query("SELECT \(generation.column)", []) }
        var taken: Set<String> = []
        for view in layout.views(taken: [String]()) where view.relationship == nil {
            let entity = try model.entity(named: view.entity)
            let external = entity.external.name ?? entity.name
            // The server writes a name without quotes in lower case.
            for name in [external, entity.name, external.lowercased(), entity.name.lowercased()] {
                let name = layout.dialect.shortened(name, with: "")
                guard !name.utf8.contains(0), taken.insert(name).inserted else { continue }
                try connection.execute("CREATE TEMP VIEW \(PostgreSQLSettings.quoted(name)) AS \(view.selection)")
            }
        }
    }

    /// Creates the aggregates `decimal_sum` and `decimal_avg` for the session; the average has the digits of
    /// ``FetchAggregate/average(_:)``.
    private static func createAggregates(on connection: PostgreSQLConnection) throws {
        let state = "numeric[]"
        let digits = "least(scale(s[1]) + 6, 18)"
        let quotient = "div(2 * abs(s[1]) * power(10::numeric, \(digits)) + s[2], 2 * s[2])"
        let functions = """
            CREATE FUNCTION pg_temp.strata_add(s \(state), x anyelement) RETURNS \(state) LANGUAGE sql IMMUTABLE AS \
            'SELECT CASE WHEN x IS NULL THEN s ELSE ARRAY[coalesce(s[1], 0) + x::text::numeric, coalesce(s[2], 0) + 1] END';
            CREATE FUNCTION pg_temp.strata_sum(s \(state)) RETURNS text LANGUAGE sql IMMUTABLE AS 'SELECT s[1]::text';
            CREATE FUNCTION pg_temp.strata_avg(s \(state)) RETURNS text LANGUAGE sql IMMUTABLE AS \
            'SELECT (sign(s[1]) * \(quotient) * (''1e-'' || \(digits))::numeric)::text';
            """
        let aggregates = [("decimal_sum", "strata_sum"), ("decimal_avg", "strata_avg")].map { name, end in
            "CREATE AGGREGATE pg_temp.\(name)(anyelement) "
                + "(SFUNC = pg_temp.strata_add, STYPE = \(state), FINALFUNC = pg_temp.\(end));"
        }
        try connection.execute(functions + aggregates.joined())
    }
}

extension PostgreSQLConnection {
    /// Opens a server-side cursor for a query of a user.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if the server rejects the
    ///   text.
    fileprivate func openCursor(_ name: String, of sql: String, _ values: [StoredValue]) throws {
        if sql.utf8.contains(0) { throw PersistenceError(.invalidRequest, "the query contains U+0000") }
        do {
            _ = try query("DECLARE \(name) NO SCROLL CURSOR FOR \(sql)", values, isKept: false)
        } catch let error as PersistenceError {
            // The query is the only cause of these errors, because the other tables of the store are not used.
            guard [.corrupt, .database, .cannotCreate, .permissionDenied, .readOnly].contains(error.code) else {
                throw error
            }
            throw PersistenceError(.invalidRequest, error.message)
        }
    }

    /// Passes the rows of a cursor with their values as texts or numbers to `body`.
    fileprivate func readTexts(
        from cursor: String, begin: ([String]) throws -> Void, _ body: ([StoredValue]) throws -> FetchFlow
    ) throws {
        let size: Int32 = 500
        var types: [UInt32]?
        while true {
            let rows = try executeAll(["FETCH \(size) FROM \(cursor)"])
            let found = types ?? (0..<PQnfields(rows.handle)).map { PQftype(rows.handle, $0) }
            if types == nil {
                let columns = found.indices.map { PQfname(rows.handle, Int32($0)) }
                try begin(columns.map { $0.map { String(cString: $0) } ?? "" })
                types = found
            }
            for row in 0..<rows.rowCount {
                let values = found.enumerated().map { column, type in
                    rows.text(row: row, column: Int32(column)).map { Self.value($0, ofType: type) } ?? .null
                }
                if case .stop = try body(values) { return }
            }
            if rows.rowCount < size { return }
        }
    }

    /// Returns the value of a text that the server returns for a type, by the type's identifier in `pg_type`.
    private static func value(_ text: String, ofType type: UInt32) -> StoredValue {
        let value: StoredValue? =
            switch type {
            case 20, 21, 23: Int64(text).map(StoredValue.integer)
            // JSON has no number that is not finite.
            case 700, 701: Double(text).flatMap { $0.isFinite ? .double($0) : nil }
            case 16: .boolean(text == "t")
            case 17: bytes(text).map(StoredValue.binary)
            case 1700: ScaledDecimal(text).map(StoredValue.decimal)
            default: nil
            }
        return value ?? .string(text)
    }

    /// Returns the bytes in the form `\x00ff`.
    private static func bytes(_ text: String) -> Data? {
        let digits = Array(text.utf8.dropFirst(2))
        guard text.hasPrefix("\\x"), digits.count.isMultiple(of: 2) else { return nil }
        var bytes = Data(capacity: digits.count / 2)
        for place in stride(from: 0, to: digits.count, by: 2) {
            guard let byte = UInt8(String(decoding: digits[place..<place + 2], as: UTF8.self), radix: 16) else {
                return nil
            }
            bytes.append(byte)
        }
        return bytes
    }
}
#endif
