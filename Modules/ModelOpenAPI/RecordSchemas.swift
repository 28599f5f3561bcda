import StrataCore
import StrataModelFiles

/// The names of the schemas of an entity, which differ from all other names of schemas.
struct SchemaNames {
    let record: String
    let new: String
    let patch: String

    /// Creates the names of an entity, and adds them to the used names.
    init(_ entity: String, _ used: inout Set<String>) {
        let name = entity
        func names(_ number: Int) -> [String] {
            let end = number == 1 ? "" : "\(number)"
            return ["\(name)\(end)", "New\(name)\(end)", "\(name)Patch\(end)"]
        }
        var number = 1
        while !used.isDisjoint(with: names(number)) { number += 1 }
        let unused = names(number)
        used.formUnion(unused)
        (record, new, patch) = (unused[0], unused[1], unused[2])
    }
}

/// The JSON schemas of an entity's records: stored records, new records, and patches.
///
/// Source: JSON Schema 2020-12, which OpenAPI 3.1 uses.
struct RecordSchemas {
    private enum Form {
        case stored, new, patch
    }

    private let entity: EntityDescription
    private let names: SchemaNames

    init(_ entity: EntityDescription, _ names: SchemaNames) { (self.entity, self.names) = (entity, names) }

    var members: [JSONValue.Member] {
        [(names.record, Form.stored), (names.new, .new), (names.patch, .patch)].map {
            JSONValue.Member(name: $0.0, value: schema($0.1))
        }
    }

    private var columns: [ColumnDescription] { entity.shownColumns.map { entity.columns[$0] } }

    private func schema(_ form: Form) -> JSONValue {
        var properties: [(String, JSONValue)] = []
        var required: [String] = []
        if form == .stored {
            properties.append(("id", Self.identifier([("readOnly", .boolean(true))])))
            required.append("id")
        }
        for column in columns where form == .stored || column.attribute?.isComputed != true {
            properties.append((column.name, schema(column)))
            let isRequired = !column.isOptional && column.attribute?.defaultValue == nil
            if form == .stored || (form == .new && isRequired) { required.append(column.name) }
        }
        // An attribute with this name hides the version of the record, which is in the header ETag.
        if form == .stored, entity.columnIndex("version") == nil {
            let text = "The version of the record, which is also its entity tag."
            properties.append(
                (
                    "version",
                    .members([
                        ("type", .text("integer")), ("readOnly", .boolean(true)), ("description", .text(text)),
                    ])
                ))
            required.append("version")
        }
        var members: [(String, JSONValue)] = [("type", .text("object"))]
        if let title = entity.external.title { members.append(("title", .text(title))) }
        if let text = entity.external.explanation { members.append(("description", .text(text))) }
        members.append(("properties", .members(properties)))
        if !required.isEmpty { members.append(("required", .list(required.map { .text($0) }))) }
        members.append(("additionalProperties", .boolean(false)))
        return .members(members)
    }

    /// Returns the schema of an identifier, which is exact in JSON numbers.
    static func identifier(_ others: [(String, JSONValue)] = [], isOptional: Bool = false) -> JSONValue {
        .members(
            [
                type("integer", isOptional: isOptional), ("minimum", .number(identifierRange.lowerBound)),
                ("maximum", .number(identifierRange.upperBound)),
            ] + others)
    }

    private static func type(_ name: String, isOptional: Bool) -> (String, JSONValue) {
        ("type", isOptional ? .list([.text(name), .text("null")]) : .text(name))
    }

    private func schema(_ column: ColumnDescription) -> JSONValue {
        guard let attribute = column.attribute else {
            let text = "The identifier of a record of \(column.destination ?? "")."
            return Self.identifier([("description", .text(text))], isOptional: column.isOptional)
        }
        var members = Self.members(of: attribute.type, isOptional: column.isOptional)
        if let format = attribute.domain?.format, let name = format.jsonSchemaName {
            members.append(("format", .text(name)))
        }
        for rule in attribute.rules { add(rule, isOptional: column.isOptional, to: &members) }
        if case .constant(let value)? = attribute.defaultValue {
            members.append(("default", ValueCoding.json(value)))
        }
        if let title = attribute.title { members.append(("title", .text(title))) }
        if let text = attribute.explanation { members.append(("description", .text(text))) }
        if attribute.isComputed { members.append(("readOnly", .boolean(true))) }
        return .members(members)
    }

    private static func members(of type: AttributeType, isOptional: Bool) -> [(String, JSONValue)] {
        func string(_ others: (String, JSONValue)...) -> [(String, JSONValue)] {
            [self.type("string", isOptional: isOptional)] + others
        }
        switch type {
        case .string: return string()
        case .integer16, .integer32, .integer64:
            let range = type.integerRange ?? .min ... .max
            return [
                self.type("integer", isOptional: isOptional), ("minimum", .number(range.lowerBound)),
                ("maximum", .number(range.upperBound)),
            ]
        case .double: return [self.type("number", isOptional: isOptional)]
        case .decimal(let scale):
            let step = scale == 0 ? "1" : "0." + String(repeating: "0", count: Int(scale) - 1) + "1"
            return [self.type("number", isOptional: isOptional), ("multipleOf", JSONValue(.number(step)))]
        case .boolean: return [self.type("boolean", isOptional: isOptional)]
        case .date: return string(("format", .text("date-time")))
        case .day: return string(("format", .text("date")))
        // The format `time` of JSON Schema needs a time zone.
        case .timeOfDay: return string(("pattern", .text("^[0-9]{2}:[0-9]{2}(:[0-9]{2}(\\.[0-9]{1,9})?)?$")))
        case .uuid: return string(("format", .text("uuid")))
        case .binary: return string(("contentEncoding", .text("base64")))
        }
    }

    private func add(_ rule: AttributeRule, isOptional: Bool, to members: inout [(String, JSONValue)]) {
        func set(_ name: String, _ value: JSONValue?) {
            guard let value else { return }
            members.removeAll { $0.0 == name }
            members.append((name, value))
        }
        switch rule {
        case .minimum(let value): set("minimum", Self.number(value))
        case .maximum(let value): set("maximum", Self.number(value))
        case .greaterThan(let value): set("exclusiveMinimum", Self.number(value))
        case .lessThan(let value): set("exclusiveMaximum", Self.number(value))
        case .oneOf(let values):
            set("enum", .list(values.map(ValueCoding.json) + (isOptional ? [.null] : [])))
        case .minimumLength(let length): set("minLength", .number(Int64(length)))
        case .maximumLength(let length): set("maxLength", .number(Int64(length)))
        // A pattern of a model matches the whole text.
        case .pattern(let pattern) where Self.isPortable(pattern): set("pattern", .text("^(?:\(pattern))$"))
        case .pattern: break
        }
    }

    /// Returns a Boolean value that indicates whether a pattern has the same meaning in ECMA-262.
    ///
    /// JSON Schema uses the patterns of ECMA-262.
    private static func isPortable(_ pattern: String) -> Bool {
        let others = [
            "&&", "--", "[[", "\\p", "\\P", "\\A", "\\Z", "\\z", "\\G", "\\h", "\\R", "\\X", "\\Q", "++", "*+", "?+",
            "}+",
        ]
        if others.contains(where: { pattern.firstRange(of: $0) != nil }) { return false }
        return pattern.ranges(of: "(?").allSatisfy { range in
            ["(?:", "(?=", "(?!"].contains(pattern[range.lowerBound...].prefix(3))
        }
    }

    /// Returns a bound, if it is a number; JSON Schema has no bounds for texts and dates.
    private static func number(_ value: StoredValue) -> JSONValue? {
        switch value {
        case .integer, .double, .decimal: ValueCoding.json(value)
        default: nil
        }
    }
}

extension TextFormat {
    /// The format's name in JSON Schema; `nil` if it has none.
    fileprivate var jsonSchemaName: String? {
        switch self {
        case .email: "email"
        case .uri: "uri"
        case .uuid: "uuid"
        case .duration: "duration"
        case .offsetDateTime: "date-time"
        default: nil
        }
    }
}
