import StrataCore

/// A record without objects and arrays: what objects hold as members of the record itself, and arrays apart.
struct FlattenedRecord {
    /// What arrays hold, by where they are.
    struct Part {
        /// The keys that lead there, with points between them.
        let path: String
        let elements: [JSONValue]
    }

    private(set) var members: [JSONValue.Member] = []
    private(set) var parts: [Part] = []
    /// The name that two members have, one by its key and one by its path.
    private(set) var repeated: String?
    private var names: Set<String> = []

    /// Flattens a record, or an element of an array: what is no object is its one member, `value`.
    init(_ value: JSONValue) {
        guard case .object(let members) = value.content else {
            self.members = [JSONValue.Member(name: "value", value: value)]
            return
        }
        add(members, below: "")
    }

    private mutating func add(_ members: [JSONValue.Member], below prefix: String) {
        for member in members {
            let path = prefix + member.name
            switch member.value.content {
            case .object(let inner): add(inner, below: path + ".")
            case .array(let elements): parts.append(Part(path: path, elements: elements))
            default:
                if !names.insert(path).inserted { repeated = repeated ?? path }
                self.members.append(JSONValue.Member(name: path, value: member.value))
            }
        }
    }

    /// The value of a member.
    subscript(name: String) -> JSONValue? { members[name] }
}
