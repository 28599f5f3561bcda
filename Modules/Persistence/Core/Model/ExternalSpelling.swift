/// The spelling of an attribute's values in datasets, if it differs from the default spelling.
///
/// It does not affect the values that a store contains and compares. The code that reads and writes datasets validates
/// the parts of a spelling.
public struct ExternalSpelling: Sendable, Hashable {
    /// The texts that represent null in the attribute's column, quoted or unquoted; the first one is written.
    ///
    /// If it is `nil`, the ``ExternalForm/missingValues`` of the entity are used.
    public var missingValues: [String]?
    /// The decimal separator of numbers; `nil` for a point.
    public var decimal: String?
    /// The separator between groups of three digits in numbers; `nil` if digits are not grouped.
    public var group: String?
    /// The words that represent `true`; the first one is written.
    ///
    /// If the array is empty, the default words are used.
    public var trueWords: [String]
    /// The words that represent `false`; the first one is written.
    ///
    /// If the array is empty, the default words are used.
    public var falseWords: [String]
    /// The format of dates, days and times of day, with the conversion letters of `strptime`; `nil` for ISO 8601.
    public var dateFormat: String?
    /// A Boolean value that indicates whether decimals are written without trailing zeros.
    ///
    /// If it is `false`, decimals are written with all digits of the attribute's scale.
    public var writesFewestDigits: Bool

    /// Creates a spelling; omitted arguments select the default spelling.
    public init(
        missingValues: [String]? = nil, decimal: String? = nil, group: String? = nil, trueWords: [String] = [],
        falseWords: [String] = [], dateFormat: String? = nil, writesFewestDigits: Bool = false
    ) {
        self.missingValues = missingValues
        self.decimal = decimal
        self.group = group
        self.trueWords = trueWords
        self.falseWords = falseWords
        self.dateFormat = dateFormat
        self.writesFewestDigits = writesFewestDigits
    }

    /// A Boolean value that indicates whether all parts of the spelling have their defaults.
    public var isUsual: Bool { self == ExternalSpelling() }
}
