import StrataCore

/// The form in which the values of a column are read.
enum ForeignForm: Sendable, Equatable {
    case integer
    case double
    case decimal(UInt8)
    case boolean
    case text
    case day
    /// Texts with a date, a time and a time zone.
    case instant
    /// Whole numbers of seconds or milliseconds since 1970, by the count of units in a second.
    case unixTime(Int64)
    case uuid
    case binary
    /// Values of several kinds, which are read as texts.
    case mixed

    /// A Boolean value that indicates whether different values of the form always have different texts, so that a
    /// column of the form can be a key.
    var isKey: Bool {
        switch self {
        case .integer, .text, .uuid, .day: true
        case .double, .decimal, .boolean, .instant, .unixTime, .binary, .mixed: false
        }
    }

    /// The type of the values in a descriptor.
    var members: [(String, JSONValue)] {
        func exactly(_ type: String, _ exact: String) -> [(String, JSONValue)] {
            [("type", .string(type)), ("strata:type", .string(exact))]
        }
        return switch self {
        case .integer: [("type", .string("integer"))]
        case .double: exactly("number", "double")
        case .decimal(let scale): [("type", .string("number")), ("strata:scale", .number(scale))]
        case .boolean: [("type", .string("boolean"))]
        case .text, .mixed: [("type", .string("string"))]
        case .day: [("type", .string("date"))]
        case .instant, .unixTime: exactly("datetime", "date")
        case .uuid: exactly("string", "uuid")
        case .binary: exactly("string", "binary")
        }
    }
}
