import StrataCore
import StrataInterchange

/// What a column is taken for.
struct ColumnDecision {
    let kind: CellKind
    /// The properties of its field in a descriptor, but for name and constraints.
    private(set) var members: [JSONValue.Member] = []
    /// What reports call it.
    private(set) var type: String
    private(set) var notes: [String] = []

    /// - Parameters:
    ///   - column: What is known of the column.
    ///   - forced: What somebody said that it is.
    init(_ column: ColumnScan, forced: GivenType?) {
        if let forced {
            (kind, type) = (.text, forced.text)
            members = forced.members(scale: column.scan.numbers.scale)
            notes = ["as you said"]
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
            members.append(.init(name: "trueValues", value: .array([.string(words.isTrue)])))
            members.append(.init(name: "falseValues", value: .array([.string(words.isFalse)])))
            type = "boolean (\(words.isTrue), \(words.isFalse))"
        case .spelledNumber: spelled(scan)
        case .spelledDay:
            add(["type": "date", "format": scan.days.only?.text ?? "default"])
            type = "day (\(scan.days.only?.text ?? ""))"
        case .localDateTime, .offsetDateTime:
            add(["type": "datetime", "strata:domain": found == .localDateTime ? "localDateTime" : "offsetDateTime"])
        case .yearMonth: add("type", "yearmonth")
        case .object, .array: add("type", found == .object ? "object" : "array")
        case .text where Array(column.jsonKinds.keys) == ["number"]:
            add(["type": "string", "strata:domain": TextFormat.number.rawValue])
            type = "text (number)"
            notes.append(
                "numbers that no type writes back as they are: kept as they are written, and sorted by what they are; --type TABLE.\(column.name)=double takes their values"
            )
        case .text:
            add("type", "string")
            explainText(column)
        }
        tellTokens(column, found)
        if column.jsonKinds.count > 1 {
            let counts = column.jsonKinds.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)s" }
            notes.append(
                "of mixed kinds: \(counts.joined(separator: ", ")); a text, and --numbers-as-text imports its numbers as the texts that they are written as"
            )
        }
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

    /// What an unclear column might be, and how to say so.
    private mutating func explainText(_ column: ColumnScan) {
        guard column.valueCount > 0 else {
            notes.append("no value at all")
            return
        }
        let days = column.scan.days.left.map(\.text)
        if !days.isEmpty {
            notes.append(
                "every cell is a day as \(days.joined(separator: " or as ")); --type TABLE.\(column.name)=day:FORMAT says which"
            )
        }
        let forms = column.scan.forms.filter(\.isWitnessed)
        if forms.count > 1 {
            notes.append("numbers whose commas and points may mean two things: kept as they are")
        }
    }

    private mutating func tellTokens(_ column: ColumnScan, _ found: CellKind) {
        guard let sparing = column.sparing, column.valueCount > column.tokenCounts.values.reduce(0, +) else { return }
        let other = sparing.kind
        guard other != found else { return }
        let words = column.tokenCounts.sorted { $0.key < $1.key }
        let counts = words.map { "\($0.key) (\($0.value) times)" }.joined(separator: ", ")
        let options = words.map { "--null '\($0.key)'" }.joined(separator: " ")
        notes.append("without \(counts) it is \(other.name); \(options) takes it for null")
    }
}

/// A type that somebody gave a column.
package struct GivenType: Sendable {
    /// As it was given.
    let text: String
    private let name: String
    private let argument: String?

    /// The names there are.
    package static let names = [
        "text", "integer", "decimal", "double", "boolean", "uuid", "day", "time", "date", "dateTime", "binary",
    ]

    /// A type as it is given: `text`, `decimal`, `decimal:2`, `day:%d/%m/%Y`; `nil` where there is none of the name, or its argument is none.
    package init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, Self.names.contains(String(first)) else { return nil }
        self.text = text
        name = String(first)
        argument = parts.count > 1 ? String(parts[1]) : nil
        switch (name, argument) {
        case (_, nil): break
        case ("decimal", let digits?): guard let scale = Int(digits), (0...18).contains(scale) else { return nil }
        case ("day", let format?), ("date", let format?), ("time", let format?): if format.isEmpty { return nil }
        default: return nil
        }
    }

    /// The properties of a field of this type.
    func members(scale: Int) -> [JSONValue.Member] {
        func texts(_ pairs: KeyValuePairs<String, String>) -> [JSONValue.Member] {
            pairs.map { .init(name: $0.key, value: .string($0.value)) }
        }
        let format = argument.map { [JSONValue.Member(name: "format", value: .string($0))] } ?? []
        switch name {
        case "integer": return texts(["type": "integer"])
        case "decimal":
            let digits = argument.flatMap { Int($0) } ?? min(18, scale)
            return texts(["type": "number"]) + [.init(name: "strata:scale", value: .number(digits))]
        case "double": return texts(["type": "number", "strata:type": "double"])
        case "boolean": return texts(["type": "boolean"])
        case "uuid": return texts(["type": "string", "format": "uuid", "strata:type": "uuid"])
        case "day": return texts(["type": "date"]) + format
        case "time": return texts(["type": "time"]) + format
        case "date": return texts(["type": "datetime"]) + format + texts(["strata:type": "date"])
        case "dateTime": return texts(["type": "datetime"])
        case "binary": return texts(["type": "string", "format": "binary", "strata:type": "binary"])
        default: return texts(["type": "string"])
        }
    }
}
