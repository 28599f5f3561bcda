public import Foundation

/// A value of a row, as fixed rows give it and records take it.
public enum FixtureValue: Sendable, Hashable {
    /// Nothing.
    case null
    /// A text, or a colour as `#RRGGBB`.
    case text(String)
    /// A whole number, or the identifier that a reference holds.
    case integer(Int64)
    /// A decimal.
    case decimal(Decimal)
    /// True or false.
    case boolean(Bool)
    /// An instant.
    case date(Date)
    /// A UUID.
    case uuid(UUID)
}

extension FixtureValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
    /// A text.
    public init(stringLiteral value: String) { self = .text(value) }
    /// A whole number.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// True or false.
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
}

extension FixtureValue {
    /// What the value is, for messages.
    var kind: String {
        switch self {
        case .null: "null"
        case .text: "a text"
        case .integer: "a whole number"
        case .decimal: "a decimal"
        case .boolean: "a truth value"
        case .date: "a date"
        case .uuid: "a UUID"
        }
    }
}
