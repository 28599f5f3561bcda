extension StoredValue {
    /// Returns the integer as a Swift type, or throws an error that describes the stored value.
    fileprivate func integer<Number: FixedWidthInteger>(as type: Number.Type, expected: AttributeType) throws -> Number
    {
        guard case .integer(let value) = self else { throw ValueError.unexpected(self, expected: expected) }
        guard let number = Number(exactly: value) else {
            throw ValueError("\(value) is not in \(Number.min)...\(Number.max)")
        }
        return number
    }
}

extension Int: AttributeValue {
    /// The attribute type in which `Int` values are stored.
    public static var attributeType: AttributeType { .integer64 }

    /// Returns the number as a stored integer.
    public func storedValue() -> StoredValue { .integer(Int64(self)) }

    /// Creates an integer from a stored value.
    public init(storedValue: StoredValue) throws {
        self = try storedValue.integer(as: Int.self, expected: .integer64)
    }

    /// Reads the integer from the column at an index of a row.
    @inlinable
    public static func read(_ row: RowReader, at index: Int) throws -> Self {
        if let number = row.integer(at: index).flatMap(Int.init(exactly:)) { return number }
        return try Self(storedValue: row.value(at: index))
    }
}

extension Int64: AttributeValue {
    /// The attribute type in which `Int64` values are stored.
    public static var attributeType: AttributeType { .integer64 }

    /// Returns the number as a stored integer.
    public func storedValue() -> StoredValue { .integer(self) }

    /// Creates an integer from a stored value.
    public init(storedValue: StoredValue) throws {
        self = try storedValue.integer(as: Int64.self, expected: .integer64)
    }

    /// Reads the integer from the column at an index of a row.
    @inlinable
    public static func read(_ row: RowReader, at index: Int) throws -> Self {
        if let number = row.integer(at: index) { return number }
        return try Self(storedValue: row.value(at: index))
    }
}

extension Int32: AttributeValue {
    /// The attribute type in which `Int32` values are stored.
    public static var attributeType: AttributeType { .integer32 }

    /// Returns the number as a stored integer.
    public func storedValue() -> StoredValue { .integer(Int64(self)) }

    /// Creates an integer from a stored value.
    public init(storedValue: StoredValue) throws {
        self = try storedValue.integer(as: Int32.self, expected: .integer32)
    }

    /// Reads the integer from the column at an index of a row.
    @inlinable
    public static func read(_ row: RowReader, at index: Int) throws -> Self {
        if let number = row.integer(at: index).flatMap(Int32.init(exactly:)) { return number }
        return try Self(storedValue: row.value(at: index))
    }
}

extension Int16: AttributeValue {
    /// The attribute type in which `Int16` values are stored.
    public static var attributeType: AttributeType { .integer16 }

    /// Returns the number as a stored integer.
    public func storedValue() -> StoredValue { .integer(Int64(self)) }

    /// Creates an integer from a stored value.
    public init(storedValue: StoredValue) throws {
        self = try storedValue.integer(as: Int16.self, expected: .integer16)
    }

    /// Reads the integer from the column at an index of a row.
    @inlinable
    public static func read(_ row: RowReader, at index: Int) throws -> Self {
        if let number = row.integer(at: index).flatMap(Int16.init(exactly:)) { return number }
        return try Self(storedValue: row.value(at: index))
    }
}
