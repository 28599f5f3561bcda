/// A JSON document in memory: numbers as they are written, members in their order.
///
/// Foundation's decoders give numbers as doubles and members in no order; a model file has integers of 64 bits, and is written again.
enum JSONValue: Hashable, Sendable {
    /// A member of an object.
    struct Member: Hashable, Sendable {
        let name: String
        let value: JSONValue
    }

    case null
    case boolean(Bool)
    /// A number's own text.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([Member])

    /// What it is, for messages.
    var kind: String {
        switch self {
        case .null: "null"
        case .boolean: "true or false"
        case .number: "a number"
        case .string: "a text"
        case .array: "a list"
        case .object: "an object"
        }
    }
}
