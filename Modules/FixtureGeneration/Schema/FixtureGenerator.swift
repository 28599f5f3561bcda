public import Foundation
public import StrataCore

/// How the values of an attribute are made.
///
/// Numbers are exact: those of a decimal attribute may have as many digits behind the point as the attribute keeps.
public enum FixtureGenerator: Sendable, Hashable {
    /// What Strata has lists of, or makes by itself.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A given name of the row's locale.
        case givenName
        /// A family name of the row's locale; given and family name of a row are of one locale.
        case familyName
        /// Given and family name.
        case fullName
        /// The name of a colour, as `dusty rose`.
        case colorName
        /// The name of an article, as `Walnut Serving Tray`.
        case itemName
        /// A random UUID of version 4; no two rows of an entity have the same.
        case uuid
        /// A colour of 24 bits, as `#B03A2E`.
        case hexColor
        /// An address of electronic mail that nobody has, as `ada.lopez07@example.org`.
        case email
        /// A name to sign in with, as `ada_lopez07`.
        case userName
        /// A street and a number, as `Station Road 12`.
        case street
        /// A city.
        case city
        /// A country's English name.
        case country
        /// A country's code of two letters.
        case countryCode
        /// A company's name, as `Lopez & Sons`.
        case company
        /// Two plain words, as `quiet harbour`.
        case words
        /// A title, as `The Quiet Harbour`.
        case title
        /// A sentence of plain words.
        case sentence
    }

    /// How finely dates are drawn.
    public enum Precision: String, Sendable, Hashable, CaseIterable {
        /// Beginnings of days, in UTC.
        case day
        /// Beginnings of hours, in UTC.
        case hour
        /// Beginnings of minutes.
        case minute
        /// Whole seconds.
        case second
    }

    /// The bounds of a number, and what numbers are apart, counted from the minimum.
    public struct Bounds: Sendable, Hashable {
        /// The least number.
        public var minimum: Decimal
        /// The greatest number.
        public var maximum: Decimal
        /// What two neighbouring numbers are apart, above 0; `nil` is the attribute's own: 1, or a hundredth.
        public var step: Decimal?

        /// Bounds.
        ///
        /// - Parameters:
        ///   - range: The least and the greatest number.
        ///   - step: What two neighbouring numbers are apart; the attribute's own unless given.
        public init(_ range: ClosedRange<Decimal>, step: Decimal? = nil) {
            minimum = range.lowerBound
            maximum = range.upperBound
            self.step = step
        }
    }

    /// One of Strata's own.
    case kind(Kind)
    /// One of some values, written as texts, each as likely as its weight, a whole number above 0.
    ///
    /// Of a type other than text a value is written as datasets have it: `12.50`, `true`, `2025-01-31`, and bytes in base64.
    case oneOf([WeightedText])
    /// A prefix and a number of so many digits (1 to 18), with zeros in front: `INV-004711`.
    case code(prefix: String, digits: Int)
    /// Texts that a regular expression in Swift's syntax matches as a whole, of the lengths that the attribute allows.
    case pattern(String)
    /// So many random bytes, at most 65,536.
    case bytes(ClosedRange<Int>)
    /// Every number between bounds is as likely as any other.
    case uniform(Bounds)
    /// A bell curve around a mean, cut off at the bounds.
    case normal(mean: Decimal, deviation: Decimal, Bounds)
    /// Incomes, prices, sizes: half of all are below the median; sigma, 0 to 10, is the deviation of the natural logarithm.
    case logNormal(median: Decimal, sigma: Decimal, Bounds)
    /// Dates, or days, from one instant up to, not including, another; `nil` is the description's reference date.
    ///
    /// Weights, seven from Monday on, say how likely a day of the week is; all are the same unless given. What is finer than a day, and has
    /// weights, is of days that lie within as a whole.
    case dates(from: FixtureInstant, to: FixtureInstant?, weekdays: [Int]?, precision: Precision)
    /// Times of day from one up to, not including, another, so many seconds (1 to 86,400) apart; `nil` is the end of the day.
    case times(from: TimeOfDay, to: TimeOfDay?, step: Int)
    /// Another attribute of the row, some percent of its magnitude, from one whole number to another, and one unit: always more than the
    /// other one, unless that is the greatest number there is.
    case markup(over: String, percent: ClosedRange<Int>)
    /// Not before another attribute of the row, and so many days later at most; before the reference date, unless the other one is not.
    case later(than: String, days: Int)
    /// True in a share of the rows.
    case chance(FixtureShare)
    /// One of the rows of the relationship's entity: every one is as likely, or each has so many rows that refer to it.
    ///
    /// `without` is the share of the rows that refer to none. With bounds for each target, of which there are 10,000,000 at most then,
    /// exactly this share, rounded, refers to none.
    case reference(without: FixtureShare, perTarget: ClosedRange<Int>?)
    /// A row of the same entity that stands before this one, so that nothing leads back to where it began; the first row refers to none, or,
    /// where it has to, to itself.
    case earlier(without: FixtureShare)

    /// The numbers of bytes that may be asked for.
    static let byteCounts = 0...65_536

    /// The numbers of days that may be asked for behind another date: a thousand years.
    static let laterDays = 0...366_000

    /// The numbers of rows that may be asked for each target of a reference.
    static let targetBounds = 0...1_000_000_000

    /// A number between bounds.
    ///
    /// - Parameters:
    ///   - range: The least and the greatest number.
    ///   - step: What two neighbouring numbers are apart; the attribute's own unless given.
    /// - Returns: A generator in which every number is as likely.
    public static func uniform(_ range: ClosedRange<Decimal>, step: Decimal? = nil) -> Self {
        .uniform(Bounds(range, step: step))
    }

    /// One of some texts, all as likely.
    ///
    /// - Parameter texts: At least one.
    /// - Returns: The generator.
    public static func oneOf(_ texts: [String]) -> Self {
        .oneOf(texts.map { WeightedText($0) })
    }
}
