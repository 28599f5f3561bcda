public import Foundation

/// The coding of binary data.
struct BinaryCoding: AttributeCoding {
    var name: String { "binary" }
    var kindName: String { "binary value" }
    var spokenName: String { "bytes" }
    var storage: StorageClass { .blob }
    var kind: OperandType.Kind { .binary }
    var rank: Int { 7 }
    var isAnyCellValid: Bool { true }

    func sample(_ number: Int64, after start: StoredValue?) -> StoredValue? {
        .binary(Data([UInt8(truncatingIfNeeded: number)]))
    }

    func converted(_ value: StoredValue) -> StoredValue? { if case .binary = value { value } else { nil } }
    func compare(_ left: StoredValue, _ right: StoredValue) -> Order { Order.bytes(data(left), data(right)) }
    func hash(_ value: StoredValue, into hasher: inout Hasher) { hasher.combine(data(value)) }
    func describe(_ value: StoredValue) -> String { "\(data(value).count) bytes" }
    func stored(_ value: StoredValue) -> StoredForm { .blob(data(value)) }
    func value(_ raw: RawValue) -> StoredValue? { if case .blob(let bytes) = raw { .binary(Data(bytes)) } else { nil } }
    func parse(_ text: Span<UInt8>) throws(InvalidText) -> StoredValue { .binary(try BinaryText.parse(text)) }

    func write(_ value: StoredValue, to buffer: inout ByteBuffer) throws(InvalidText) {
        data(value).withUnsafeBytes { BinaryText.write($0, to: &buffer) }
    }

    var jsonName: String { "base64 in a string" }
    var example: String { "bytes in base64, such as \"AAEC\"" }
    var textRefusal: String? { "not base64; write \(example)" }

    private func data(_ value: StoredValue) -> Data { if case .binary(let data) = value { data } else { Data() } }
}

extension Data: AttributeValue {
    /// The attribute type in which `Data` values are stored.
    public static var attributeType: AttributeType { .binary }

    /// Returns the binary data as a stored value.
    public func storedValue() -> StoredValue { .binary(self) }

    /// Creates data from a stored value.
    public init(storedValue: StoredValue) throws {
        guard case .binary(let value) = storedValue else { throw ValueError.unexpected(storedValue, expected: .binary) }
        self = value
    }
}
