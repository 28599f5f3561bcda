/// The coding of finite binary floating-point numbers; `-0.0` is stored as `0.0`.
struct DoubleCoding: AttributeCoding {
    var name: String { "double" }
    var spokenName: String { "number" }
    var storage: StorageClass { .real }
    var kind: OperandType.Kind { .double }
    var isNumber: Bool { true }
    var rank: Int { 2 }

    func sample(_ number: Int64, after start: StoredValue?) -> StoredValue? {
        guard case .double(let start) = start ?? .double(0) else { return nil }
        return .double(start + Double(number))
    }

    func converted(_ value: StoredValue) -> StoredValue? {
        switch value {
        case .double(let number): number.isFinite ? .double(number + 0) : nil
        case .integer(let number): Double(exactly: number).map(StoredValue.double)
        default: nil
        }
    }

    func refusal(of value: StoredValue) -> String {
        if case .double = value { "is not finite" } else { "is not of type \(name)" }
    }

    func compare(_ left: StoredValue, _ right: StoredValue) -> Order { Order(number(left), number(right)) }

    func hash(_ value: StoredValue, into hasher: inout Hasher) {
        // Numbers of different kinds are equal if their values are. A whole double must therefore have the hash of the
        // integer.
        if let whole = Int64(exactly: number(value)) {
            IntegerCoding.hash(whole, into: &hasher)
        } else {
            hasher.combine(number(value))
        }
    }

    func describe(_ value: StoredValue) -> String { String(number(value)) }
    func stored(_ value: StoredValue) -> StoredForm { .real(number(value)) }
    func value(_ raw: RawValue) -> StoredValue? { if case .real(let number) = raw { .double(number) } else { nil } }
    func parse(_ text: Span<UInt8>) throws(InvalidText) -> StoredValue { .double(try DoubleText.parse(text)) }

    func write(_ value: StoredValue, to buffer: inout ByteBuffer) throws(InvalidText) {
        try DoubleText.write(number(value), to: &buffer)
    }

    var json: JSONForm { .number }
    var jsonName: String { "a number" }
    var example: String { "a number such as 1.5" }

    private func number(_ value: StoredValue) -> Double { if case .double(let number) = value { number } else { 0 } }
}

extension Double: AttributeValue {
    /// The attribute type in which `Double` values are stored.
    public static var attributeType: AttributeType { .double }

    /// Returns the number itself; a number that is not finite fails validation.
    public func storedValue() -> StoredValue { .double(self) }

    /// Creates a floating-point number from a stored value.
    public init(storedValue: StoredValue) throws {
        guard case .double(let value) = storedValue else { throw ValueError.unexpected(storedValue, expected: .double) }
        self = value
    }

    /// Reads the floating-point number from the column at an index of a row.
    @inlinable
    public static func read(_ row: RowReader, at index: Int) throws -> Self {
        if let value = row.double(at: index) { return value }
        return try Self(storedValue: row.value(at: index))
    }
}
