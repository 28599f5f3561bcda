#if PostgreSQL
import StrataCore
import StrataSQL
import StrataStoreKit

/// The SQL dialect of PostgreSQL.
///
/// Parameters have numbers and types. Each term of `ORDER BY` states whether null is first or last. The server's
/// integer arithmetic reports overflow and division by zero itself. Texts are always compared by their bytes, with
/// `COLLATE "C"`.
struct PostgreSQLDialect: SQLDialect {
    /// The kind and capabilities of the server.
    var server = PostgreSQLServer.usual

    let marksModelTexts = true

    func parameter(_ number: Int) -> String { "$\(number)" }
    /// Returns a text parameter with the collation `"C"`; without it, a comparison of parameters would use the
    /// database's collation.
    func textParameter(_ number: Int) -> String { "($\(number) COLLATE \"C\")" }

    // MARK: Tables

    /// Returns the SQL type of a column that stores an attribute's values.
    ///
    /// Integers of every width, and decimals without their point, are 64-bit integers, as in arithmetic. Dates are
    /// seconds, because their range exceeds that of a `timestamp`.
    func columnType(_ type: AttributeType) -> String { collated(typeName(type), typeName(type)) }

    /// Returns an SQL value or type; if the type is that of texts, appends the collation `"C"`.
    private func collated(_ value: String, _ typeName: String) -> String {
        typeName == "text" ? "\(value) COLLATE \"C\"" : value
    }

    private func typeName(_ type: AttributeType) -> String {
        switch type {
        case .boolean: return "boolean"
        case .uuid: return "uuid"
        default: break
        }
        return switch type.storage {
        case .text: "text"
        case .integer: "bigint"
        case .real: "double precision"
        case .blob: "bytea"
        }
    }

    var relationNames: String {
        "SELECT c.relname::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = current_schema()"
    }
    var viewDefinitions: String {
        "SELECT viewname::text, definition FROM pg_views WHERE schemaname = current_schema()"
    }

    /// Returns a name with an ending, shortened to the server's maximum length, because the server would truncate a
    /// longer name.
    func shortened(_ name: String, with ending: String) -> String {
        var short = name
        while short.utf8.count + ending.utf8.count > PostgreSQLLayout.maximumNameByteCount {
            short.unicodeScalars.removeLast()
        }
        return short + ending
    }

    func fileValue(_ column: String, _ type: AttributeType) -> String {
        switch type {
        case .decimal(let scale) where scale == 0: return "\(column)::text"
        case .decimal(let scale):
            return "(\(column) * 0.\(String(repeating: "0", count: Int(scale) - 1))1::numeric)::text"
        case .date:
            let milliseconds = "round((\(column) + 978307200) * 1000)::bigint"
            let fraction = "((\(milliseconds) % 1000 + 1000) % 1000)"
            // A date outside the years 1 to 9999 has no text of this form, and may be too large for an interval.
            let isInside = "\(column) >= -63113904000 AND \(column) < 252423993600"
            let seconds = "(\(milliseconds) - \(fraction)) / 1000"
            return "CASE WHEN \(isInside) THEN to_char(timestamp '1970-01-01' + (\(seconds)) * interval '1 second', "
                + "'YYYY-MM-DD\"T\"HH24:MI:SS') || CASE \(fraction) WHEN 0 THEN '' ELSE "
                + "rtrim('.' || lpad(\(fraction)::text, 3, '0'), '0') END || 'Z' END"
        default: return column
        }
    }

    var deferredReference: String { "DEFERRABLE INITIALLY DEFERRED" }
    var definesReferencesLast: Bool { true }
    /// The end of a query for a row that a save will reference, which locks the row if the server cannot check
    /// references immediately.
    ///
    /// The lock prevents the deletion of the row until the transaction ends.
    var keepsRow: String { server.capabilities.contains(.immediateChecks) ? "" : " FOR KEY SHARE" }
    /// False: dropping an index would lock its table against readers until the transaction ends.
    var buildsIndexesLast: Bool { false }
    func tableOptions(keyColumns: Int) -> String { "" }
    var historyNumber: String { "bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY" }
    var transactionOrder: String { "txid_current()" }
    var historyHorizon: String? { "txid_snapshot_xmin(txid_current_snapshot())" }
    var indexOrder: String { " NULLS FIRST" }

    /// Returns the beginning of the statement that creates a temporary table, and the table's name in SQL.
    ///
    /// On a node of Citus, rows can be joined only with a table on the same node. With Citus, the table is therefore an
    /// ordinary one, which the caller drops.
    func temporaryTable(_ name: String) -> (creation: String, name: String) {
        if server.isCitus { return ("CREATE TABLE \(SQLLayout.quoted(name))", SQLLayout.quoted(name)) }
        return ("CREATE TEMPORARY TABLE \(SQLLayout.quoted(name))", "pg_temp.\(SQLLayout.quoted(name))")
    }

    func temporaryIndex(_ name: String, on table: String, column: String, isUnique: Bool) -> String {
        "CREATE \(isUnique ? "UNIQUE " : "")INDEX \(SQLLayout.quoted(name)) ON \(temporaryTable(table).name) "
            + "(\(SQLLayout.quoted(column)))"
    }

    // MARK: Truth and null

    func truth(_ value: Bool) -> String { value ? "TRUE" : "FALSE" }
    func isSame(_ left: String, _ right: String) -> String { "(\(left)) IS NOT DISTINCT FROM (\(right))" }
    func isDifferent(_ left: String, _ right: String) -> String { "(\(left)) IS DISTINCT FROM (\(right))" }

    func orderingTerm(_ value: String, isDescending: Bool) -> String {
        value + (isDescending ? " DESC NULLS LAST" : " NULLS FIRST")
    }

    // MARK: Values

    func arithmetic(
        _ operation: FetchArithmetic, of left: String, and right: String, as kind: OperandType.Kind
    ) -> String {
        switch operation {
        case .add: "(\(left) + \(right))"
        case .subtract: "(\(left) - \(right))"
        case .multiply where kind == .double: "\(PostgreSQLFunctions.productName)(\(left), \(right))"
        case .multiply: "(\(left) * \(right))"
        // This applies to integers too.
        case .divide: "\(PostgreSQLFunctions.quotientName)(\(left), \(right))"
        case .divideWhole: "(\(left) / \(right))"
        case .remainder: "\(PostgreSQLFunctions.remainderName)(\(left), \(right))"
        }
    }

    /// Returns an expression with the same value that the planner does not evaluate before a row is read.
    ///
    /// The planner evaluates constants early, and also parameters whose values it knows. Therefore the value is inside
    /// a `CASE` whose condition the planner cannot evaluate
    /// (postgresql.org/docs/15/sql-expressions.html#SYNTAX-EXPRESS-EVAL).
    func known(_ value: String) -> String { "(CASE WHEN clock_timestamp() IS NULL THEN NULL ELSE \(value) END)" }

    /// Returns a null with an SQL type; the server would treat a null without a type as a text if its position does not
    /// determine the type.
    func null(as kind: OperandType.Kind) -> String {
        guard let type = kind.type.map(typeName) else { return "NULL" }
        return "(\(collated("CAST(NULL AS \(type))", type)))"
    }

    func function(_ function: FetchFunction, _ argument: String, of kind: OperandType.Kind) -> String {
        switch function {
        case .length: "CAST(length(\(argument)) AS bigint)"
        case .absolute: "abs(\(argument))"
        case .rounded(let digits):
            kind == .double
                ? "CAST(round(\(PostgreSQLFunctions.exactName)(\(argument)), \(digits)) AS double precision)"
                : rounded(argument, toDigits: digits, scale: Int(kind.scale))
        // The case conversion follows Unicode's rules; the result is compared by bytes again. ICU converts a sigma at a
        // word's end specially, which Swift's lowercased() does not.
        case .lowercased: "(lower(replace(\(argument), 'Σ', 'σ') COLLATE \"und-x-icu\") COLLATE \"C\")"
        case .uppercased: "(upper(\(argument) COLLATE \"und-x-icu\") COLLATE \"C\")"
        case .trimmed: "(btrim(\(argument), \(Self.whiteSpace)) COLLATE \"C\")"
        case .year, .yearMonth, .day: datePart(function, argument, of: kind)
        case .inOrder(let format): "(\(PostgreSQLFunctions.orderName)(\(argument), '\(format.rawValue)') COLLATE \"C\")"
        }
    }

    /// Returns the expression for a part of a date or a day.
    ///
    /// The timestamp is 400 years later, a whole cycle of the calendar, because `to_char` writes the year 0 as 1. Dates
    /// outside the years 0 to 9999 cause an overflow.
    private func datePart(_ function: FetchFunction, _ argument: String, of kind: OperandType.Kind) -> String {
        guard kind == .date else {
            return switch function {
            case .year: "CAST(substr(\(argument), 1, 4) AS bigint)"
            case .yearMonth: "(substr(\(argument), 1, 7) COLLATE \"C\")"
            default: argument
            }
        }
        let later = "(to_timestamp(floor(\(argument)) + 13601088000) AT TIME ZONE 'UTC')"
        let year = "CAST(extract(year FROM \(later)) AS bigint) - 400"
        let text = "lpad(CAST(\(year) AS text), 4, '0') || to_char(\(later),"
        let (value, type) =
            switch function {
            case .year: (year, "bigint")
            case .yearMonth: ("(\(text) '-MM') COLLATE \"C\")", "text")
            default: ("(\(text) '-MM-DD') COLLATE \"C\")", "text")
            }
        let overflow = "CAST(power(CAST(10 AS double precision), 400 + \(argument) * 0) AS \(type))"
        return
            "(CASE WHEN \(argument) < -63145526400 OR \(argument) >= 252423993600 THEN \(overflow) ELSE \(value) END)"
    }

    func aggregate(_ aggregate: ResolvedAggregate, of columns: [String]) -> String {
        let column = columns.first ?? "*"
        let kind = aggregate.operands.first?.type.kind
        switch (aggregate.function, kind) {
        case (.sum, .integer), (.sum, .decimal): return "CAST(sum(\(column)) AS bigint)"
        case (.total, .integer), (.total, .decimal): return "CAST(coalesce(sum(\(column)), 0) AS bigint)"
        case (.average, .double):
            // `avg` also computes the variance, which overflows for large numbers.
            return "\(PostgreSQLFunctions.quotientName)(sum(\(column)), CAST(count(\(column)) AS double precision))"
        case (.average, .integer):
            return "CAST(sum(\(column)) AS double precision) / CAST(count(\(column)) AS double precision)"
        case (.average, .decimal(let scale)):
            // `numeric` division rounds its quotient, so that `round` would round twice; `div` is exact.
            let unit = PowersOfTen.power(ofScale: ResolvedAggregate.averageScale(scale) - scale)
            let doubled = "2 * abs(sum(\(column))) * \(unit) + count(\(column))"
            return "CAST(sign(sum(\(column))) * div(\(doubled), 2 * CAST(count(\(column)) AS numeric)) AS bigint)"
        case (.countDistinct, _) where columns.count > 1:
            let isGiven = columns.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
            return "\(commonAggregate(aggregate, of: columns)) FILTER (WHERE \(isGiven))"
        case (.minimum, .boolean): return "bool_and(\(column))"
        case (.maximum, .boolean): return "bool_or(\(column))"
        case (.minimum, .uuid), (.maximum, .uuid), (.minimum, .binary), (.maximum, .binary):
            return extreme(aggregate, column, by: [column])
        case (.minimum, _), (.maximum, _):
            guard let format = aggregate.format else { return commonAggregate(aggregate, of: columns) }
            return extreme(aggregate, column, by: [function(.inOrder(of: format), column, of: .string), column])
        default: return commonAggregate(aggregate, of: columns)
        }
    }

    /// Returns the expression for the first value in an order, for types without the functions `min` and `max`.
    private func extreme(_ aggregate: ResolvedAggregate, _ column: String, by keys: [String]) -> String {
        let direction = aggregate.function == .maximum ? " DESC" : ""
        let order = keys.map { $0 + direction }.joined(separator: ", ")
        return "(array_agg(\(column) ORDER BY \(order)) FILTER (WHERE \(column) IS NOT NULL))[1]"
    }

    /// Returns the expression that rounds a decimal, in its stored form, to a count of digits, half away from zero.
    ///
    /// The expression multiplies instead of dividing, because the server would round a quotient.
    private func rounded(_ argument: String, toDigits digits: Int, scale: Int) -> String {
        guard digits < scale else { return argument }
        let unit = "0." + String(repeating: "0", count: scale - digits - 1) + "1"
        let back = "1" + String(repeating: "0", count: max(0, -digits))
        return "CAST(round(CAST(\(argument) AS numeric) * \(unit)) * \(back) AS bigint)"
    }

    /// The characters with Unicode's White_Space property.
    private static let whiteSpace =
        "E'\\u0009\\u000A\\u000B\\u000C\\u000D\\u0020\\u0085\\u00A0\\u1680\\u2000\\u2001\\u2002\\u2003\\u2004"
        + "\\u2005\\u2006\\u2007\\u2008\\u2009\\u200A\\u2028\\u2029\\u202F\\u205F\\u3000'"

    func comparison(of left: String, scale leftScale: UInt8, with right: String, scale rightScale: UInt8) -> String {
        func digits(_ value: String, _ scale: UInt8, _ other: UInt8) -> String {
            let factor = PowersOfTen.power(ofScale: scale < other ? other - scale : 0)
            return "CAST(\(value) AS numeric) * \(factor)"
        }
        return "sign(\(digits(left, leftScale, rightScale)) - \(digits(right, rightScale, leftScale)))"
    }

    /// Returns a comparison that does not convert the integer to a double, because the conversion would round integers
    /// above 2^53.
    func comparison(ofInteger integer: String, withDouble double: String) -> String? {
        let whole = "CAST(trunc(\(double)) AS bigint)"
        return """
            CASE WHEN \(integer) IS NULL OR \(double) IS NULL THEN NULL \
            WHEN \(double) >= CAST(9223372036854775808 AS double precision) THEN -1 \
            WHEN \(double) < CAST(-9223372036854775808 AS double precision) THEN 1 \
            WHEN \(integer) < \(whole) THEN -1 WHEN \(integer) > \(whole) THEN 1 \
            ELSE CAST(sign(trunc(\(double)) - \(double)) AS integer) END
            """
    }

    func greater(_ left: String, _ right: String) -> String { "greatest(\(left), \(right))" }
    func lesser(_ left: String, _ right: String) -> String { "least(\(left), \(right))" }

    func literal(_ value: StoredValue) -> String {
        if case .boolean(let truth) = value { return self.truth(truth) }
        return switch value.stored {
        case .null: "NULL"
        case .integer(let number): "\(number)"
        case .real(let number): "CAST('\(number)' AS double precision)"
        case .text(let text):
            "'" + text.replacing("'", by: "''") + "'"
        case .blob(let bytes):
            "CAST('\\x" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "' AS bytea)"
        }
    }

    var newUUID: String { "gen_random_uuid()" }
    /// Returns a Boolean value that indicates whether a column of the new type stores a value of the old type in the
    /// same form.
    ///
    /// In PostgreSQL, this is not the case for Boolean values and integers, because Boolean values have their own SQL
    /// type.
    func keeps(_ conversion: ValueConversion) -> Bool {
        conversion.keepsStoredForm && columnType(conversion.source) == columnType(conversion.target)
    }

    /// Returns `nil`, because Swift code converts the values, as in the other stores.
    func converted(_ value: String, _ conversion: ValueConversion) -> String? { nil }
    func counted(_ number: String) -> String { number }

    // MARK: Texts

    func lowercased(_ text: String) -> String { "lower(\(text) COLLATE \"C\")" }
    func contains(_ text: String, _ part: String) -> String { "strpos(\(text), \(part)) > 0" }

    func endsWith(_ text: String, _ part: String) -> String {
        "right(\(text), length(\(part))) = \(part) AND length(\(text)) >= length(\(part))"
    }

    func like(_ text: String, _ pattern: String, ignoringCase: Bool) -> String {
        ignoringCase ? "\(lowercased(text)) LIKE \(lowercased(pattern))" : "\(text) LIKE \(pattern)"
    }

    /// Returns a pattern with the wildcards of LIKE, `%` and `_` instead of `*` and `?`, and with the same escape
    /// character.
    func pattern(_ pattern: String) -> String {
        var translated = ""
        var isEscaped = false
        for scalar in pattern.unicodeScalars {
            switch scalar {
            case _ where isEscaped:
                translated.unicodeScalars.append(scalar)
                isEscaped = false
            case "\\":
                translated += "\\"
                isEscaped = true
            case "*": translated += "%"
            case "?": translated += "_"
            case "%", "_": translated += "\\" + String(scalar)
            default: translated.unicodeScalars.append(scalar)
            }
        }
        return isEscaped ? translated + "\\" : translated
    }

    // MARK: Rows

    func isMember(_ value: String, ofList list: String) -> String { "\(value) = ANY (CAST(\(list) AS bigint[]))" }

    func list(_ numbers: [Int64]) -> StoredValue {
        .string("{" + numbers.map(String.init).joined(separator: ",") + "}")
    }

    func isText(_ value: String, ofList list: String) -> String { "\(value) = ANY (CAST(\(list) AS text[]))" }

    func list(_ texts: [String]) -> StoredValue {
        let quoted = texts.map { text in
            "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
        }
        return .string("{" + quoted.joined(separator: ",") + "}")
    }

    func window(limit: String?, offset: String?) -> String {
        (limit.map { " LIMIT \($0)" } ?? "") + (offset.map { " OFFSET \($0)" } ?? "")
    }

    var orderedJoin: String { "INNER JOIN" }
}
#endif
