/// How values are spelled in a file, where it is not as Strata spells them: of one column, or of all.
///
/// ```swift
/// var reading = ReadingOptions(format: .csv)
/// reading.spelling.decimal = try NumberSign(",")
/// reading.columnSpellings["hired"] = ValueSpelling(dateFormat: try DatePattern("%d.%m.%Y"))
/// ```
///
/// It holds for the fields of tables, and for strings of JSON documents where a number, a date or a truth value stands; a number of JSON is one
/// always. What is `nil` or empty is as usual, and what is said takes the usual spelling's place: with a date format no date of ISO 8601 is read.
public struct ValueSpelling: Sendable, Hashable {
    /// How dates and days are spelled; a format with a day.
    public var dateFormat: DatePattern?
    /// How times of day are spelled; a format without a day.
    public var timeFormat: DatePattern?
    /// What stands before the fraction of a number; a point unless given.
    public var decimal: NumberSign?
    /// What stands between groups of three digits of a number; nothing unless given.
    ///
    /// Numbers without groups are read, too.
    public var group: NumberSign?
    /// The words for true, byte for byte; true, yes and 1 in any case where there are none.
    public var trueWords: [String]
    /// The words for false, byte for byte; false, no and 0 in any case where there are none.
    public var falseWords: [String]

    /// A spelling; what is not given is as usual.
    public init(
        dateFormat: DatePattern? = nil, timeFormat: DatePattern? = nil, decimal: NumberSign? = nil,
        group: NumberSign? = nil, trueWords: [String] = [], falseWords: [String] = []
    ) {
        self.dateFormat = dateFormat
        self.timeFormat = timeFormat
        self.decimal = decimal
        self.group = group
        self.trueWords = trueWords
        self.falseWords = falseWords
    }

    /// The same with what another one says instead.
    func overridden(by other: ValueSpelling) -> ValueSpelling {
        ValueSpelling(
            dateFormat: other.dateFormat ?? dateFormat, timeFormat: other.timeFormat ?? timeFormat,
            decimal: other.decimal ?? decimal, group: other.group ?? group,
            trueWords: other.trueWords.isEmpty ? trueWords : other.trueWords,
            falseWords: other.falseWords.isEmpty ? falseWords : other.falseWords)
    }

    /// The same with what another one says as well; words are added.
    func adding(_ other: ValueSpelling) -> ValueSpelling {
        var sum = overridden(by: other)
        sum.trueWords = trueWords + other.trueWords
        sum.falseWords = falseWords + other.falseWords
        return sum
    }

    /// Every part as text, so that two spellings that read alike are written alike.
    var parts: [String?] {
        [dateFormat?.text, timeFormat?.text, decimal?.text, group?.text] + trueWords + [nil] + falseWords + [nil]
    }
}
