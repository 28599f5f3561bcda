import StrataCore

/// A conversion of an attribute's rules to constraints of the Data Package standard, or to additional rules.
///
/// A field has at most one constraint of each kind, and the standard does not allow every constraint for every type. If
/// the constraints of a field cannot represent all rules in their order, a writer adds all rules to `strata:rules`. A
/// reader then ignores the constraints, except `required` and `unique`, and other tools still check those that they
/// know.
struct RuleForm {
    let type: AttributeType
    /// The text format of the attribute; `nil` if its values are not texts.
    let format: TextFormat?

    init(_ type: AttributeType, _ format: TextFormat?) {
        self.type = type
        self.format = format
    }

    /// Returns those rules that the Data Package standard can represent, at most one of each kind, in the order of a
    /// reader.
    func standard(_ rules: [AttributeRule]) -> [AttributeRule] {
        DescriptorWords.constraints.compactMap { name in
            let found = rules.filter { constraint($0) == name }
            return found.count == 1 && isAllowed(name) && isStandard(name) ? found[0] : nil
        }
    }

    /// Returns a Boolean value that indicates whether the Data Package standard allows a constraint for the type that
    /// is written.
    ///
    /// For texts, the standard has no minimum and maximum value.
    private func isStandard(_ constraint: String) -> Bool {
        guard type == .string, Self.bounds.contains(constraint) else { return true }
        return FieldForm.formats.contains { $0.format == format && $0.type != "string" }
    }

    /// The names of the constraints that compare a value with a bound.
    private static let bounds = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"]

    /// A noun for the attribute's values, for messages, such as `a string` or `a text of the form duration`.
    var kind: String {
        let article = ["a", "e", "i", "o", "u"].contains(type.description.first) ? "an" : "a"
        return format.map { "a text of the form \($0.rawValue)" } ?? "\(article) \(type)"
    }

    /// Returns a Boolean value that indicates whether the Data Package standard allows a constraint for values of the
    /// type.
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

    /// Returns the name of the constraint that represents a rule in the Data Package standard.
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

    /// Returns the value of the constraint that represents a rule.
    func json(_ rule: AttributeRule) -> JSONValue {
        if case .pattern(let pattern) = rule { .string(PatternText.written(pattern)) } else { plain(rule) }
    }

    /// Returns the object that represents a rule in the list of additional rules; there, patterns are not converted.
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

    /// Returns the rule that a name and a value represent, or `nil` if no rule has that name.
    ///
    /// - Parameters:
    ///   - name: The name of the constraint or additional rule.
    ///   - json: The value of the constraint or additional rule.
    ///   - isOwn: A Boolean value that indicates whether the rule is in the list of additional rules.
    /// - Returns: The rule.
    /// - Throws: `InvalidText` if the value is invalid for the rule with that name.
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
                throw InvalidText("\(json.kind), but a text is expected")
            }
            if isOwn { return .pattern(text) }
            if let block = PatternText.block(text) {
                throw InvalidText("a pattern with \(block), a block of XML Schema's; a script is meant by \\p{Greek}")
            }
            return .pattern(PatternText.read(text))
        default: return nil
        }
    }

    /// Returns the value of a rule with a bound, in the type of the attribute.
    private func value(_ json: JSONValue) throws(InvalidText) -> StoredValue {
        // If the standard's type is a number, a year or a number that is stored as a text may be a JSON number.
        if case .number(let text) = json.content, let format, [.year, .bigInteger, .number].contains(format) {
            return .string(text)
        }
        return try ValueCoding.value(json, of: type)
    }

    private func values(_ json: JSONValue) throws(InvalidText) -> [StoredValue] {
        guard case .array(let elements) = json.content else {
            throw InvalidText("\(json.kind), but a list is expected")
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
            throw InvalidText("\(json.kind), but a whole number is expected")
        }
        return length
    }
}
