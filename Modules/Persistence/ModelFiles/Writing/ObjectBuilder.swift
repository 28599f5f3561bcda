import StrataCore

/// A builder of a JSON object that omits members with default values.
///
/// The members have the order in which they are added, so that the same model always results in the same text.
struct ObjectBuilder {
    private(set) var members: [JSONValue.Member] = []

    var value: JSONValue { .object(members) }
    var isEmpty: Bool { members.isEmpty }

    /// Adds a member, unless its value is `nil`.
    mutating func add(_ name: String, _ value: JSONValue?) {
        if let value { members.append(JSONValue.Member(name: name, value: value)) }
    }

    mutating func add(_ name: String, _ text: String?) { add(name, text.map(JSONValue.string)) }
    mutating func add(_ name: String, _ texts: [String]) { add(name, .array(texts.map(JSONValue.string))) }
    mutating func add(_ name: String, _ texts: [String]?) { if let texts { add(name, texts) } }
    mutating func add(_ name: String, _ number: Int?) { add(name, number.map { .number($0) }) }

    /// Adds a member with earlier names: a text if there is one name, and a list if there are several.
    mutating func add(_ name: String, earlier names: [String]) {
        if names.isEmpty { return }
        add(name, names.count == 1 ? JSONValue.string(names[0]) : .array(names.map(JSONValue.string)))
    }

    /// Adds a member with a Boolean value, unless the value is the default.
    mutating func add(_ name: String, _ isTrue: Bool, unless usual: Bool) {
        if isTrue != usual { add(name, .boolean(isTrue)) }
    }

    mutating func add(_ name: String, _ rule: DeleteRule, unless usual: DeleteRule) {
        if rule != usual { add(name, rule.rawValue) }
    }
}
