import StrataCore
import StrataInterchange
import StrataModelFiles

/// The type that the inference chose for a column.
///
/// The narrowest type that every cell matches is chosen. A type that the user specified is used without a comparison;
/// cells that do not match it are an error of the inference. A column without a value is a text.
///
/// The decision also contains the notes of the report. Each note names the alternative and the option that selects it.
struct ColumnDecision {
    let kind: CellKind
    /// The JSON properties of the column's field in a descriptor, except for the name and the constraints.
    private(set) var members: [JSONValue.Member] = []
    /// The name of the type in reports.
    private(set) var type: String
    private(set) var notes: [String] = []
    /// A Boolean value that indicates whether the column stores JSON values as their text.
    private(set) var storesJSON = false

    /// Chooses the type of a column by its statistics.
    ///
    /// - Parameters:
    ///   - column: The statistics of the column.
    ///   - table: The name of the dataset, as options name it.
    init(_ column: ColumnScan, of table: String) {
        if let given = column.given {
            (kind, type) = (given.type.kind, given.type.text)
            members = given.type.members(scale: min(18, given.fractionDigits), column.scan.spelling)
            notes = ["as specified"]
            return
        }
        let scan = column.scan
        let found = column.valueCount == 0 ? .text : scan.kind
        kind = found
        type = found.name
        switch found {
        case .integer, .boolean, .day, .time: add("type", Self.standard(found))
        case .decimal: decimal(scan.numbers)
        case .double: add(["type": "number", "strata:type": "double"])
        case .uuid: add(["type": "string", "format": "uuid", "strata:type": "uuid"])
        case .date: add(["type": "datetime", "strata:type": "date"])
        case .words:
            add("type", "boolean")
            guard let words = scan.words.words else { break }
            members.append(.init(name: "trueValues", value: .array(words.isTrue.map(JSONValue.string))))
            members.append(.init(name: "falseValues", value: .array(words.isFalse.map(JSONValue.string))))
            type = "boolean (\((words.isTrue + words.isFalse).joined(separator: ", ")))"
        case .spelledNumber: spelled(scan)
        case .spelledDay, .spelledDate, .spelledTime: dates(scan)
        case .localDateTime, .offsetDateTime:
            add(["type": "datetime", "strata:domain": found == .localDateTime ? "localDateTime" : "offsetDateTime"])
        case .yearMonth: add("type", "yearmonth")
        case .object, .array: add("type", found == .object ? "object" : "array")
        case .text where Array(column.jsonKinds.keys) == ["number"]:
            add(["type": "string", "strata:domain": TextFormat.number.rawValue])
            type = "text (number)"
            notes.append(
                "numbers that no type writes back unchanged: stored as written, and sorted by value; "
                    + "\(Self.option("type", of: table, column.name, as: "double")) stores their values"
            )
        case .text where column.needsJSON:
            add(["type": "string", "strata:domain": TextFormat.json.rawValue])
            type = "JSON value"
            storesJSON = true
            notes.append("each value is stored as JSON text")
        case .text:
            add("type", "string")
            explainText(column, table)
        }
        reportTokens(column, found)
        if column.emptyIsNull {
            let count = column.quotedEmptyCount == 1 ? "1 cell" : "\(column.quotedEmptyCount) cells"
            notes.append("\"\" is null: \(count), the first on line \(column.quotedEmptyLine)")
        }
        if column.jsonKinds.count > 1 {
            let counts = column.jsonKinds.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)s" }
            let remedy =
                storesJSON
                ? "" : "; stored as text; --numbers-as-text imports the numbers as text"
            notes.insert("of mixed kinds: \(counts.joined(separator: ", "))\(remedy)", at: 0)
        }
    }

    /// Creates the decision for the key column of a dataset that is only in a store.
    init(ofStored kind: CellKind) {
        self.kind = kind
        type = kind.name
    }

    private static func standard(_ kind: CellKind) -> String {
        switch kind {
        case .day: "date"
        default: kind.name
        }
    }

    private mutating func add(_ name: String, _ text: String) {
        members.append(.init(name: name, value: .string(text)))
    }

    private mutating func add(_ texts: KeyValuePairs<String, String>) { for (name, text) in texts { add(name, text) } }

    /// Adds the members of a decimal; a decimal without decimal places becomes an integer.
    ///
    /// If the cells have different counts of decimal places, each must have the fewest that represent its value. The
    /// field then has `strata:fewestDigits`, so that an export writes the same texts.
    private mutating func decimal(_ numbers: NumbersInForm) {
        let isWhole = numbers.scale == 0
        add("type", isWhole ? "integer" : "number")
        type = isWhole ? "integer" : "decimal(\(numbers.scale))"
        guard !isWhole else { return }
        members.append(.init(name: "strata:scale", value: .number(numbers.scale)))
        if !numbers.isFixed {
            members.append(.init(name: "strata:fewestDigits", value: .boolean(true)))
            type += ", fewest digits"
        }
    }

    /// Returns a command-line option with its value, quoted for a shell.
    private static func option(_ name: String, _ value: String) -> String { "--\(name) \(ShellWord.quoted(value))" }

    private static func option(_ name: String, of table: String, _ column: String, as value: String) -> String {
        option(name, "\(table).\(column)=\(value)")
    }

    /// Adds the members of a day, an instant or a time in a spelling other than ISO 8601.
    private mutating func dates(_ scan: KindScan) {
        guard let found = scan.days.only else { return }
        switch found.kind {
        case .spelledDay: add("type", "date")
        case .spelledDate: add(["type": "datetime", "strata:type": "date"])
        default: add("type", "time")
        }
        add(format: found.pattern)
        type = "\(found.kind.shortName) (\(found.pattern.text))"
        if found.kind == .spelledDate, !found.pattern.hasZone { notes.append("without a zone: read as UTC") }
    }

    private mutating func add(format pattern: DatePattern) {
        for (name, text) in DateFormat.properties(of: pattern.text) { add(name, text) }
    }

    /// Adds the members of a number in a spelling other than the default one.
    private mutating func spelled(_ scan: KindScan) {
        guard let numbers = scan.spelledForm else { return }
        decimal(numbers)
        if numbers.scale > 0, numbers.form.decimal != NumberForm.plain.decimal {
            add("decimalChar", numbers.form.decimalText)
            type += ", decimal \(numbers.form.decimalText)"
        }
        if let group = numbers.form.groupText, numbers.isGrouped {
            add("groupChar", group)
            type += ", groups \(group == " " ? "of spaces" : group)"
        }
    }

    /// Adds notes about the types that an ambiguous column could have, and the options that choose one of them.
    private mutating func explainText(_ column: ColumnScan, _ table: String) {
        guard column.valueCount > 0 else {
            notes.append("no value at all")
            return
        }
        if let first = column.scan.days.left.first {
            let formats = column.scan.days.readings
            notes.append(
                "every cell is a \(first.kind.shortName) in the format \(formats.joined(separator: " or ")); "
                    + (column.name.utf8.contains { "=%".utf8.contains($0) }
                        ? Self.option("type", of: table, column.name, as: "\(first.kind.shortName):\(formats[0])")
                        : Self.option("date-format", column.name + "=" + formats[0])) + " chooses one")
        } else if let nearest = column.scan.days.nearest {
            let type = "\(nearest.kind.shortName):\(nearest.pattern.text)"
            notes.append(
                "most cells are a \(nearest.kind.shortName) in the format \(nearest.pattern.text); "
                    + "\(Self.option("type", of: table, column.name, as: type)) with --on-error reject rejects the "
                    + "others"
            )
        }
        let forms = column.scan.forms.filter(\.isWitnessed)
        if forms.count > 1 {
            notes.append("numbers with ambiguous commas and points: stored as written")
        }
    }

    /// Adds a note if the column would have a narrower type without words for missing values, such as `NA`.
    private mutating func reportTokens(_ column: ColumnScan, _ found: CellKind) {
        guard let sparing = column.sparing, column.valueCount > column.tokenCounts.values.reduce(0, +) else { return }
        let other = sparing.kind
        // The option applies to tables; a document has its own null.
        guard other != found, column.jsonKinds.isEmpty else { return }
        let words = column.tokenCounts.sorted { $0.key < $1.key }
        let counts = words.map { "\($0.key) (\($0.value) times)" }.joined(separator: ", ")
        let options = words.map { "--null '\($0.key)'" }.joined(separator: " ")
        notes.append("without \(counts) the type would be \(other.name); \(options) reads them as null")
    }
}
