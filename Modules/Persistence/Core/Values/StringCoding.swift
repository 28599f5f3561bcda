/// The coding of texts: any Unicode without U+0000, stored and compared as UTF-8 bytes.
struct StringCoding: AttributeCoding {
    var name: String { "string" }
    var spokenName: String { "text" }
    var storage: StorageClass { .text }
    var kind: OperandType.Kind { .string }
    var rank: Int { 4 }
    var isAnyCellValid: Bool { true }

    func sample(_ number: Int64, after start: StoredValue?) -> StoredValue? { .string("sample \(number)") }

    func converted(_ value: StoredValue) -> StoredValue? {
        guard case .string(let text) = value, !text.holdsZero else { return nil }
        return value
    }

    func refusal(of value: StoredValue) -> String {
        if case .string(let text) = value, text.utf8.contains(0) { return "contains U+0000" }
        return "is not of type \(name)"
    }

    func compare(_ left: StoredValue, _ right: StoredValue) -> Order { text(left).compareUTF8(to: text(right)) }

    func hash(_ value: StoredValue, into hasher: inout Hasher) {
        hasher.combine(5)
        for byte in text(value).utf8 { hasher.combine(byte) }
    }

    func describe(_ value: StoredValue) -> String { "“\(text(value))”" }
    func stored(_ value: StoredValue) -> StoredForm { .text(text(value)) }

    func value(_ raw: RawValue) -> StoredValue? {
        if case .text(let bytes) = raw { .string(String(decoding: bytes, as: UTF8.self)) } else { nil }
    }

    func isStored(_ text: Span<UInt8>) -> Bool { true }

    func parse(_ text: Span<UInt8>) throws(InvalidText) -> StoredValue { .string(String(decoding: text)) }
    func write(_ value: StoredValue, to buffer: inout ByteBuffer) throws(InvalidText) { buffer.append(text(value)) }
    var jsonName: String { "a string" }
    var example: String { "a text in quotes" }
    var textRefusal: String? { "not a text; write \(example)" }

    private func text(_ value: StoredValue) -> String { if case .string(let text) = value { text } else { "" } }
}

extension String: AttributeValue {
    /// The attribute type in which `String` values are stored.
    public static var attributeType: AttributeType { .string }

    /// Returns the text as a stored value.
    public func storedValue() -> StoredValue { .string(self) }

    /// Creates text from a stored value.
    public init(storedValue: StoredValue) throws {
        guard case .string(let value) = storedValue else { throw ValueError.unexpected(storedValue, expected: .string) }
        self = value
    }

    /// Reads the text from the column at an index of a row.
    @inlinable
    public static func read(_ row: RowReader, at index: Int) throws -> Self {
        if let value = row.string(at: index) { return value }
        return try Self(storedValue: row.value(at: index))
    }
}

extension String {
    /// Creates a text from bytes, with replacement characters for invalid UTF-8.
    package init(decoding bytes: Span<UInt8>) {
        self = bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }
}
