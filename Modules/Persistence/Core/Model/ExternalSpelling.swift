/// How files spell the values of one attribute, where that is not as usual.
///
/// A matter of files alone: what is stored and compared is the value. Whoever reads and writes files checks that the parts are what they have to be.
public struct ExternalSpelling: Sendable, Hashable {
    /// Texts that mean null, in quotes or not, of which the first is written; `nil` is what the entity's files have, ``ExternalForm/missingValues``.
    public var missingValues: [String]?
    /// The character before the fraction of a number; `nil` is a point.
    public var decimal: String?
    /// The character between groups of three digits of a number; `nil` is none.
    public var group: String?
    /// The words for true, of which the first is written; empty for the usual ones.
    public var trueWords: [String]
    /// The words for false, of which the first is written; empty for the usual ones.
    public var falseWords: [String]
    /// The form of dates, days and times in `strptime`'s letters; `nil` is ISO 8601.
    public var dateFormat: String?
    /// Whether decimals are written with as few digits after the point as they need, and not with all that their scale has.
    public var writesFewestDigits: Bool

    /// A spelling; what is not given is as usual.
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

    /// Whether nothing is said.
    public var isUsual: Bool { self == ExternalSpelling() }
}
