public import Foundation

/// What a dataset is made of: everything that its rows depend on.
///
/// ```swift
/// var description = try FixtureDescription(seed: 42)
/// description.entities["Employee"]?.count = 10_000
/// let fixtures = try Fixtures(description)
/// ```
///
/// The same description gives the same rows on every machine and in every version of Strata. As a file it is JSON, of which
/// everything may be left out that shall be as usual; `strata generate --describe` prints all of it.
public struct FixtureDescription: Sendable, Hashable {
    /// The newest version of the rows: a change to what any description gives is a new version, and the old ones stay.
    public static let newestVersion = 1

    /// The seed of a description that names none.
    public static let standardSeed: UInt64 = 42

    /// The share of hostile values that `--hostile` asks for.
    public static let standardHostility = FixtureShare.percent(20)

    /// The version of the rows.
    public var datasetVersion: Int
    /// The number from which every row follows.
    public var seed: UInt64
    /// The end of what has happened: dates without an end of their own lie before it.
    ///
    /// The clock has no say.
    public var referenceDate: FixtureInstant
    /// How likely names of each locale are, by its code.
    public var locales: [String: Int]
    /// The share of texts, numbers and dates that are such as break programs.
    public var hostile: FixtureShare
    /// The entities that are made, by name.
    public var entities: [String: EntityFixtures]
    /// What the entities may have.
    public let schema: [FixtureEntity]
    /// Where the file that this was read from says what.
    var places = DescriptionPlaces()

    /// The usual description of entities.
    ///
    /// - Parameters:
    ///   - seed: The seed.
    ///   - version: The dataset version; 1 unless given, in every version of Strata.
    ///   - schema: The entities; those of the reference model unless given.
    /// - Throws: ``FixtureError`` with the code `unknown` where there is no such version.
    public init(
        seed: UInt64 = standardSeed, version: Int = 1, schema: [FixtureEntity]? = nil
    ) throws(FixtureError) {
        let usual = try ReferenceEntities.all(version: version)
        datasetVersion = version
        self.seed = seed
        referenceDate = CivilDay.beginning(2025)
        locales = Self.standardLocales
        hostile = .none
        let entities = schema ?? usual
        self.schema = entities
        self.entities = Dictionary(
            entities.map { ($0.name, EntityFixtures($0)) }, uniquingKeysWith: { first, _ in first })
    }

    /// About what a European company's list of people is like.
    private static let standardLocales = [
        "en": 40, "de": 10, "fr": 10, "es": 10, "it": 5, "nl": 5, "pl": 5, "pt": 4, "sv": 3, "tr": 3, "cs": 2, "el": 1,
        "ja": 1, "zh": 1,
    ]
}

/// How many rows of an entity are made, and how.
public struct EntityFixtures: Sendable, Hashable {
    /// The most rows: more than any test needs, and every identifier is in range.
    public static let counts = 0...1_000_000_000

    /// The number of rows, within ``counts``.
    public var count: Int
    /// How each attribute is made, by name.
    public var attributes: [String: AttributeFixtures]
    /// Rows that must be there: the first ones, each with the values that are given, by attribute; the others are made.
    public var fixed: [[String: FixtureValue]] = []

    /// What an entity has unless a description says otherwise.
    init(_ entity: FixtureEntity) {
        count = entity.count
        attributes = Dictionary(
            entity.fields.map { ($0.name, AttributeFixtures($0)) }, uniquingKeysWith: { first, _ in first })
    }
}

/// How an attribute's values are made.
public struct AttributeFixtures: Sendable, Hashable {
    /// How they are made.
    public var generator: FixtureGenerator
    /// The share of rows in which the attribute is null.
    public var nulls: FixtureShare
    /// Whether no two rows get the same value.
    public var isUnique: Bool

    /// What a field has unless a description says otherwise.
    init(_ field: FixtureField) {
        generator = field.generator
        nulls = field.nulls
        isUnique = field.isUnique
    }
}

/// A value of a row, as fixed rows give it and records take it.
public enum FixtureValue: Sendable, Hashable {
    /// Nothing.
    case null
    /// A text, or a colour as `#RRGGBB`.
    case text(String)
    /// A whole number, or the identifier that a reference holds.
    case integer(Int64)
    /// A decimal.
    case decimal(Decimal)
    /// True or false.
    case boolean(Bool)
    /// An instant.
    case date(Date)
    /// A UUID.
    case uuid(UUID)
}

extension FixtureValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
    /// A text.
    public init(stringLiteral value: String) { self = .text(value) }
    /// A whole number.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// True or false.
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
}
