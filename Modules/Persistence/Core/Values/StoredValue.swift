public import Foundation

/// One value as a store keeps it: the common language of contexts, stores, conditions and the bulk paths.
///
/// Equality, order and hashing follow the comparison rules of <doc:ComparisonRules>: they are the same in every store.
public enum StoredValue: Sendable {
    /// No value. A value of its own: equal to itself, before every other.
    case null
    /// True or false.
    case boolean(Bool)
    /// A whole number of 16, 32 or 64 bits.
    case integer(Int64)
    /// A finite floating-point number.
    case double(Double)
    /// An exact decimal number.
    case decimal(ScaledDecimal)
    /// Text.
    case string(String)
    /// An instant.
    case date(Date)
    /// A universally unique identifier.
    case uuid(UUID)
    /// Bytes.
    case binary(Data)
}

extension StoredValue {
    /// Whether this is ``null``.
    public var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// The kind's name for messages.
    ///
    /// `null`, `boolean`, `integer`, and so on.
    public var kindName: String {
        switch self {
        case .null: "null"
        case .boolean: "boolean"
        case .integer: "integer"
        case .double: "double"
        case .decimal: "decimal"
        case .string: "string"
        case .date: "date"
        case .uuid: "uuid"
        case .binary: "binary"
        }
    }

    /// The value brought to the form in which a store of that type keeps it.
    ///
    /// A whole number is accepted where a double or a decimal is declared, a decimal is brought to the declared scale, a date to
    /// the nanosecond; `-0.0` becomes `0.0`. Null is of every type.
    ///
    /// - Returns: The value, or `nil` when it is not of that type (a decimal with more digits than the scale, a number that is out
    ///   of the type's range or not finite, text with U+0000).
    public func converted(to type: AttributeType) -> StoredValue? {
        switch (type, self) {
        case (_, .null): return .null
        case (.string, .string(let text)): return text.holdsZero ? nil : self
        case (.boolean, .boolean), (.uuid, .uuid), (.binary, .binary), (.integer64, .integer): return self
        case (.integer16, .integer(let number)): return Int16(exactly: number) == nil ? nil : self
        case (.integer32, .integer(let number)): return Int32(exactly: number) == nil ? nil : self
        case (.double, .double(let number)): return number.isFinite ? .double(number + 0) : nil
        case (.double, .integer(let number)): return Double(exactly: number).map(StoredValue.double)
        case (.decimal(let scale), .decimal(let number)):
            if number.scale == scale { return self }
            return number.rescaled(to: scale).map(StoredValue.decimal)
        case (.decimal(let scale), .integer(let number)):
            return ScaledDecimal(unscaled: number, scale: 0).rescaled(to: scale).map(StoredValue.decimal)
        case (.date, .date(let date)):
            let seconds = date.timeIntervalSinceReferenceDate
            return seconds.isFinite ? .date(date.roundedToNanosecond()) : nil
        default: return nil
        }
    }
}

extension StoredValue {
    /// Whether the value is one of the usual ones that ``converted(to:)`` gives back as they are; false says nothing.
    func isStored(as type: AttributeType) -> Bool {
        switch (type, self) {
        case (.string, .string(let text)): !text.holdsZero
        case (.integer64, .integer), (.boolean, .boolean), (.uuid, .uuid), (.binary, .binary): true
        default: false
        }
    }
}

extension String {
    /// Whether the text holds U+0000, at which SQLite's functions would end it.
    var holdsZero: Bool {
        utf8.withContiguousStorageIfAvailable { $0.contains(0) } ?? utf8.contains(0)
    }
}

extension StoredValue: CustomStringConvertible {
    /// The value as text for messages about a user's own data.
    public var description: String {
        switch self {
        case .null: "null"
        case .boolean(let value): value ? "true" : "false"
        case .integer(let value): String(value)
        case .double(let value): String(value)
        case .decimal(let value): value.description
        case .string(let value): "“\(value)”"
        case .date(let value): value.ISO8601Format()
        case .uuid(let value): value.uuidString
        case .binary(let value): "\(value.count) bytes"
        }
    }
}
