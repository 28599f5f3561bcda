import StrataCore
import StrataSQL
import StrataStoreKit

/// The SQL dialect of SQLite; ``SQLiteFunctions`` implements the functions that SQLite lacks.
///
/// The operator for equality that treats two nulls as equal is `IS`. In ascending order, null is first.
struct SQLiteDialect: SQLDialect {
    let marksModelTexts = false

    func parameter(_ number: Int) -> String { "?" }

    // MARK: Tables

    func columnType(_ type: AttributeType) -> String {
        switch type.storage {
        case .text: "TEXT"
        case .integer: "INTEGER"
        case .real: "REAL"
        case .blob: "BLOB"
        }
    }

    var deferredReference: String { "DEFERRABLE INITIALLY DEFERRED" }

    /// Returns the options of a table; a table whose primary key has several columns is stored in the index of that
    /// key.
    func tableOptions(keyColumns: Int) -> String { keyColumns > 1 ? " STRICT, WITHOUT ROWID" : " STRICT" }

    var historyNumber: String { "INTEGER PRIMARY KEY AUTOINCREMENT" }
    var transactionOrder: String { "0" }
    var historyHorizon: String? { nil }

    func temporaryTable(_ name: String) -> (creation: String, name: String) {
        let name = "temp." + SQLLayout.quoted(name)
        return ("CREATE TABLE \(name)", name)
    }

    func temporaryIndex(_ name: String, on table: String, column: String, isUnique: Bool) -> String {
        "CREATE \(isUnique ? "UNIQUE " : "")INDEX temp.\(SQLLayout.quoted(name)) ON \(SQLLayout.quoted(table)) "
            + "(\(SQLLayout.quoted(column)))"
    }

    // MARK: Views

    var relationNames: String { "SELECT name FROM sqlite_schema" }
    var viewDefinitions: String { "SELECT name, sql FROM sqlite_schema WHERE type = 'view'" }
    func shortened(_ name: String, with ending: String) -> String { name + ending }

    /// Returns the expression for a column's value in a view.
    ///
    /// Other programs evaluate the expression, too, so it uses only built-in functions of SQLite. The expression splits
    /// an integer into two parts, because the least integer has no absolute value. `strftime` supports the years 0 to
    /// 9999 (sqlite.org/lang_datefunc.html); for dates outside this range, the result is null.
    func fileValue(_ column: String, _ type: AttributeType) -> String {
        switch type {
        case .decimal(let scale) where scale == 0: return "CAST(\(column) AS TEXT)"
        case .decimal(let scale):
            let unit = "1" + String(repeating: "0", count: Int(scale))
            return "CASE WHEN \(column) < 0 THEN '-' ELSE '' END || abs(\(column) / \(unit)) || '.' || "
                + "printf('%0\(scale)d', abs(\(column) % \(unit)))"
        case .date:
            let milliseconds = "CAST(round((\(column) + 978307200.0) * 1000) AS INTEGER)"
            let fraction = "((\(milliseconds) % 1000 + 1000) % 1000)"
            return "strftime('%Y-%m-%dT%H:%M:%S', (\(milliseconds) - \(fraction)) / 1000, 'unixepoch') || "
                + "CASE \(fraction) WHEN 0 THEN '' ELSE rtrim('.' || printf('%03d', \(fraction)), '0') END || 'Z'"
        default: return column
        }
    }

    // MARK: Truth and null

    func truth(_ value: Bool) -> String { value ? "1" : "0" }
    func isSame(_ left: String, _ right: String) -> String { "\(left) IS \(right)" }
    func isDifferent(_ left: String, _ right: String) -> String { "\(left) IS NOT \(right)" }
    func orderingTerm(_ value: String, isDescending: Bool) -> String { isDescending ? value + " DESC" : value }

    // MARK: Values

    func arithmetic(
        _ operation: FetchArithmetic, of left: String, and right: String, as kind: OperandType.Kind
    ) -> String {
        "\(SQLiteFunctions.name(operation))(\(left), \(right))"
    }

    func function(_ function: FetchFunction, _ argument: String, of kind: OperandType.Kind) -> String {
        switch function {
        // SQLite counts the characters of a text and the bytes of binary data in the same way as Strata.
        case .length: "length(\(argument))"
        case .rounded(let digits): "\(SQLiteFunctions.roundName)(\(argument), \(digits), \(kind.scale))"
        case .inOrder(let format): "\(SQLiteFunctions.orderName)(\(argument), '\(format.rawValue)')"
        case .lowercased, .uppercased, .trimmed, .absolute: "\(SQLiteFunctions.name(function))(\(argument))"
        case .year, .yearMonth, .day:
            kind == .date ? "\(SQLiteFunctions.name(function))(\(argument))" : datePart(function, ofDay: argument)
        }
    }

    /// Returns the expression for a part of a day, whose text is year, month and day.
    private func datePart(_ function: FetchFunction, ofDay day: String) -> String {
        switch function {
        case .year: "CAST(substr(\(day), 1, 4) AS INTEGER)"
        case .yearMonth: "substr(\(day), 1, 7)"
        default: day
        }
    }

    /// Returns the expression for an aggregate; `strata_sum` and `strata_average` receive an exact sum in two parts.
    ///
    /// SQLite's `sum` of integers fails if an intermediate sum overflows, and its sum of doubles may be infinite. The
    /// sums of the upper and of the lower 32 bits of the numbers do not overflow for fewer than 2^31 rows.
    func aggregate(_ aggregate: ResolvedAggregate, of columns: [String]) -> String {
        let column = columns.first ?? "*"
        let parts = "sum(\(column) >> 32), sum(\(column) & 4294967295)"
        switch (aggregate.function, aggregate.operands.first?.type.kind) {
        case (.sum, .double): return "\(SQLiteFunctions.finiteName)(sum(\(column)), count(\(column)))"
        case (.total, .double):
            return "coalesce(\(SQLiteFunctions.finiteName)(sum(\(column)), count(\(column))), 0.0)"
        case (.average, .double): return "\(SQLiteFunctions.finiteName)(avg(\(column)), count(\(column)))"
        case (.sum, _): return "\(SQLiteFunctions.sumName)(\(parts))"
        case (.total, _): return "coalesce(\(SQLiteFunctions.sumName)(\(parts)), 0)"
        case (.average, .decimal(let scale)):
            return "\(SQLiteFunctions.averageName)(\(parts), count(\(column)), \(scale))"
        case (.average, _): return "\(SQLiteFunctions.averageName)(\(parts), count(\(column)), NULL)"
        case (.countDistinct, _) where columns.count > 1:
            let isGiven = columns.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
            // The literals of values are distinct if the values are.
            let literals = columns.map { "quote(\($0))" }.joined(separator: " || ',' || ")
            return "count(DISTINCT CASE WHEN \(isGiven) THEN \(literals) END)"
        case (.minimum, _), (.maximum, _):
            guard let format = aggregate.format else { return commonAggregate(aggregate, of: columns) }
            // The key of the order is followed by U+0000, which no text contains, and by the text.
            let key = function(.inOrder(of: format), column, of: .string)
            let name = aggregate.function == .minimum ? "min" : "max"
            return "\(SQLiteFunctions.orderedName)(\(name)(\(key) || char(0) || \(column)))"
        default: return commonAggregate(aggregate, of: columns)
        }
    }

    func comparison(of left: String, scale leftScale: UInt8, with right: String, scale rightScale: UInt8) -> String {
        "\(SQLiteFunctions.compareName)(\(left), \(leftScale), \(right), \(rightScale))"
    }

    func greater(_ left: String, _ right: String) -> String { "max(\(left), \(right))" }
    func lesser(_ left: String, _ right: String) -> String { "min(\(left), \(right))" }

    func literal(_ value: StoredValue) -> String {
        switch value.stored {
        case .null: "NULL"
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .text(let text):
            "'" + text.replacing("'", by: "''") + "'"
        case .blob(let bytes): "x'" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "'"
        }
    }

    var newUUID: String { "\(SQLiteMigrationFunctions.uuidName)()" }
    func counted(_ number: String) -> String { "\(SQLiteMigrationFunctions.countName)(\(number))" }

    func keeps(_ conversion: ValueConversion) -> Bool { conversion.keepsStoredForm }

    func converted(_ value: String, _ conversion: ValueConversion) -> String? {
        switch (conversion.source, conversion.target) {
        case (.integer16, .string), (.integer32, .string), (.integer64, .string): "CAST(\(value) AS TEXT)"
        case (.boolean, .string):
            "CASE \(value) WHEN 0 THEN 'false' WHEN 1 THEN 'true' "
                + "ELSE \(SQLiteMigrationFunctions.convertName)(\(value), 'boolean', 'string') END"
        case (.boolean, .decimal(let scale)), (.integer16, .decimal(let scale)), (.integer32, .decimal(let scale)),
            (.integer64, .decimal(let scale)):
            // The migration has already checked for products that would overflow.
            "\(value) * \(PowersOfTen.power(ofScale: scale))"
        case (.decimal(let scale), .decimal(let more)) where more > scale:
            "\(value) * \(PowersOfTen.power(ofScale: more - scale))"
        case (.integer16, .double), (.integer32, .double), (.integer64, .double), (.boolean, .double):
            "CAST(\(value) AS REAL)"
        default:
            "\(SQLiteMigrationFunctions.convertName)(\(value), '\(conversion.source)', '\(conversion.target)')"
        }
    }

    // MARK: Texts

    /// Returns a call of SQLite's `lower`, which changes only the letters A to Z, except in builds of SQLite with ICU.
    func lowercased(_ text: String) -> String { "lower(\(text))" }
    func contains(_ text: String, _ part: String) -> String { "instr(\(text), \(part)) > 0" }
    func endsWith(_ text: String, _ part: String) -> String { "\(SQLiteFunctions.endsWithName)(\(text), \(part))" }

    func like(_ text: String, _ pattern: String, ignoringCase: Bool) -> String {
        let name = ignoringCase ? SQLiteFunctions.likeIgnoringCaseName : SQLiteFunctions.likeName
        return "\(name)(\(text), \(pattern))"
    }

    // MARK: Rows

    func isMember(_ value: String, ofList list: String) -> String {
        "\(value) IN (SELECT value FROM json_each(\(list)))"
    }

    /// Returns the list of numbers as a JSON text, which may have any count of elements.
    func list(_ numbers: [Int64]) -> StoredValue {
        .string("[" + numbers.map(String.init).joined(separator: ",") + "]")
    }

    func isText(_ value: String, ofList list: String) -> String { isMember(value, ofList: list) }

    /// Returns the list of texts as a JSON text.
    func list(_ texts: [String]) -> StoredValue {
        let quoted = texts.map { text in
            let escaped = text.unicodeScalars.reduce(into: "") { result, scalar in
                switch scalar {
                case "\"", "\\": result += "\\\(scalar)"
                case ..<" ": result += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
                default: result.unicodeScalars.append(scalar)
                }
            }
            return "\"\(escaped)\""
        }
        return .string("[" + quoted.joined(separator: ",") + "]")
    }

    /// Returns the clause that limits the count of result rows and skips the first ones; SQLite requires a limit before
    /// an offset, and -1 means no limit.
    func window(limit: String?, offset: String?) -> String {
        " LIMIT \(limit ?? "-1")" + (offset.map { " OFFSET \($0)" } ?? "")
    }

    /// The `CROSS JOIN`, for which SQLite reads the first table before the second one.
    var orderedJoin: String { "CROSS JOIN" }
}
