import StrataCore

/// What a value of a JSON document is; its text, where it has one, is asked for separately.
public enum JSONKind: Hashable, Sendable {
    /// `null`.
    case null

    /// `true` or `false`.
    case boolean(Bool)

    /// A number, kept as its text.
    case number

    /// A string.
    case string

    /// An array, which was checked and skipped.
    case array

    /// An object, which was checked and skipped.
    case object

    /// The kind with its article, for messages: `a number`.
    public var name: String {
        switch self {
        case .null: "null"
        case .boolean(let value): value ? "true" : "false"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

extension JSONKind {
    /// The kind of a value that was read.
    init(_ value: JSONValue) {
        switch value.content {
        case .null: self = .null
        case .boolean(let value): self = .boolean(value)
        case .number: self = .number
        case .string: self = .string
        case .array: self = .array
        case .object: self = .object
        }
    }
}
