/// The coding of times of day, stored as `hh:mm:ss` with as few fraction digits as the value needs.
struct TimeOfDayCoding: AttributeCoding {
    var name: String { "timeOfDay" }
    var kindName: String { "time of day" }
    var spokenName: String { kindName }
    var storage: StorageClass { .text }
    var kind: OperandType.Kind { .timeOfDay }
    var rank: Int { 9 }

    func sample(_ number: Int64, after start: StoredValue?) -> StoredValue? {
        let first = start.map(time)?.nanosecondsSinceMidnight ?? 0
        return TimeOfDay(nanosecondsSinceMidnight: first + number * 1_000_000_000).map { .timeOfDay($0) }
    }

    func converted(_ value: StoredValue) -> StoredValue? { if case .timeOfDay = value { value } else { nil } }
    func refusal(of value: StoredValue) -> String { "is not a \(kindName)" }
    func compare(_ left: StoredValue, _ right: StoredValue) -> Order { Order(time(left), time(right)) }
    func hash(_ value: StoredValue, into hasher: inout Hasher) { hasher.combine(time(value)) }
    func describe(_ value: StoredValue) -> String { time(value).description }
    func stored(_ value: StoredValue) -> StoredForm { .text(time(value).description) }

    func value(_ raw: RawValue) -> StoredValue? {
        guard case .text(let bytes) = raw else { return nil }
        return TimeOfDayText.canonical(bytes.span).map { .timeOfDay(TimeOfDay(unchecked: $0)) }
    }

    func isStored(_ text: Span<UInt8>) -> Bool { TimeOfDayText.canonical(text) != nil }

    func parse(_ text: Span<UInt8>) throws(InvalidText) -> StoredValue {
        .timeOfDay(TimeOfDay(unchecked: try TimeOfDayText.parse(text)))
    }

    func write(_ value: StoredValue, to buffer: inout ByteBuffer) throws(InvalidText) {
        TimeOfDayText.write(time(value).nanosecondsSinceMidnight, to: &buffer)
    }

    var jsonName: String { "a \(kindName) in a string" }
    var example: String { "\"08:30:00\"" }
    var textRefusal: String? { "not a \(kindName); write \(example)" }

    private func time(_ value: StoredValue) -> TimeOfDay {
        if case .timeOfDay(let time) = value { time } else { TimeOfDay(unchecked: 0) }
    }
}

extension TimeOfDay: AttributeValue {
    /// The attribute type in which ``TimeOfDay`` values are stored.
    public static var attributeType: AttributeType { .timeOfDay }

    /// Returns the time of day as a stored value.
    public func storedValue() -> StoredValue { .timeOfDay(self) }

    /// Creates a time of day from a stored value.
    public init(storedValue: StoredValue) throws {
        guard case .timeOfDay(let value) = storedValue else {
            throw ValueError.unexpected(storedValue, expected: .timeOfDay)
        }
        self = value
    }
}
