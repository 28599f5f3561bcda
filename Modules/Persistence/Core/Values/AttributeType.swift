/// The type of an attribute's values, as the model declares it and every store stores it.
///
/// The type determines which values are valid, how they are compared (<doc:ComparisonRules>), and in which form stores
/// and datasets contain them. Every store supports every type. A Swift type selects one with
/// ``AttributeValue/attributeType``.
///
/// ## Topics
///
/// ### Texts
///
/// - ``string``
///
/// ### Numbers
///
/// - ``integer16``
/// - ``integer32``
/// - ``integer64``
/// - ``double``
/// - ``decimal(scale:)``
/// - ``integerRange``
///
/// ### Dates and times
///
/// - ``date``
/// - ``day``
/// - ``timeOfDay``
///
/// ### Other values
///
/// - ``boolean``
/// - ``uuid``
/// - ``binary``
///
/// ### Form in stores
///
/// - ``storage``
/// - ``StorageClass``
/// - ``description``
public enum AttributeType: Sendable, Hashable {
    /// Unicode text without U+0000, compared by its UTF-8 bytes.
    ///
    /// The length is not limited by the type; use ``AttributeRule/maximumLength(_:)``. Normalization forms are
    /// distinguished: the composed and the decomposed “é” are different texts.
    case string
    /// An integer from -32,768 to 32,767.
    case integer16
    /// An integer from -2,147,483,648 to 2,147,483,647.
    case integer32
    /// An integer of 64 bits.
    case integer64
    /// A finite binary floating-point number of 64 bits.
    ///
    /// NaN and infinity are rejected, and `-0.0` is stored as `0.0`. Use a decimal for amounts of money.
    case double
    /// An exact decimal number with a count of digits after the point (0 to 18), stored as a scaled 64-bit integer.
    ///
    /// A value with more digits than the scale is rejected and never rounded, unless the additional digits are zeros.
    /// The largest number at scale 2 is 92,233,720,368,547,758.07.
    case decimal(scale: UInt8)
    /// True or false.
    case boolean
    /// An instant, stored as seconds since 2001-01-01T00:00:00Z, to the nanosecond.
    ///
    /// Two dates are equal if they are the same nanosecond, as far as a `Date` is that precise. For a calendar day
    /// without a time, use ``day``.
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
