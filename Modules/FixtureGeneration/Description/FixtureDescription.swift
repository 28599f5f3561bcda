/// What a dataset is made of: everything that its rows depend on.
///
/// ```swift
/// var description = try FixtureDescription(seed: 42, schema: [Invoice.fixtureEntity])
/// description.entities["Invoice"]?.count = 10_000
/// let fixtures = try Fixtures(description)
/// ```
///
/// The same description gives the same rows on every machine and in every version of Strata. As a file it is JSON, of which
/// everything may be left out that shall be as usual; `strata generate --model MODEL --describe`
/// prints all of it.
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
    ///   - schema: The entities.
    /// - Throws: ``FixtureError`` with the code `unknown` where there is no such version.
    public init(
        seed: UInt64 = standardSeed, version: Int = 1, schema: [FixtureEntity]
    ) throws(FixtureError) {
        guard (1...Self.newestVersion).contains(version) else { throw Self.unknown(version: version) }
        datasetVersion = version
        self.seed = seed
        referenceDate = CivilDay.beginning(2025)
        locales = Self.standardLocales
        hostile = .none
        self.schema = schema
        entities = Dictionary(
            schema.map { ($0.name, EntityFixtures($0)) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns the error about a dataset version that does not exist.
    package static func unknown(version: Int) -> FixtureError {
        FixtureError(
            .unknown,
            "there is no dataset version \(version); this program makes versions up to \(newestVersion)"
        )
    }

    /// About what a European company's list of people is like.
    private static let standardLocales = [
        "en": 40, "de": 10, "fr": 10, "es": 10, "it": 5, "nl": 5, "pl": 5, "pt": 4, "sv": 3, "tr": 3, "cs": 2, "el": 1,
        "ja": 1, "zh": 1,
    ]
}

extension FixtureDescription {
    /// The description with other counts.
    ///
    /// - Parameter counts: How many rows, by the name of an entity that the description makes.
    /// - Returns: The description.
    /// - Throws: ``FixtureError`` with the code `unknown` for another name.
    public func with(_ counts: [String: Int]) throws(FixtureError) -> FixtureDescription {
        var description = self
        for (name, count) in counts.sorted(by: { $0.key < $1.key }) {
            guard description.entities[name] != nil else {
                throw FixtureError(
                    .unknown, entity: name,
                    "there is no such entity; there are \(description.entities.keys.sorted().joined(separator: ", "))")
            }
            description.entities[name]?.count = count
        }
        return description
    }
}
