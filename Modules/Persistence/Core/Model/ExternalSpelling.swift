/// The spelling of an attribute's values in files, if it differs from the default.
///
/// It affects files only; the store contains and compares the values. The code that reads and writes files validates
/// the parts of a spelling.
public struct ExternalSpelling: Sendable, Hashable {
    /// Texts that represent null, quoted or unquoted; the first one is written.
    ///
    /// If it is `nil`, the entity's ``ExternalForm/missingValues`` are used.
    public var missingValues: [String]?
    /// The decimal separator of a number; `nil` for a point.
    public var decimal: String?
    /// The separator between groups of three digits of a number; `nil` for none.
    public var group: String?
    /// The words for true; the first one is written.
    ///
    /// If the array is empty, the default words are used.
    public var trueWords: [String]
    /// The words for false; the first one is written.
    ///
    /// If the array is empty, the default words are used.
    public var falseWords: [String]
    /// The format of dates, days and times, with the conversion letters of `strptime`; `nil` for ISO 8601.
    public var dateFormat: String?
    /// A Boolean value that indicates whether decimals are written without trailing zeros.
    ///
    /// If it is `false`, they are written with all digits of their scale.
    public var writesFewestDigits: Bool

    /// Creates a spelling; omitted parameters select the default spelling.
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

    /// A Boolean value that indicates whether the spelling is the default.
    public var isUsual: Bool { self == ExternalSpelling() }
}
