import StrataCore

/// The kind of a value in a JSON document; the reader returns its text separately.
///
/// The kind of a Boolean includes its value, so a program need not read the text.
public enum JSONKind: Hashable, Sendable {
    /// `null`.
    case null

    /// `true` or `false`.
    case boolean(Bool)

    /// A number, which is stored as its text.
    ///
    /// It may have more digits than any numeric type of Swift.
    case number

    /// A string.
    case string

    /// An array, which was validated and skipped.
    ///
    /// Its text is the verbatim JSON.
    case array

    /// An object, which was validated and skipped.
    ///
    /// Its text is the verbatim JSON. An object on a path of ``JSONRecordLayout/paths`` is read instead of skipped.
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
    /// Creates the kind of a parsed value.
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
