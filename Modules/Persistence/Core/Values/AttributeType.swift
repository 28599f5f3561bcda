/// The type of an attribute's values, as the model declares it and every store stores it.
public enum AttributeType: Sendable, Hashable {
    /// Unicode text without U+0000, compared by its UTF-8 bytes.
    case string
    /// An integer from -32,768 to 32,767.
    case integer16
    /// An integer from -2,147,483,648 to 2,147,483,647.
    case integer32
    /// An integer of 64 bits.
    case integer64
    /// A finite binary floating-point number of 64 bits.
    case double
    /// An exact decimal number with a count of digits after the point (0 to 18), stored as a scaled 64-bit integer.
    case decimal(scale: UInt8)
    /// True or false.
    case boolean
    /// An instant, stored as seconds since 2001-01-01T00:00:00Z, to the nanosecond.
    case date
    /// A day of the calendar, stored as the text `YYYY-MM-DD`, whose byte order is the order of days.
    case day
    /// A time of day to the nanosecond, stored as text.
    ///
    /// The text is `hh:mm:ss[.fffffffff]`. Its byte order is the order of times.
    case timeOfDay
    /// A universally unique identifier.
    case uuid
    /// Bytes.
    case binary
}

extension AttributeType {
    /// The coding, which defines everything that is specific to the type.
    package var coding: any AttributeCoding {
        switch self {
        case .string: StringCoding()
        case .integer16: IntegerCoding(bits: 16)
        case .integer32: IntegerCoding(bits: 32)
        case .integer64: IntegerCoding(bits: 64)
        case .double: DoubleCoding()
        case .decimal(let scale): DecimalCoding(scale: scale)
        case .boolean: BooleanCoding()
        case .date: DateCoding()
        case .day: DayCoding()
        case .timeOfDay: TimeOfDayCoding()
        case .uuid: UUIDCoding()
        case .binary: BinaryCoding()
        }
    }

    /// The types without parameters.
    package static let simple: [AttributeType] = [
        .string, .integer16, .integer32, .integer64, .double, .boolean, .date, .day, .timeOfDay, .uuid, .binary,
    ]

    /// The range of an integer type; `nil` for every other type.
    public var integerRange: ClosedRange<Int64>? {
        let coding = coding
        return coding.kind == .integer ? coding.integers : nil
    }
}

extension AttributeType: CustomStringConvertible {
    /// The name in the model's JSON and in messages: `string`, `decimal(2)`, and so on.
    public var description: String { coding.name }
}

extension AttributeType: Codable {
    /// Creates the type from its decoded name.
    ///
    /// - Throws: `DecodingError` if no type has the name.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let name = try container.decode(String.self)
        if let type = Self.simple.first(where: { $0.description == name }) {
            self = type
        } else if name.hasPrefix("decimal("), name.hasSuffix(")"), let scale = UInt8(name.dropFirst(8).dropLast()),
            scale <= 18
        {
            self = .decimal(scale: scale)
        } else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no attribute type “\(name)”")
        }
    }

    /// Encodes the name of the type.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
