/// The coding of true and false, stored as 1 and 0.
struct BooleanCoding: AttributeCoding {
    var name: String { "boolean" }
    var spokenName: String { "true or false" }
    var storage: StorageClass { .integer }
    var kind: OperandType.Kind { .boolean }
    var rank: Int { 1 }
    var integers: ClosedRange<Int64>? { 0...1 }

    func sample(_ number: Int64, after start: StoredValue?) -> StoredValue? { .boolean(number.isMultiple(of: 2)) }

    func converted(_ value: StoredValue) -> StoredValue? { if case .boolean = value { value } else { nil } }
    func compare(_ left: StoredValue, _ right: StoredValue) -> Order { Order(number(left), number(right)) }
    func hash(_ value: StoredValue, into hasher: inout Hasher) { hasher.combine(number(value) != 0) }
    func describe(_ value: StoredValue) -> String { number(value) != 0 ? "true" : "false" }
    func stored(_ value: StoredValue) -> StoredForm { .integer(number(value)) }

    func value(_ raw: RawValue) -> StoredValue? {
        if case .integer(let number) = raw { .boolean(number != 0) } else { nil }
    }

    func parse(_ text: Span<UInt8>) throws(InvalidText) -> StoredValue { .boolean(try BooleanText.parse(text)) }

    func write(_ value: StoredValue, to buffer: inout ByteBuffer) throws(InvalidText) {
        BooleanText.write(number(value) != 0, to: &buffer)
    }

    var json: JSONForm { .boolean }
    var jsonName: String { "true or false" }
    var example: String { "true or false" }

    private func number(_ value: StoredValue) -> Int64 { if case .boolean(true) = value { 1 } else { 0 } }
}

extension Bool: AttributeValue {
    /// The attribute type in which `Bool` values are stored.
    public static var attributeType: AttributeType { .boolean }

    /// Returns the Boolean value as a stored value.
    public func storedValue() -> StoredValue { .boolean(self) }

    /// Creates a Boolean value from a stored value.
    public init(storedValue: StoredValue) throws {
        guard case .boolean(let value) = storedValue else {
            throw ValueError.unexpected(storedValue, expected: .boolean)
        }
        self = value
    }

    /// Reads the Boolean value from the column at an index of a row.
    @inlinable
    public static func read(_ row: RowReader, at index: Int) throws -> Self {
        if let value = row.boolean(at: index) { return value }
        return try Self(storedValue: row.value(at: index))
    }
}
