public import Foundation

/// The coding of instants to the nanosecond, stored as seconds since 2001-01-01T00:00:00Z.
struct DateCoding: AttributeCoding {
    var name: String { "date" }
    var storage: StorageClass { .real }
    var kind: OperandType.Kind { .date }
    var rank: Int { 5 }

    func sample(_ number: Int64, after start: StoredValue?) -> StoredValue? {
        guard case .date(let start) = start ?? .date(Date(timeIntervalSinceReferenceDate: 0)) else { return nil }
        return .date(start.addingTimeInterval(Double(number * 86_400)))
    }

    func converted(_ value: StoredValue) -> StoredValue? {
        guard case .date(let date) = value, date.timeIntervalSinceReferenceDate.isFinite else { return nil }
        return .date(date.roundedToNanosecond())
    }

    func compare(_ left: StoredValue, _ right: StoredValue) -> Order { Order(date(left), date(right)) }
    func hash(_ value: StoredValue, into hasher: inout Hasher) { hasher.combine(date(value)) }
    func describe(_ value: StoredValue) -> String { date(value).ISO8601Format() }
    func stored(_ value: StoredValue) -> StoredForm { .real(date(value).timeIntervalSinceReferenceDate) }

    func value(_ raw: RawValue) -> StoredValue? {
        if case .real(let seconds) = raw { .date(Date(timeIntervalSinceReferenceDate: seconds)) } else { nil }
    }

    func parse(_ text: Span<UInt8>) throws(InvalidText) -> StoredValue { .date(try DateText.parse(text)) }

    func write(_ value: StoredValue, to buffer: inout ByteBuffer) throws(InvalidText) {
        try DateText.write(date(value), to: &buffer)
    }

    var jsonName: String { "a date in a string" }
    var example: String { "\"2020-01-31\"" }
    var textRefusal: String? { "not a date as in ISO 8601; write \(example) or \"2020-01-31T10:11:12Z\"" }

    private func date(_ value: StoredValue) -> Date { if case .date(let date) = value { date } else { .distantPast } }
}

extension Date: AttributeValue {
    /// The attribute type in which `Date` values are stored.
    public static var attributeType: AttributeType { .date }

    /// Returns the instant, rounded to the nanosecond.
    public func storedValue() -> StoredValue { .date(roundedToNanosecond()) }

    /// Creates an instant from a stored value.
    public init(storedValue: StoredValue) throws {
        guard case .date(let value) = storedValue else { throw ValueError.unexpected(storedValue, expected: .date) }
        self = value
    }

    /// Reads the instant from the column at an index of a row.
    @inlinable
    public static func read(_ row: RowReader, at index: Int) throws -> Self {
        if let value = row.date(at: index) { return value }
        return try Self(storedValue: row.value(at: index))
    }
}
