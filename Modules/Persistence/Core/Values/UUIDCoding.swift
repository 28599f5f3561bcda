public import Foundation

/// The coding of UUIDs, stored as 36 characters with letters in upper case.
struct UUIDCoding: AttributeCoding {
    var name: String { "uuid" }
    var kindName: String { "UUID" }
    var spokenName: String { kindName }
    var storage: StorageClass { .text }
    var kind: OperandType.Kind { .uuid }
    var rank: Int { 6 }
    /// A Boolean value that indicates whether any filled cell is valid: `true`, because a UUID's text in a cell was
    /// parsed.
    var isAnyCellValid: Bool { true }

    func sample(_ number: Int64, after start: StoredValue?) -> StoredValue? {
        .uuid(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(truncatingIfNeeded: number))))
    }

    func converted(_ value: StoredValue) -> StoredValue? { if case .uuid = value { value } else { nil } }
    func compare(_ left: StoredValue, _ right: StoredValue) -> Order { Order.bytes(uuid(left), uuid(right)) }
    func hash(_ value: StoredValue, into hasher: inout Hasher) { hasher.combine(uuid(value)) }
    func describe(_ value: StoredValue) -> String { uuid(value).uuidString }
    func stored(_ value: StoredValue) -> StoredForm { .text(uuid(value).uuidString) }

    func value(_ raw: RawValue) -> StoredValue? {
        guard case .text(let bytes) = raw else { return nil }
        return UUID(uuidString: String(decoding: bytes, as: UTF8.self)).map(StoredValue.uuid)
    }

    func isStored(_ text: Span<UInt8>) -> Bool { UUIDText.isCanonical(text) }
    func parse(_ text: Span<UInt8>) throws(InvalidText) -> StoredValue { .uuid(try UUIDText.parse(text)) }

    func write(_ value: StoredValue, to buffer: inout ByteBuffer) throws(InvalidText) {
        UUIDText.write(uuid(value), to: &buffer)
    }

    var jsonName: String { "a UUID in a string" }
    var example: String { "\"123E4567-E89B-12D3-A456-426614174000\"" }
    var textRefusal: String? { "not a UUID; write \(example)" }

    private static let zero = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

    private func uuid(_ value: StoredValue) -> UUID { if case .uuid(let uuid) = value { uuid } else { Self.zero } }
}

extension UUID: AttributeValue {
    /// The attribute type in which `UUID` values are stored.
    public static var attributeType: AttributeType { .uuid }

    /// Returns the identifier as a stored value.
    public func storedValue() -> StoredValue { .uuid(self) }

    /// Creates an identifier from a stored value.
    public init(storedValue: StoredValue) throws {
        guard case .uuid(let value) = storedValue else { throw ValueError.unexpected(storedValue, expected: .uuid) }
        self = value
    }
}
