/// The coding of days of the calendar, stored as `YYYY-MM-DD`.
struct DayCoding: AttributeCoding {
    var name: String { "day" }
    var kindName: String { "day" }
    var spokenName: String { kindName }
    var storage: StorageClass { .text }
    var kind: OperandType.Kind { .day }
    var rank: Int { 8 }

    func sample(_ number: Int64, after start: StoredValue?) -> StoredValue? {
        let first = start.map(day)?.daysSinceReferenceDay ?? 0
        return Day(daysSinceReferenceDay: first + Int(number)).map { .day($0) }
    }

    func converted(_ value: StoredValue) -> StoredValue? { if case .day = value { value } else { nil } }
    func refusal(of value: StoredValue) -> String { "is not a \(kindName)" }
    func compare(_ left: StoredValue, _ right: StoredValue) -> Order { Order(day(left), day(right)) }
    func hash(_ value: StoredValue, into hasher: inout Hasher) { hasher.combine(day(value)) }
    func describe(_ value: StoredValue) -> String { day(value).description }
    func stored(_ value: StoredValue) -> StoredForm { .text(day(value).description) }

    func value(_ raw: RawValue) -> StoredValue? {
        guard case .text(let bytes) = raw else { return nil }
        return DayText.canonical(bytes.span).map { .day(Day(unchecked: $0)) }
    }

    func isStored(_ text: Span<UInt8>) -> Bool { DayText.canonical(text) != nil }

    func parse(_ text: Span<UInt8>) throws(InvalidText) -> StoredValue {
        .day(Day(unchecked: try DayText.parse(text)))
    }

    func write(_ value: StoredValue, to buffer: inout ByteBuffer) throws(InvalidText) {
        DayText.write(day(value).calendarDay, to: &buffer)
    }

    var jsonName: String { "a \(kindName) in a string" }
    var example: String { "\"2020-01-31\"" }
    var textRefusal: String? { "not a \(kindName); write \(example)" }

    private func day(_ value: StoredValue) -> Day {
        if case .day(let day) = value { day } else { Day(unchecked: CalendarDay(year: 0, month: 1, day: 1)) }
    }
}

extension Day: AttributeValue {
    /// The attribute type in which ``Day`` values are stored.
    public static var attributeType: AttributeType { .day }

    /// Returns the day as a stored value.
    public func storedValue() -> StoredValue { .day(self) }

    /// Creates a day from a stored value.
    public init(storedValue: StoredValue) throws {
        guard case .day(let value) = storedValue else {
            throw ValueError.unexpected(storedValue, expected: .day)
        }
        self = value
    }
}
