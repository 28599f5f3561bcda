/// The formats that texts can be restricted to: each has a syntax check, and some have an order by meaning.
///
/// ```swift
/// AttributeDescription("mail", .string, domain: TextFormat.email.domain)
/// ```
///
/// Texts are stored verbatim: `2024-01-26T10:00:00+02:00` keeps its zone, and `007` its zeros. `=` and uniqueness
/// compare the text. `<` and similar operators, sorting, and rules for the minimum and maximum value use the order of
/// ``isOrdered``. A format has a name, so that model files and stores can record the format of an attribute.
///
/// A format checks the syntax, and not whether the value exists: an address may have no mailbox. A text that does not
/// have the format is rejected with ``ValidationFailure/Rule/format(_:)``.
///
/// ## Topics
///
/// ### Dates and durations
///
/// - ``localDateTime``
/// - ``offsetDateTime``
/// - ``dateTime``
/// - ``year``
/// - ``yearMonth``
/// - ``duration``
///
/// ### Identifiers and addresses
///
/// - ``email``
/// - ``uri``
/// - ``uuid``
///
/// ### Numbers and places
///
/// - ``bigInteger``
/// - ``number``
/// - ``geopoint``
///
/// ### Structured data
///
/// - ``json``
/// - ``object``
/// - ``array``
/// - ``base64``
///
/// ### Using a format
///
/// - ``domain``
/// - ``isOrdered``
/// - ``orderKey(of:)``
public enum TextFormat: String, Sendable, Hashable, CaseIterable {
    /// A day and a time without a zone: `2024-01-26T10:11:12.5`; up to nine fraction digits of a second.
    case localDateTime
    /// A day and a time with `Z` or an offset: `2024-01-26T10:11:12+02:00`.
    case offsetDateTime
    /// A day and a time, with or without a zone.
    case dateTime
    /// A year of at least four digits, also before the year 1: `2024`, `-0044` (gYear of XML Schema, without its zone).
    case year
    /// A year and a month: `2024-01` (gYearMonth of XML Schema, without its zone).
    case yearMonth
    /// A duration: `P1Y2M3DT4H5M6.7S`, at least one part (XML Schema).
    case duration
    /// An address `name@host`: one `@`, no blanks, and dots only between other characters.
    case email
    /// A URI with its scheme: `https://example.org`, `urn:isbn:0451450523`.
    ///
    /// It has only letters, digits and the signs of RFC 3986.
    case uri
    /// A UUID of 32 hexadecimal digits in five groups: `123e4567-e89b-12d3-a456-426614174000` (RFC 9562).
    case uuid
    /// Bytes in base64, with its `=` at the end: `SGVsbG8=` (RFC 4648).
    case base64
    /// An integer of any length, with its sign and zeros.
    case bigInteger
    /// A number of any length, with its sign, zeros and exponent.
    ///
    /// It is a decimal or double of XML Schema, without `INF` and `NaN`.
    case number
    /// A geographic point: the longitude from -180 to 180, a comma, the latitude from -90 to 90.
    case geopoint
    /// A JSON object: `{"a": [1, 2]}`, at most 64 levels of nested values.
    case object
    /// A JSON array: `[1, {"a": 2}]`, at most 64 levels of nested values.
    case array
    /// A JSON value of any kind: `{"a": 1}`, `[1]`, `"text"`, `1.5`, `true`; at most 64 levels of nested values.
    case json

    /// The rule, with the format's name.
    public var domain: AttributeDomain {
        AttributeDomain(self, samples: samples) { value in
            guard case .string(let text) = value, takes(text) else {
                throw ValueError("is not \(example)")
            }
            return value
        }
    }

    /// Different values with which the declaration of a record type is tested.
    private var samples: [String] {
        switch self {
        case .localDateTime: ["2024-01-26T10:11:12", "2024-01-27T10:11:12.5", "1999-12-31T23:59:59"]
        case .offsetDateTime, .dateTime: ["2024-01-26T10:11:12Z", "2024-01-26T10:11:12+02:00", "1999-12-31T23:59:59Z"]
        case .year: ["2024", "1999", "-0044"]
        case .yearMonth: ["2024-01", "2024-02", "1999-12"]
        case .duration: ["P1D", "PT12H", "P1Y2M"]
        case .email: ["ada@example.org", "alan@example.org", "grace@example.org"]
        case .uri: ["https://example.org/1", "https://example.org/2", "urn:isbn:0451450523"]
        case .uuid: (1...3).map { "123e4567-e89b-12d3-a456-42661417400\($0)" }
        case .base64: ["SGVsbG8=", "AA==", ""]
        case .bigInteger, .number: ["1", "22", "333"]
        case .geopoint: ["13.4, 52.5", "2.35, 48.86", "-0.1, 51.5"]
        case .object: ["{\"a\": 1}", "{\"a\": 2}", "{}"]
        case .array: ["[1]", "[2, 3]", "[]"]
        case .json: ["1", "\"a\"", "{\"a\": [true]}"]
        }
    }

    /// An example of a value, for messages: `a year such as 2024`.
    package var example: String {
        switch self {
        case .localDateTime: "a date and time without a zone, such as 2024-01-26T10:11:12"
        case .offsetDateTime: "a date and time with a zone, such as 2024-01-26T10:11:12+02:00"
        case .dateTime: "a date and time, such as 2024-01-26T10:11:12Z"
        case .year: "a year, such as 2024"
        case .yearMonth: "a year and month, such as 2024-01"
        case .duration: "a duration, such as P1DT12H"
        case .email: "an e-mail address, such as ada@example.org"
        case .uri: "a URI, such as https://example.org"
        case .uuid: "a UUID, such as 123e4567-e89b-12d3-a456-426614174000"
        case .base64: "a text in base64, such as SGVsbG8="
        case .bigInteger: "a whole number"
        case .number: "a number"
        case .geopoint: "a longitude and a latitude, such as 13.4, 52.5"
        case .object: "a JSON object, such as {\"a\": 1}"
        case .array: "a JSON array, such as [1, 2]"
        case .json: "a JSON value, such as \"text\" or {\"a\": 1}"
        }
    }
}
