extension StoredValue {
    /// The whole number as the given Swift type, or an error that says what stood there.
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
    /// A whole number of 64 bits.
    public static var attributeType: AttributeType { .integer64 }

    /// The number itself.
    public func storedValue() -> StoredValue { .integer(Int64(self)) }

    /// Reads a whole number.
    public init(storedValue: StoredValue) throws {
        self = try storedValue.integer(as: Int.self, expected: .integer64)
    }

    /// Reads a whole number.
    @inlinable
    public static func read(_ row: RowReader, at index: Int) throws -> Self {
        if let number = row.integer(at: index).flatMap(Int.init(exactly:)) { return number }
        return try Self(storedValue: row.value(at: index))
    }
}

extension Int64: AttributeValue {
    /// A whole number of 64 bits.
    public static var attributeType: AttributeType { .integer64 }

    /// The number itself.
    public func storedValue() -> StoredValue { .integer(self) }

    /// Reads a whole number.
    public init(storedValue: StoredValue) throws {
        self = try storedValue.integer(as: Int64.self, expected: .integer64)
    }

    /// Reads a whole number.
    @inlinable
    public static func read(_ row: RowReader, at index: Int) throws -> Self {
        if let number = row.integer(at: index) { return number }
        return try Self(storedValue: row.value(at: index))
    }
}

extension Int32: AttributeValue {
    /// A whole number of 32 bits.
    public static var attributeType: AttributeType { .integer32 }

    /// The number itself.
    public func storedValue() -> StoredValue { .integer(Int64(self)) }

    /// Reads a whole number.
    public init(storedValue: StoredValue) throws {
        self = try storedValue.integer(as: Int32.self, expected: .integer32)
    }

    /// Reads a whole number.
    @inlinable
    public static func read(_ row: RowReader, at index: Int) throws -> Self {
        if let number = row.integer(at: index).flatMap(Int32.init(exactly:)) { return number }
        return try Self(storedValue: row.value(at: index))
    }
}

extension Int16: AttributeValue {
    /// A whole number of 16 bits.
    public static var attributeType: AttributeType { .integer16 }

    /// The number itself.
    public func storedValue() -> StoredValue { .integer(Int64(self)) }

    /// Reads a whole number.
    public init(storedValue: StoredValue) throws {
        self = try storedValue.integer(as: Int16.self, expected: .integer16)
    }

    /// Reads a whole number.
    @inlinable
    public static func read(_ row: RowReader, at index: Int) throws -> Self {
        if let number = row.integer(at: index).flatMap(Int16.init(exactly:)) { return number }
        return try Self(storedValue: row.value(at: index))
    }
}
