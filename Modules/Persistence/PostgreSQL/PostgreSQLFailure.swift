#if PostgreSQL
import CStrataPostgreSQL
import StrataCore

/// What a server reported: its SQLSTATE, message, and what is meant, before it is known what that means to the caller.
///
/// The codes: postgresql.org/docs/15/errcodes-appendix.html.
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
        // The letters are libpq's PG_DIAG_SQLSTATE, PG_DIAG_MESSAGE_PRIMARY, PG_DIAG_TABLE_NAME and PG_DIAG_CONSTRAINT_NAME.
        let state = field("C") ?? ""
        message = field("M") ?? String(cString: PQresultErrorMessage(result))
        let named = field("n") ?? (server.isCitus ? Self.quotedName(in: message) : nil)
        let constraint = named.map(server.name)
        let owner = constraint.flatMap { constraint in
            // Of several tables that begin the constraint's name the longest is meant.
            tables.filter { !PostgreSQLLayout.attributes(ofConstraint: constraint, table: $0).isEmpty }
                .max { $0.utf8.count < $1.utf8.count }
        }
        self.constraint = constraint
        table = field("t").map(server.name) ?? owner
        // What a node refuses of a COPY comes without its code, and with no more than a message.
        self.state = server.isCitus && state == "XX000" && owner != nil ? "23505" : state
        self.sql = sql
    }

    /// What stands in quotes in a message.
    private static func quotedName(in message: String) -> String? {
        guard let first = message.utf8.firstIndex(of: UInt8(ascii: "\"")),
            let last = message.utf8.lastIndex(of: UInt8(ascii: "\"")), first < last
        else { return nil }
        return String(message[message.utf8.index(after: first)..<last])
    }

    /// Whether of several who waited for each other this one had to give way.
    var isDeadlock: Bool { state == "40P01" }

    private var code: PersistenceError.Code {
        switch state {
        case "23505": .uniqueness
        case "23503": .danglingReference
        case "22003", "22012": .arithmetic
        case "25006": .readOnly
        case "42501": .permissionDenied
        // A table or a type of that name is there, and not ours.
        case "42P07", "42710": .cannotCreate
        case "53100": .diskFull
        case "55P03", "40001", "40P01", "57014": .locked
        case "3F000", "42P01", "42703": .corrupt
        case _ where state.isEmpty || state.hasPrefix("08") || state.hasPrefix("57P"): .inputOutput
        default: .database
        }
    }

    /// What is unique and is another row's; none where the server names no constraint of ours.
    private var uniqueAttributes: [String] {
        guard code == .uniqueness, let table, let constraint else { return [] }
        return PostgreSQLLayout.attributes(ofConstraint: constraint, table: table)
    }

    /// What is wrong, in the words of every store where there are such.
    private var text: String {
        switch state {
        case "22003": FetchArithmetic.overflow.message
        case "22012": FetchArithmetic.divisionByZero.message
        case "23505": PersistenceError.taken(uniqueAttributes)
        case _ where isDeadlock:
            "another session and this one waited for each other, and the server had this one give way; nothing was stored; try again"
        case "55P03":
            "another session has held what is read or written here for longer than was to be waited; try again, or raise the busy timeout"
        default: message
        }
    }

    /// The error of a store at a place.
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
