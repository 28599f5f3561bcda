extension Optional: AttributeValue where Wrapped: AttributeValue {
    /// The attribute type in which the wrapped values are stored.
    public static var attributeType: AttributeType { Wrapped.attributeType }

    /// `true`, because `nil` is stored as null.
    public static var isOptional: Bool { true }

    /// The rule of the wrapped values.
    public static var domain: AttributeDomain? { Wrapped.domain }

    /// Returns null, or the wrapped value in its stored form.
    public func storedValue() throws -> StoredValue {
        switch self {
        case .none: .null
        case .some(let value): try value.storedValue()
        }
    }

    /// Creates `nil` from null, or the wrapped value from any other stored value.
    public init(storedValue: StoredValue) throws {
        self = storedValue.isNull ? .none : .some(try Wrapped(storedValue: storedValue))
    }

    /// Reads null as `nil`, and any other value as the wrapped type does.
    @inlinable
    public static func read(_ row: RowReader, at index: Int) throws -> Self {
        switch row.isNull(at: index) {
        case true?: .none
        case false?: try Wrapped.read(row, at: index)
        case nil: try Self(storedValue: row.value(at: index))
        }
    }
}
