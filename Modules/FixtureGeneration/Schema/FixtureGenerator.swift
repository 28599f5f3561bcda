public import Foundation
public import StrataCore

/// A generator of an attribute's values.
///
/// Numbers are exact: the numbers of a decimal attribute can have as many fraction digits as the attribute stores.
///
/// Each type of field accepts some of the generators:
///
/// | type of the field | generators |
/// |---|---|
/// | text | kinds except `uuid` and `hexColor`, `oneOf`, `code`, `pattern` |
/// | integer, decimal, double | `uniform`, `normal`, `logNormal`, `markup`, `oneOf` |
/// | boolean | `chance`, `oneOf` |
/// | date, day | `dates`, `later`, `oneOf` |
/// | time of day | `times`, `oneOf` |
/// | UUID | the kind `uuid`, `oneOf` |
/// | color | the kind `hexColor` |
/// | binary | `bytes`, `oneOf` |
/// | reference | `reference`, `earlier` |
///
/// Parameters are checked when ``Fixtures`` are created. Errors name the entity, the attribute and the parameter.
///
/// ## Topics
///
/// ### Texts
///
/// - ``kind(_:)``
/// - ``Kind``
/// - ``code(prefix:digits:)``
/// - ``pattern(_:)``
///
/// ### Numbers
///
/// - ``uniform(_:)``
/// - ``uniform(_:step:)``
/// - ``normal(mean:deviation:_:)``
/// - ``logNormal(median:sigma:_:)``
/// - ``markup(over:percent:)``
/// - ``Bounds``
///
/// ### Dates and times
///
/// - ``dates(from:to:weekdays:precision:)``
/// - ``times(from:to:step:)``
/// - ``later(than:days:)``
/// - ``Precision``
///
/// ### Other values
///
/// - ``chance(_:)``
/// - ``bytes(_:)``
///
/// ### References
///
/// - ``reference(without:perTarget:)``
/// - ``earlier(without:)``
public enum FixtureGenerator: Sendable, Hashable {
    /// The kinds of values that Strata has lists of, or generates itself.
    ///
    /// The raw value is the word in a description. The lists are part of the dataset version, so their values never
    /// change within a version. Persons and companies are fictitious combinations of words, and e-mail addresses use
    /// hosts that are reserved for examples.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A given name of the row's locale.
        ///
        /// The locales and their weights are those of the description.
        case givenName
        /// A family name of the row's locale; the given name and the family name of a row have the same locale.
        case familyName
        /// A given name and a family name.
        ///
        /// The family name is first in Chinese, Japanese, Korean and Vietnamese names.
        case fullName
        /// The name of a color, such as `dusty rose`.
        case colorName
        /// The name of an article, such as `Walnut Serving Tray`.
        case itemName
        /// A random UUID of version 4, which is unique in its entity.
        ///
        /// Uniqueness does not depend on chance: each UUID contains the number of its row in a permuted form.
        case uuid
        /// A 24-bit color, such as `#B03A2E`.
        case hexColor
        /// A fictitious e-mail address, such as `ada.lopez07@example.org`.
        case email
        /// A user name, such as `ada_lopez07`.
        case userName
        /// A street and a number, such as `Station Road 12`.
        case street
        /// A city.
        case city
        /// The English name of a country.
        case country
        /// The two-letter code of a country.
        ///
        /// It is independent of a country in the same row.
        case countryCode
        /// The name of a company, such as `Lopez & Sons`.
        case company
        /// Two plain words, such as `quiet harbour`.
        case words
        /// A title, such as `The Quiet Harbour`.
        case title
        /// A sentence of plain words.
        case sentence
    }

    /// The precision of generated dates.
    ///
    /// Days are always generated as days, whatever the precision is.
    public enum Precision: String, Sendable, Hashable, CaseIterable {
        /// The beginnings of days, in UTC.
        case day
        /// The beginnings of hours, in UTC.
        case hour
        /// The beginnings of minutes.
        case minute
        /// Whole seconds.
        case second
    }

    /// The bounds of numbers, and the distance between two numbers, counted from the minimum.
    ///
    /// The maximum is included if it is a whole number of steps above the minimum. Bounds and steps must be multiples
    /// of the last digit that the field stores, and fit into 64 bits in units of that digit.
    ///
    /// ## Topics
    ///
    /// ### Creating bounds
    ///
    /// - ``init(_:step:)``
    ///
    /// ### Reading the bounds
    ///
    /// - ``minimum``
    /// - ``maximum``
    /// - ``step``
    public struct Bounds: Sendable, Hashable {
        /// The minimum number.
        public var minimum: Decimal
        /// The maximum number.
        public var maximum: Decimal
        /// The positive distance between two numbers, or `nil` for the attribute's default of 1 or a hundredth.
        ///
        /// The default is one unit of the field's last digit: 1 for integers, 0.01 for decimals with two fraction
        /// digits.
        public var step: Decimal?

        /// Creates bounds.
        ///
        /// - Parameters:
        ///   - range: The minimum and the maximum number.
        ///   - step: The distance between two numbers. The default is that of the attribute.
        public init(_ range: ClosedRange<Decimal>, step: Decimal? = nil) {
            minimum = range.lowerBound
            maximum = range.upperBound
            self.step = step
        }
    }

    /// A kind of values that Strata provides.
    ///
    /// Unique values are possible for all kinds. There must be as many values as rows: about 17,000 color names, for
    /// example.
    case kind(Kind)
    /// One of several weighted values, written as texts; a weight is a positive integer.
    ///
    /// If the type is not text, a value is written as in datasets: `12.50`, `true`, `2025-01-31`, and bytes in base64.
    ///
    /// A text may occur only once in the list. Weights are from 1 to 1,000,000; values can be unique if all weights are
    /// equal.
    case oneOf([WeightedText])
    /// A prefix and a number with 1 to 18 digits, including leading zeros, such as `INV-004711`.
    ///
    /// Each of the 10 to the power of *digits* numbers is equally likely. Without uniqueness, codes can repeat.
    case code(prefix: String, digits: Int)
    /// Texts that match a regular expression in Swift's syntax completely, with the lengths that the attribute allows.
    ///
    /// Lookaround conditions, word boundaries and back references are not supported; the error names the element. A
    /// class that allows any character uses lowercase letters and digits. Repetitions without a limit are short, unless
    /// many unique texts are required.
    case pattern(String)
    /// Random bytes with a length in a range, at most 65,536.
    ///
    /// All lengths in the range are equally likely.
    case bytes(ClosedRange<Int>)
    /// Numbers between bounds, all of which are equally likely.
    case uniform(Bounds)
    /// Numbers with a normal distribution around a mean, truncated at the bounds.
    ///
    /// The distribution is truncated, not clamped: values beyond a bound are not generated as the bound. The mean may
    /// be outside the bounds. Mean and deviation have at most the fraction digits of the field, and are at most 2^53 in
    /// units of its last digit.
    case normal(mean: Decimal, deviation: Decimal, Bounds)
    /// Numbers with a log-normal distribution, such as incomes, prices and sizes.
    ///
    /// Half of the numbers are below the median. Sigma, from 0 to 10, is the deviation of the natural logarithm.
    ///
    /// The median is above 0. About two thirds of the numbers are from the median divided by e^sigma to the median
    /// times e^sigma, before the distribution is truncated at the bounds. Sigma has at most six fraction digits.
    case logNormal(median: Decimal, sigma: Decimal, Bounds)
    /// Dates or days from an instant to before another instant; `nil` is the description's reference date.
    ///
    /// The seven weights, beginning with Monday, determine the probabilities of the days of the week. By default, all
    /// days are equally likely. Weighted dates with a precision finer than a day are on days that are completely in the
    /// range.
    case dates(from: FixtureInstant, to: FixtureInstant?, weekdays: [Int]?, precision: Precision)
    /// Times of day from a time to before another time, at a distance of 1 to 86,400 seconds.
    ///
    /// An end of `nil` is the end of the day.
    ///
    /// Both times must be whole seconds.
    case times(from: TimeOfDay, to: TimeOfDay?, step: Int)
    /// Another value of the row, increased by an integer percentage of its magnitude and by 1 in its last digit.
    ///
    /// The result always exceeds the other value, unless that is the maximum number.
    ///
    /// The other field has the same type, and is not a markup itself. Percentages are from 0 to 100,000. If the other
    /// value is null, the result is null.
    case markup(over: String, percent: ClosedRange<Int>)
    /// A date that is not before another attribute of the row, and at most a number of days later.
    ///
    /// The date is before the reference date, unless the other date is not.
    ///
    /// The other field has the same type, and is not `later` itself. Days are from 0 to 366,000. If the other value is
    /// null, the result is null.
    case later(than: String, days: Int)
    /// True in a share of the rows.
    ///
    /// The share applies to the rows whose value is not null.
    case chance(FixtureShare)
    /// A reference to a row of the destination entity.
    ///
    /// Without bounds, all targets are equally likely. With bounds, the number of references to each target is in their
    /// range.
    ///
    /// `without` is the share of the rows whose reference is null. With bounds, the number of null references is
    /// exactly this share, rounded, and there are at most 10,000,000 targets.
    ///
    /// The bounds must allow the counts of both entities; otherwise creating ``Fixtures`` throws an error with the
    /// possible counts. An upper bound of 1 makes the reference unique.
    case reference(without: FixtureShare, perTarget: ClosedRange<Int>?)
    /// A reference to an earlier row of the same entity, so that there are no cycles.
    ///
    /// The reference of the first row is null or, if it is mandatory, refers to the row itself.
    ///
    /// It cannot be combined with uniqueness.
    case earlier(without: FixtureShare)

    /// The allowed lengths of generated binary values, in bytes.
    static let byteCounts = 0...65_536

    /// The allowed numbers of days between another date and a generated later date: up to a thousand years.
    static let laterDays = 0...366_000

    /// The allowed numbers of references to each target.
    static let targetBounds = 0...1_000_000_000

    /// Returns a generator of equally likely numbers between bounds.
    ///
    /// - Parameters:
    ///   - range: The minimum and the maximum number.
    ///   - step: The distance between two numbers. The default is that of the attribute.
    /// - Returns: The generator.
    public static func uniform(_ range: ClosedRange<Decimal>, step: Decimal? = nil) -> Self {
        .uniform(Bounds(range, step: step))
    }

    /// Returns a generator of equally likely texts.
    ///
    /// - Parameter texts: The texts, at least one.
    /// - Returns: The generator.
    public static func oneOf(_ texts: [String]) -> Self {
        .oneOf(texts.map { WeightedText($0) })
    }
}
