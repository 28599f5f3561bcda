import StrataCore

/// A record with the members of nested objects as members of the record itself, and with arrays separated.
///
/// The order of members is that of the document. Elements of arrays are flattened when they are written to their own
/// table.
struct FlattenedRecord {
    /// The elements of an array, with its path.
    struct Part {
        /// The keys on the path to the array, joined by points.
        let path: String
        let elements: [JSONValue]
    }

    private(set) var members: [JSONValue.Member] = []
    private(set) var parts: [Part] = []
    /// The name that two members have, one by its key and one by its path.
    private(set) var repeated: String?
    private var names: Set<String> = []

    /// Flattens a record, or an element of an array; a value that is not an object becomes the only member, `value`.
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

    /// The value of the member with a name; `nil` if there is none.
    subscript(name: String) -> JSONValue? { members[name] }
}
