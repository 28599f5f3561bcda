/// The coding of integers of 16, 32 or 64 bits.
struct IntegerCoding: AttributeCoding {
    let bits: UInt8

    /// The range of the type.
    var range: ClosedRange<Int64> {
        switch bits {
        case 16: Int64(Int16.min)...Int64(Int16.max)
        case 32: Int64(Int32.min)...Int64(Int32.max)
        default: Int64.min...Int64.max
        }
    }

    var name: String { "integer\(bits)" }
    var valueName: String { "integer" }
    var kindName: String { "whole number" }
    var spokenName: String { kindName }
    var storage: StorageClass { .integer }
    var kind: OperandType.Kind { .integer }
    var isNumber: Bool { true }
    var rank: Int { 2 }
    var integers: ClosedRange<Int64>? { range }

    func sample(_ number: Int64, after start: StoredValue?) -> StoredValue? {
        guard case .integer(let start) = start ?? .integer(0) else { return nil }
        let (sum, overflows) = start.addingReportingOverflow(number)
        return overflows ? nil : .integer(sum)
    }

    func converted(_ value: StoredValue) -> StoredValue? {
        guard case .integer(let number) = value, range.contains(number) else { return nil }
        return value
    }

    func refusal(of value: StoredValue) -> String {
        guard case .integer = value else { return "is not of type \(name)" }
        return "is not in \(range.lowerBound)...\(range.upperBound)"
    }

    func compare(_ left: StoredValue, _ right: StoredValue) -> Order { Order(number(left), number(right)) }
    func hash(_ value: StoredValue, into hasher: inout Hasher) { Self.hash(number(value), into: &hasher) }
    func describe(_ value: StoredValue) -> String { String(number(value)) }
    func stored(_ value: StoredValue) -> StoredForm { .integer(number(value)) }
    func value(_ raw: RawValue) -> StoredValue? { if case .integer(let number) = raw { .integer(number) } else { nil } }

    func parse(_ text: Span<UInt8>) throws(InvalidText) -> StoredValue { .integer(try IntegerText.parse(text)) }

    func parseNumber(_ text: Span<UInt8>) throws(InvalidText) -> StoredValue {
        if let whole = IntegerText.plain(text) { return .integer(whole) }
        if let whole = ScaledDecimal(utf8: text)?.rescaled(to: 0) { return .integer(whole.unscaled) }
        return try parse(text)
    }

    func write(_ value: StoredValue, to buffer: inout ByteBuffer) throws(InvalidText) {
        IntegerText.write(number(value), to: &buffer)
    }

    var json: JSONForm { .number }
    var jsonName: String { "a whole number" }
    var example: String { "a number such as 42" }

    private func number(_ value: StoredValue) -> Int64 { if case .integer(let number) = value { number } else { 0 } }

    /// Hashes an integer; equal numbers of every other kind have the same hash.
    static func hash(_ number: Int64, into hasher: inout Hasher) {
        hasher.combine(2)
        hasher.combine(number)
    }
}
