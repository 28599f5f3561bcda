public import Foundation
public import StrataCore

/// A Swift type that can be created from values of fixtures.
///
/// The types that conform are `String`, `Bool`, `Int`, `Int64`, `Int32`, `Int16`, `Double`, `Decimal`, `Data`, `Date`,
/// `UUID`, `Day`, `TimeOfDay`, and optionals of all of them. Conform your own types, such as a color or an enumeration,
/// to read them from a ``FixtureRow``.
///
/// A conversion must be exact. Return `nil` for a value that the type cannot represent; the row then reports the field
/// and the type.
public protocol FixtureConvertible {
    /// Creates an instance from a value, or returns `nil` if the value has another type or is out of range of this
    /// type.
    ///
    /// - Parameter fixtureValue: The value of a field, which is ``FixtureValue/null`` if the field is null.
    init?(fixtureValue: FixtureValue)
}

extension Optional: FixtureConvertible where Wrapped: FixtureConvertible {
    /// Creates an optional from a value: null becomes `.none`; returns `nil` if `Wrapped` cannot represent the value.
    public init?(fixtureValue: FixtureValue) {
        if case .null = fixtureValue {
            self = .none
        } else {
            guard let wrapped = Wrapped(fixtureValue: fixtureValue) else { return nil }
            self = .some(wrapped)
        }
    }
}

extension String: FixtureConvertible {
    /// Creates a string from a text value.
    public init?(fixtureValue: FixtureValue) {
        guard case .text(let text) = fixtureValue else { return nil }
        self = text
    }
}

extension FixtureConvertible where Self: FixedWidthInteger {
    /// Creates an integer from an integer value in the range of the type.
    public init?(fixtureValue: FixtureValue) {
        guard case .integer(let number) = fixtureValue else { return nil }
        self.init(exactly: number)
    }
}

extension FixtureConvertible where Self: RawRepresentable, RawValue: FixtureConvertible {
    /// Creates a value from the value of its raw value; `nil` if the type has no such raw value.
    public init?(fixtureValue: FixtureValue) {
        guard let raw = RawValue(fixtureValue: fixtureValue) else { return nil }
        self.init(rawValue: raw)
    }
}

extension RecordID: FixtureConvertible {}
extension Int: FixtureConvertible {}
extension Int64: FixtureConvertible {}
extension Int32: FixtureConvertible {}
extension Int16: FixtureConvertible {}

extension Bool: FixtureConvertible {
    /// Creates a Boolean value from a Boolean value.
    public init?(fixtureValue: FixtureValue) {
        guard case .boolean(let value) = fixtureValue else { return nil }
        self = value
    }
}

extension Decimal: FixtureConvertible {
    /// Creates a decimal from a decimal or integer value.
    public init?(fixtureValue: FixtureValue) {
        switch fixtureValue {
        case .decimal(let number): self = number
        case .integer(let number): self = Decimal(number)
        default: return nil
        }
    }
}

extension Double: FixtureConvertible {
    /// Creates a double from a floating-point value.
    public init?(fixtureValue: FixtureValue) {
        guard case .double(let number) = fixtureValue else { return nil }
        self = number
    }
}

extension Data: FixtureConvertible {
    /// Creates data from a binary value.
    public init?(fixtureValue: FixtureValue) {
        guard case .binary(let data) = fixtureValue else { return nil }
        self = data
    }
}

extension Date: FixtureConvertible {
    /// Creates a date from a date value.
    public init?(fixtureValue: FixtureValue) {
        guard case .date(let date) = fixtureValue else { return nil }
        self = date
    }
}

extension UUID: FixtureConvertible {
    /// Creates a UUID from a UUID value.
    public init?(fixtureValue: FixtureValue) {
        guard case .uuid(let uuid) = fixtureValue else { return nil }
        self = uuid
    }
}
