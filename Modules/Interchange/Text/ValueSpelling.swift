/// The spelling of values in one column or in all columns of a file, if it differs from the default.
///
/// ```swift
/// var reading = ReadingOptions(format: .csv)
/// reading.spelling.decimal = try NumberSign(",")
/// reading.columnSpellings["hired"] = ValueSpelling(dateFormat: try DatePattern("%d.%m.%Y"))
/// ```
///
/// The spelling applies to the fields of tables. It also applies to strings in JSON documents that represent a number,
/// a date or a Boolean; a JSON number always has the JSON syntax. A property that is `nil` or empty means the default.
/// A property that is set replaces the default: with a date format, no ISO 8601 date is read.
///
/// ## Topics
///
/// ### Creating a spelling
///
/// - ``init(dateFormat:timeFormat:decimal:group:trueWords:falseWords:)``
///
/// ### Dates and times
///
/// - ``dateFormat``
/// - ``timeFormat``
///
/// ### Numbers
///
/// - ``decimal``
/// - ``group``
///
/// ### Truth values
///
/// - ``trueWords``
/// - ``falseWords``
public struct ValueSpelling: Sendable, Hashable {
    /// The format of dates and days, which contains a day; `nil` for ISO 8601.
    ///
    /// A column of days accepts a format with a time if each time is midnight.
    public var dateFormat: DatePattern?
    /// The format of times of day, which contains no day; `nil` for ISO 8601.
    public var timeFormat: DatePattern?
    /// The separator before the fraction of a number (default: a point).
    ///
    /// It must differ from ``group``.
    public var decimal: NumberSign?
    /// The separator between groups of three digits of a number (default: none).
    ///
    /// Numbers without groups are read, too.
    ///
    /// If it is the point and ``decimal`` is `nil`, columns of whole numbers may have groups, and numbers in other
    /// columns are errors.
    public var group: NumberSign?
    /// The words for true, compared byte by byte (default: true, yes and 1 in any case).
    ///
    /// If the array is not empty, the default words for true are not read. A word must not be in both arrays.
    public var trueWords: [String]
    /// The words for false, compared byte by byte (default: false, no and 0 in any case).
    ///
    /// If the array is not empty, the default words for false are not read.
    public var falseWords: [String]

    /// Creates a spelling; omitted parameters mean the defaults.
    ///
    /// - Parameters:
    ///   - dateFormat: The format of dates and days.
    ///   - timeFormat: The format of times of day.
    ///   - decimal: The separator before the fraction of a number.
    ///   - group: The separator between groups of three digits.
    ///   - trueWords: The words for true.
    ///   - falseWords: The words for false.
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

    /// Returns this spelling, in which the parts that another spelling sets replace those of this spelling.
    func overridden(by other: ValueSpelling) -> ValueSpelling {
        ValueSpelling(
            dateFormat: other.dateFormat ?? dateFormat, timeFormat: other.timeFormat ?? timeFormat,
            decimal: other.decimal ?? decimal, group: other.group ?? group,
            trueWords: other.trueWords.isEmpty ? trueWords : other.trueWords,
            falseWords: other.falseWords.isEmpty ? falseWords : other.falseWords)
    }

    /// Returns this spelling combined with another one: words are added, and other parts that it sets replace those of
    /// this spelling.
    func adding(_ other: ValueSpelling) -> ValueSpelling {
        var sum = overridden(by: other)
        sum.trueWords = trueWords + other.trueWords
        sum.falseWords = falseWords + other.falseWords
        return sum
    }

    /// All parts of the spelling as texts, by which two spellings are compared.
    var parts: [String?] {
        [dateFormat?.text, timeFormat?.text, decimal?.text, group?.text] + trueWords + [nil] + falseWords + [nil]
    }
}
