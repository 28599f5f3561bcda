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

    init(_ result: OpaquePointer, sql: String) {
        func field(_ code: UnicodeScalar) -> String? {
            PQresultErrorField(result, Int32(code.value)).map { String(cString: $0) }
        }
        // The letters are libpq's PG_DIAG_SQLSTATE, PG_DIAG_MESSAGE_PRIMARY, PG_DIAG_TABLE_NAME and PG_DIAG_CONSTRAINT_NAME.
        state = field("C") ?? ""
        message = field("M") ?? String(cString: PQresultErrorMessage(result))
        table = field("t")
        constraint = field("n")
        self.sql = sql
    }

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

    /// The error of a store at a place.
    func error(place: String) -> PersistenceError {
        let isLocked = state == "55P03"
        let waited =
            "another session has held what is read or written here for longer than was to be waited; try again, or raise the busy timeout"
        var error = PersistenceError(code, isLocked ? waited : message, path: place)
        error.sql = sql
        error.entity = table
        if error.code == .uniqueness, let table, let constraint {
            error.attribute = PostgreSQLLayout.attributes(ofConstraint: constraint, table: table)
        }
        return error
    }
}
#endif
