#if PostgreSQL
import CStrataPostgreSQL
import StrataCore
import StrataStoreKit

/// An error that a server reported: its SQLSTATE, its message, and the affected table and constraint.
///
/// The SQLSTATE codes are listed in postgresql.org/docs/15/errcodes-appendix.html.
struct PostgreSQLFailure {
    let state: String
    let message: String
    let table: String?
    let constraint: String?
    let sql: String

    init(_ result: OpaquePointer, sql: String, from server: PostgreSQLServer, tables: [String]) {
        func field(_ code: UnicodeScalar) -> String? {
            PQresultErrorField(result, Int32(code.value)).map { String(cString: $0) }
        }
        // The letters are libpq's PG_DIAG_SQLSTATE, PG_DIAG_MESSAGE_PRIMARY, PG_DIAG_TABLE_NAME and
        // PG_DIAG_CONSTRAINT_NAME.
        let state = field("C") ?? ""
        message = field("M") ?? String(cString: PQresultErrorMessage(result))
        let named = field("n") ?? (server.isCitus ? Self.quotedName(in: message) : nil)
        let constraint = named.map(server.name)
        let owner = constraint.flatMap { constraint in
            // If several table names are prefixes of the constraint's name, the longest one is meant.
            tables.filter { !PostgreSQLLayout.attributes(ofConstraint: constraint, table: $0).isEmpty }
                .max { $0.utf8.count < $1.utf8.count }
        }
        self.constraint = constraint
        table = field("t").map(server.name) ?? owner
        // If a node of Citus rejects a row of a COPY, the failure has a message, but not the code of the node.
        self.state = server.isCitus && state == "XX000" && owner != nil ? "23505" : state
        self.sql = sql
    }

    /// Returns the first name in quotes in a message of the server.
    private static func quotedName(in message: String) -> String? {
        guard let first = message.utf8.firstIndex(of: UInt8(ascii: "\"")),
            let last = message.utf8.lastIndex(of: UInt8(ascii: "\"")), first < last
        else { return nil }
        return String(message[message.utf8.index(after: first)..<last])
    }

    /// A Boolean value that indicates whether the server ended the transaction because of a deadlock.
    var isDeadlock: Bool { state == "40P01" }

    private var code: PersistenceError.Code {
        switch state {
        case "23505": .uniqueness
        case "23503": .danglingReference
        case "22003", "22012": .arithmetic
        case "25006": .readOnly
        case "42501": .permissionDenied
        // A table or a type of that name exists already, and the store did not create it.
        case "42P07", "42710": .cannotCreate
        case "53100": .diskFull
        case "55P03", "40001", "40P01", "57014": .locked
        case "3F000", "42P01", "42703": .corrupt
        case _ where state.isEmpty || state.hasPrefix("08") || state.hasPrefix("57P"): .inputOutput
        default: .database
        }
    }

    /// The names of the attributes whose combination of values another row has; empty if the server names no constraint
    /// of the store.
    private var uniqueAttributes: [String] {
        guard code == .uniqueness, let table, let constraint else { return [] }
        return PostgreSQLLayout.attributes(ofConstraint: constraint, table: table)
    }

    /// The text of the error message, which for some errors is the same as in other kinds of stores.
    private var text: String {
        switch state {
        case "22003": FetchArithmetic.overflow.message
        case "22012": FetchArithmetic.divisionByZero.message
        case "23505": PersistenceError.taken(uniqueAttributes)
        case _ where isDeadlock:
            "the server ended the transaction because of a deadlock with another session; nothing was stored; try again"
        case "55P03":
            "another session locked the rows for longer than the busy timeout; try again, or raise the busy timeout"
        default: message
        }
    }

    /// Returns the error for callers of the store; `place` is the location of the store.
    func error(place: String) -> PersistenceError {
        var error = PersistenceError(code, text, path: place)
        error.sql = sql
        error.entity = table
        if !uniqueAttributes.isEmpty {
            error.attribute = uniqueAttributes.joined(separator: PersistenceError.attributeSeparator)
        }
        return error
    }
}
#endif
