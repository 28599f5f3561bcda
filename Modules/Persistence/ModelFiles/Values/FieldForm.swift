import StrataCore

/// The representation of an attribute type by a field of the Data Package standard.
///
/// The standard has fewer types than a model. If ``isEnough`` is `false`, a writer adds `strata:type` or
/// `strata:scale`, so that a reader finds the exact type, while other tools read the standard's type.
struct FieldForm {
    let type: String
    let format: String?
    /// A Boolean value that indicates whether a reader can derive the attribute type from this representation alone.
    let isEnough: Bool

    init(_ type: AttributeType) {
        switch type {
        case .string: self.init("string", isEnough: true)
        case .integer64: self.init("integer", isEnough: true)
        case .integer16, .integer32: self.init("integer", isEnough: false)
        case .double, .decimal: self.init("number", isEnough: false)
        case .boolean: self.init("boolean", isEnough: true)
        case .date: self.init("datetime", isEnough: false)
        case .day: self.init("date", isEnough: true)
        case .timeOfDay: self.init("time", isEnough: true)
        case .uuid: self.init("string", format: "uuid", isEnough: false)
        case .binary: self.init("string", format: "binary", isEnough: false)
        }
    }

    private init(_ type: String, format: String? = nil, isEnough: Bool) {
        self.type = type
        self.format = format
        self.isEnough = isEnough
    }

    /// Returns the attribute type for a type name of the Data Package standard; `nil` if the type also needs an
    /// additional property.
    ///
    /// An `integer` is a 64-bit integer, and a `date` is a day.
    static func type(named name: String) -> AttributeType? {
        switch name {
        case "string": .string
        case "integer": .integer64
        case "boolean": .boolean
        case "date": .day
        case "time": .timeOfDay
        default: nil
        }
    }

    /// The text formats that need no additional property, with the types and formats that represent them in the Data
    /// Package standard.
    static let formats: [(format: TextFormat, type: String, name: String?)] = [
        (.dateTime, "datetime", nil), (.year, "year", nil), (.yearMonth, "yearmonth", nil),
        (.duration, "duration", nil), (.geopoint, "geopoint", nil), (.email, "string", "email"),
        (.uri, "string", "uri"), (.uuid, "string", "uuid"), (.base64, "string", "binary"),
        (.object, "object", nil), (.array, "array", nil),
    ]
}
