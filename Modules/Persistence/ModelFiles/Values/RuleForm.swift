import StrataCore

/// Rules of an attribute as the standard's constraints, and as ours where it has none.
struct RuleForm {
    let type: AttributeType
    /// The form of its texts.
    let format: TextFormat?

    init(_ type: AttributeType, _ format: TextFormat?) {
        self.type = type
        self.format = format
    }

    /// The rules that the standard can say, in the order in which a reader finds them; no two of a kind.
    func standard(_ rules: [AttributeRule]) -> [AttributeRule] {
        DescriptorWords.constraints.compactMap { name in
            let found = rules.filter { constraint($0) == name }
            return found.count == 1 && isAllowed(name) && isStandard(name) ? found[0] : nil
        }
    }

    /// Whether the standard has the constraint for the type that is written: a text has neither least nor greatest value there.
    private func isStandard(_ constraint: String) -> Bool {
        guard type == .string, Self.bounds.contains(constraint) else { return true }
        return FieldForm.formats.contains { $0.format == format && $0.type != "string" }
    }

    private static let bounds = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"]

    /// What values are, for messages: `a string`, `a text of the form duration`.
    var kind: String {
        let article = ["a", "e", "i", "o", "u"].contains(type.description.first) ? "an" : "a"
        return format.map { "a text of the form \($0.rawValue)" } ?? "\(article) \(type)"
    }

    /// Whether the standard has a constraint for values of the type.
    func isAllowed(_ constraint: String) -> Bool {
        switch constraint {
        case "minLength", "maxLength", "pattern": type == .string
        case _ where Self.bounds.contains(constraint):
            switch type {
            case .string: format?.isOrdered ?? false
            case .integer16, .integer32, .integer64, .double, .decimal, .date, .day, .timeOfDay: true
            default: false
            }
        default: true
        }
    }

    /// What the standard calls a rule.
    func constraint(_ rule: AttributeRule) -> String {
        switch rule {
        case .minimum: "minimum"
        case .maximum: "maximum"
        case .greaterThan: "exclusiveMinimum"
        case .lessThan: "exclusiveMaximum"
        case .oneOf: "enum"
        case .minimumLength: "minLength"
        case .maximumLength: "maxLength"
        case .pattern: "pattern"
        }
    }

    /// A rule's value as a constraint has it.
    func json(_ rule: AttributeRule) -> JSONValue {
        if case .pattern(let pattern) = rule { .string(PatternText.written(pattern)) } else { plain(rule) }
    }

    /// A rule in our own list, where a pattern stands as it is.
    func object(_ rule: AttributeRule) -> JSONValue {
        let name =
            switch rule {
            case .minimum: "minimum"
            case .maximum: "maximum"
            case .greaterThan: "greaterThan"
            case .lessThan: "lessThan"
            case .oneOf: "oneOf"
            case .minimumLength: "minimumLength"
            case .maximumLength: "maximumLength"
            case .pattern: "pattern"
            }
        return .object([JSONValue.Member(name: name, value: plain(rule))])
    }

    private func plain(_ rule: AttributeRule) -> JSONValue {
        switch rule {
        case .minimum(let value), .maximum(let value), .greaterThan(let value), .lessThan(let value):
            ValueCoding.json(value)
        case .oneOf(let values): .array(values.map(ValueCoding.json))
        case .minimumLength(let length), .maximumLength(let length): .number("\(length)")
        case .pattern(let pattern): .string(pattern)
        }
    }

    /// The rule that a name and a value say; `nil` where the name is no rule's.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - json: The value.
    ///   - isOwn: Whether it stands in our own list.
    /// - Returns: The rule.
    /// - Throws: `InvalidText` where the value is none for the rule.
    func rule(_ name: String, _ json: JSONValue, isOwn: Bool) throws(InvalidText) -> AttributeRule? {
        switch (name, isOwn) {
        case ("minimum", _): return .minimum(try value(json))
        case ("maximum", _): return .maximum(try value(json))
        case ("exclusiveMinimum", false), ("greaterThan", true): return .greaterThan(try value(json))
        case ("exclusiveMaximum", false), ("lessThan", true): return .lessThan(try value(json))
        case ("enum", false), ("oneOf", true): return .oneOf(try values(json))
        case ("minLength", false), ("minimumLength", true): return .minimumLength(try length(json))
        case ("maxLength", false), ("maximumLength", true): return .maximumLength(try length(json))
        case ("pattern", _):
            guard case .string(let text) = json.content else {
                throw InvalidText("\(json.kind), and a text is expected")
            }
            if isOwn { return .pattern(text) }
            if let block = PatternText.block(text) {
                throw InvalidText("a pattern with \(block), a block of XML Schema's; a script is meant by \\p{Greek}")
            }
            return .pattern(PatternText.read(text))
        default: return nil
        }
    }

    private func value(_ json: JSONValue) throws(InvalidText) -> StoredValue {
        // A year, or a number that is kept as a text, may stand as a number where the standard says that it is one.
        if case .number(let text) = json.content, let format, [.year, .bigInteger, .number].contains(format) {
            return .string(text)
        }
        return try ValueCoding.value(json, of: type)
    }

    private func values(_ json: JSONValue) throws(InvalidText) -> [StoredValue] {
        guard case .array(let elements) = json.content else {
            throw InvalidText("\(json.kind), and a list is expected")
        }
        var values: [StoredValue] = []
        for element in elements {
            do throws(InvalidText) {
                values.append(try value(element))
            } catch {
                throw InvalidText("a list with \(JSONTreeWriter.line(element, .modelFile)), which is \(error.reason)")
            }
        }
        return values
    }

    private func length(_ json: JSONValue) throws(InvalidText) -> Int {
        guard case .number(let text) = json.content, let length = Int(text) else {
            throw InvalidText("\(json.kind), and a whole number is expected")
        }
        return length
    }
}
