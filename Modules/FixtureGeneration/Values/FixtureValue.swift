public import Foundation
public import StrataCore

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
    /// A floating-point number.
    case double(Double)
    /// True or false.
    case boolean(Bool)
    /// Bytes.
    case binary(Data)
    /// An instant.
    case date(Date)
    /// A day of the calendar.
    case day(Day)
    /// A time of day.
    case timeOfDay(TimeOfDay)
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

// MARK: - What is made as an instant

extension FixtureField.ValueType {
    /// The type of the attributes that take the field's values, where values are made as instants.
    package var instantType: AttributeType? {
        switch self {
        case .date: .date
        case .day: .day
        case .timeOfDay: .timeOfDay
        case .text, .integer, .decimal, .double, .boolean, .uuid, .color, .binary, .reference: nil
        }
    }

    /// An instant that was made for a field as a store takes it; `nil` where that is the instant itself.
    package func stored(seconds: Int64, nanoseconds: Int32) -> StoredValue? {
        switch FixtureValue(seconds: seconds, nanoseconds: nanoseconds, type: self) {
        case .day(let day): .day(day)
        case .timeOfDay(let time): .timeOfDay(time)
        default: nil
        }
    }
}

extension FixtureCell {
    /// The instant that a value is made as; `nil` where it is not of the type, or not made so.
    init?(_ value: FixtureValue, as type: FixtureField.ValueType) throws(FixtureError) {
        switch (type, value) {
        case (.date, .date(let date)):
            guard let instant = FixtureInstant(date) else {
                throw FixtureError(
                    .invalidDescription, "a fixed date is a whole second in the years 0000 to 9999")
            }
            self = .date(seconds: instant.seconds, nanoseconds: 0)
        case (.day, .day(let day)): self = day.fixtureCell
        case (.timeOfDay, .timeOfDay(let time)): self = time.fixtureCell
        default: return nil
        }
    }
}

extension FixtureValue {
    /// The value of an instant that was made for a field of that type.
    init(seconds: Int64, nanoseconds: Int32, type: FixtureField.ValueType) {
        switch type {
        case .day: self = Day(fixtureSeconds: seconds).map { .day($0) } ?? .null
        case .timeOfDay:
            self = TimeOfDay(fixtureSeconds: seconds, nanoseconds: nanoseconds).map { .timeOfDay($0) } ?? .null
        default: self = .date(Date(timeIntervalSinceReferenceDate: FixtureCell.interval(seconds, nanoseconds)))
        }
    }

    /// Reads a text of a description; `nil` for types that are not made as instants, and for what is none.
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

    /// The text in a description of a value that is made as an instant; empty for others.
    var instantText: String {
        switch self {
        // Fixed dates are whole seconds in the years that have a text, which is looked at when rows are made.
        case .date(let date): FixtureInstant(date).map { "\($0)" } ?? ""
        case .day(let day): day.description
        case .timeOfDay(let time): time.description
        default: ""
        }
    }
}
