public import Foundation
public import StrataCore

/// A value of a row, which fixed rows contain and records receive.
///
/// Literals of texts, integers and Boolean values can be used directly: `["name": "Ada", "count": 3]`. Use the cases
/// for all other types. A decimal and a floating-point field also accept an integer, and a floating-point field accepts
/// a decimal.
///
/// ## Topics
///
/// ### Texts and numbers
///
/// - ``text(_:)``
/// - ``integer(_:)``
/// - ``decimal(_:)``
/// - ``double(_:)``
/// - ``boolean(_:)``
///
/// ### Dates and times
///
/// - ``date(_:)``
/// - ``day(_:)``
/// - ``timeOfDay(_:)``
///
/// ### Other values
///
/// - ``null``
/// - ``uuid(_:)``
/// - ``binary(_:)``
///
/// ### Creating values from literals
///
/// - ``init(stringLiteral:)``
/// - ``init(integerLiteral:)``
/// - ``init(booleanLiteral:)``
public enum FixtureValue: Sendable, Hashable {
    /// Null.
    case null
    /// A text, or a color as `#RRGGBB`.
    ///
    /// A fixed text must not contain U+0000. A fixed color can also be written as `#RGB`, or without `#`.
    case text(String)
    /// An integer, or the identifier of a reference.
    ///
    /// Identifiers begin with 1.
    case integer(Int64)
    /// A decimal.
    ///
    /// A fixed decimal must have at most as many fraction digits as its field.
    case decimal(Decimal)
    /// A floating-point number.
    ///
    /// A fixed number must be a decimal with at most as many fraction digits as its field.
    case double(Double)
    /// True or false.
    case boolean(Bool)
    /// Bytes.
    case binary(Data)
    /// An instant.
    ///
    /// A fixed date must be a whole second in the years 0000 to 9999. Hostile dates can have fractions of a second.
    case date(Date)
    /// A calendar day.
    case day(Day)
    /// A time of day.
    case timeOfDay(TimeOfDay)
    /// A UUID.
    case uuid(UUID)
}

extension FixtureValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
    /// Creates a text.
    public init(stringLiteral value: String) { self = .text(value) }
    /// Creates an integer.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// Creates a Boolean value.
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
}

extension FixtureValue {
    /// The kind of the value, for messages.
    var kind: String {
        switch self {
        case .null: "null"
        case .text: "a text"
        case .integer: "a whole number"
        case .decimal: "a decimal"
        case .double: "a number"
        case .binary: "bytes"
        case .boolean: "a truth value"
        case .date: "a date"
        case .day: "a day"
        case .timeOfDay: "a time of day"
        case .uuid: "a UUID"
        }
    }
}

// MARK: - Values generated as instants

extension FixtureField.ValueType {
    /// The type of the attributes whose values are generated as instants, or `nil` for other types.
    package var instantType: AttributeType? {
        switch self {
        case .date: .date
        case .day: .day
        case .timeOfDay: .timeOfDay
        case .text, .integer, .decimal, .double, .boolean, .uuid, .color, .binary, .reference: nil
        }
    }

    /// Returns the stored value of a generated instant, or `nil` if it is stored as an instant.
    package func stored(seconds: Int64, nanoseconds: Int32) -> StoredValue? {
        switch FixtureValue(seconds: seconds, nanoseconds: nanoseconds, type: self) {
        case .day(let day): .day(day)
        case .timeOfDay(let time): .timeOfDay(time)
        default: nil
        }
    }
}

extension FixtureCell {
    /// Creates the instant that represents a value, or returns `nil` if the value is not of a type with instants.
    init?(_ value: FixtureValue, as type: FixtureField.ValueType) throws(FixtureError) {
        switch (type, value) {
        case (.date, .date(let date)):
            guard let instant = FixtureInstant(date) else {
                throw FixtureError(
                    .invalidDescription, "a fixed date must be a whole second in the years 0000 to 9999")
            }
            self = .date(seconds: instant.seconds, nanoseconds: 0)
        case (.day, .day(let day)): self = day.fixtureCell
        case (.timeOfDay, .timeOfDay(let time)): self = time.fixtureCell
        default: return nil
        }
    }
}

extension FixtureValue {
    /// Creates the value of a field's type from a generated instant.
    ///
    /// - Parameters:
    ///   - seconds: The seconds since 2001-01-01T00:00:00Z; for a time of day, the seconds since midnight.
    ///   - nanoseconds: The additional nanoseconds, from 0 to 999,999,999.
    ///   - type: The type of the field. Types without instants are treated as dates.
    init(seconds: Int64, nanoseconds: Int32, type: FixtureField.ValueType) {
        switch type {
        case .day: self = Day(fixtureSeconds: seconds).map { .day($0) } ?? .null
        case .timeOfDay:
            self = TimeOfDay(fixtureSeconds: seconds, nanoseconds: nanoseconds).map { .timeOfDay($0) } ?? .null
        default: self = .date(Date(timeIntervalSinceReferenceDate: FixtureCell.interval(seconds, nanoseconds)))
        }
    }

    /// Creates a value from a description's text, or returns `nil` for an invalid text or a type without instants.
    init?(_ text: String, instant type: FixtureField.ValueType) {
        switch type {
        case .date:
            guard let instant = FixtureInstant(text) else { return nil }
            self = .date(instant.date)
        case .day:
            guard let day = Day(text) else { return nil }
            self = .day(day)
        case .timeOfDay:
            guard let time = TimeOfDay(text) else { return nil }
            self = .timeOfDay(time)
        default: return nil
        }
    }

    /// The text in a description of a value that is represented by an instant, or an empty text for other values.
    var instantText: String {
        switch self {
        // Fixed dates are whole seconds in years that have a text; this is checked before rows are generated.
        case .date(let date): FixtureInstant(date).map { "\($0)" } ?? ""
        case .day(let day): day.description
        case .timeOfDay(let time): time.description
        default: ""
        }
    }
}
