public import Foundation

extension String: AttributeValue {
    /// Text.
    public static var attributeType: AttributeType { .string }

    /// The text itself.
    public func storedValue() -> StoredValue { .string(self) }

    /// Reads text.
    public init(storedValue: StoredValue) throws {
        guard case .string(let value) = storedValue else { throw ValueError.unexpected(storedValue, expected: .string) }
        self = value
    }

    /// Reads text.
    public static func read(_ row: RowReader, at index: Int) throws -> Self {
        if let value = row.source.string(at: index) { return value }
        return try Self(storedValue: row.value(at: index))
    }
}

extension Bool: AttributeValue {
    /// True or false.
    public static var attributeType: AttributeType { .boolean }

    /// The truth value itself.
    public func storedValue() -> StoredValue { .boolean(self) }

    /// Reads a truth value.
    public init(storedValue: StoredValue) throws {
        guard case .boolean(let value) = storedValue else {
            throw ValueError.unexpected(storedValue, expected: .boolean)
        }
        self = value
    }

    /// Reads a truth value.
    public static func read(_ row: RowReader, at index: Int) throws -> Self {
        if let value = row.source.boolean(at: index) { return value }
        return try Self(storedValue: row.value(at: index))
    }
}

extension Double: AttributeValue {
    /// A floating-point number.
    public static var attributeType: AttributeType { .double }

    /// The number itself; not finite, it fails validation.
    public func storedValue() -> StoredValue { .double(self) }

    /// Reads a floating-point number.
    public init(storedValue: StoredValue) throws {
        guard case .double(let value) = storedValue else { throw ValueError.unexpected(storedValue, expected: .double) }
        self = value
    }

    /// Reads a floating-point number.
    public static func read(_ row: RowReader, at index: Int) throws -> Self {
        if let value = row.source.double(at: index) { return value }
        return try Self(storedValue: row.value(at: index))
    }
}

extension Date: AttributeValue {
    /// An instant.
    public static var attributeType: AttributeType { .date }

    /// The instant to the nanosecond.
    public func storedValue() -> StoredValue { .date(roundedToNanosecond()) }

    /// Reads an instant.
    public init(storedValue: StoredValue) throws {
        guard case .date(let value) = storedValue else { throw ValueError.unexpected(storedValue, expected: .date) }
        self = value
    }

    /// Reads an instant.
    public static func read(_ row: RowReader, at index: Int) throws -> Self {
        if let value = row.source.date(at: index) { return value }
        return try Self(storedValue: row.value(at: index))
    }
}

extension UUID: AttributeValue {
    /// A universally unique identifier.
    public static var attributeType: AttributeType { .uuid }

    /// The identifier itself.
    public func storedValue() -> StoredValue { .uuid(self) }

    /// Reads an identifier.
    public init(storedValue: StoredValue) throws {
        guard case .uuid(let value) = storedValue else { throw ValueError.unexpected(storedValue, expected: .uuid) }
        self = value
    }
}

extension Data: AttributeValue {
    /// Bytes.
    public static var attributeType: AttributeType { .binary }

    /// The bytes themselves.
    public func storedValue() -> StoredValue { .binary(self) }

    /// Reads bytes.
    public init(storedValue: StoredValue) throws {
        guard case .binary(let value) = storedValue else { throw ValueError.unexpected(storedValue, expected: .binary) }
        self = value
    }
}

extension Decimal: AttributeValue {
    /// An exact decimal number; its attribute declares the scale.
    public static var attributeType: AttributeType { .decimal(scale: 0) }

    /// The number with the scale it is written with.
    ///
    /// - Throws: ``ValueError`` when the number has more than 18 digits after the point or does not fit 64 bits once scaled.
    public func storedValue() throws -> StoredValue {
        guard let value = ScaledDecimal(self) else {
            throw ValueError("\(self) does not fit a decimal of 18 digits")
        }
        return .decimal(value)
    }

    /// Reads a decimal number.
    public init(storedValue: StoredValue) throws {
        guard case .decimal(let value) = storedValue else {
            throw ValueError.unexpected(storedValue, expected: .decimal(scale: 0))
        }
        self = value.decimal
    }
}

extension Optional: AttributeValue where Wrapped: AttributeValue {
    /// The type of the wrapped values.
    public static var attributeType: AttributeType { Wrapped.attributeType }

    /// Yes.
    public static var isOptional: Bool { true }

    /// The rule of the wrapped values.
    public static var domain: AttributeDomain? { Wrapped.domain }

    /// Null, or the wrapped value as a store keeps it.
    public func storedValue() throws -> StoredValue {
        switch self {
        case .none: .null
        case .some(let value): try value.storedValue()
        }
    }

    /// Reads null as `nil`, anything else as the wrapped type does.
    public init(storedValue: StoredValue) throws {
        self = storedValue.isNull ? .none : .some(try Wrapped(storedValue: storedValue))
    }
    /// Reads null as `nil`, anything else as the wrapped type does.
    @inlinable
    public static func read(_ row: RowReader, at index: Int) throws -> Self {
        switch row.source.isNull(at: index) {
        case true?: .none
        case false?: try Wrapped.read(row, at: index)
        case nil: try Self(storedValue: row.value(at: index))
        }
    }
}
