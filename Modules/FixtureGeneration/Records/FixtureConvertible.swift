public import Foundation

/// A Swift type that takes values of fixtures.
public protocol FixtureConvertible {
    /// Takes a value; `nil` where it is of another type or out of range.
    init?(fixtureValue: FixtureValue)
}

extension Optional: FixtureConvertible where Wrapped: FixtureConvertible {
    /// Takes a value, or null.
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
    /// Takes a text.
    public init?(fixtureValue: FixtureValue) {
        guard case .text(let text) = fixtureValue else { return nil }
        self = text
    }
}

extension FixtureConvertible where Self: FixedWidthInteger {
    /// Takes a whole number in the type's range.
    public init?(fixtureValue: FixtureValue) {
        guard case .integer(let number) = fixtureValue else { return nil }
        self.init(exactly: number)
    }
}

extension Int: FixtureConvertible {}
extension Int64: FixtureConvertible {}
extension Int32: FixtureConvertible {}
extension Int16: FixtureConvertible {}

extension Bool: FixtureConvertible {
    /// Takes a truth value.
    public init?(fixtureValue: FixtureValue) {
        guard case .boolean(let value) = fixtureValue else { return nil }
        self = value
    }
}

extension Decimal: FixtureConvertible {
    /// Takes a decimal or a whole number.
    public init?(fixtureValue: FixtureValue) {
        switch fixtureValue {
        case .decimal(let number): self = number
        case .integer(let number): self = Decimal(number)
        default: return nil
        }
    }
}

extension Double: FixtureConvertible {
    /// Takes a floating-point number.
    public init?(fixtureValue: FixtureValue) {
        guard case .double(let number) = fixtureValue else { return nil }
        self = number
    }
}

extension Data: FixtureConvertible {
    /// Takes bytes.
    public init?(fixtureValue: FixtureValue) {
        guard case .binary(let data) = fixtureValue else { return nil }
        self = data
    }
}

extension Date: FixtureConvertible {
    /// Takes an instant.
    public init?(fixtureValue: FixtureValue) {
        guard case .date(let date) = fixtureValue else { return nil }
        self = date
    }
}

extension UUID: FixtureConvertible {
    /// Takes a UUID.
    public init?(fixtureValue: FixtureValue) {
        guard case .uuid(let uuid) = fixtureValue else { return nil }
        self = uuid
    }
}
