/// A description of a dataset, which determines all of its rows.
///
/// ```swift
/// var description = try FixtureDescription(seed: 42, schema: [Invoice.fixtureEntity])
/// description.entities["Invoice"]?.count = 10_000
/// let fixtures = try Fixtures(description)
/// ```
///
/// The same description produces the same rows on every machine and in every version of Strata. The file format is
/// JSON, in which default values can be omitted. The command `strata generate --model MODEL --describe` prints a
/// complete description.
///
/// A description is a value. Create the default description of entities, change its properties, and pass it to
/// ``Fixtures``, which validates it. Properties can therefore have invalid values for a time.
///
/// | change | effect on the rows |
/// |---|---|
/// | another seed | all rows are different |
/// | another row count of an entity | existing rows usually keep their values; references to the entity change |
/// | another generator of an attribute | the attribute, and those derived from it or unique with it, change |
/// | another weight of a locale | names change |
/// | another reference date | dates without an explicit end change |
///
/// Descriptions are equal if all of these properties are equal. The locations in a file are not compared.
///
/// ## Topics
///
/// ### Creating a description
///
/// - ``init(seed:version:schema:)``
/// - ``init(model:counts:seed:version:)``
/// - ``init(json:source:schema:)``
///
/// ### Changing all rows
///
/// - ``seed``
/// - ``standardSeed``
/// - ``referenceDate``
/// - ``locales``
/// - ``hostile``
/// - ``standardHostility``
///
/// ### Changing entities
///
/// - ``entities``
/// - ``schema``
/// - ``with(_:)``
///
/// ### Dataset versions
///
/// - ``datasetVersion``
/// - ``newestVersion``
///
/// ### Writing
///
/// - ``json``
public struct FixtureDescription: Sendable, Hashable {
    /// The newest dataset version.
    ///
    /// A change to generated rows requires a new version, and Strata still generates the old versions.
    ///
    /// A description with a later version is rejected with the code `unknown`.
    public static let newestVersion = 1

    /// The default seed of a description.
    public static let standardSeed: UInt64 = 42

    /// The share of hostile values for the option `--hostile`.
    ///
    /// About a fifth of the texts, numbers and dates that are not unique is then hostile.
    public static let standardHostility = FixtureShare.percent(20)

    /// The dataset version, which determines how rows are generated.
    ///
    /// It is stored with the dataset, so that a later version of Strata generates the same rows.
    public var datasetVersion: Int
    /// The seed, on which every generated row depends.
    ///
    /// Every number is a valid seed. Rows of two seeds are independent of each other, except for fixed rows.
    public var seed: UInt64
    /// The default end of generated dates; it does not depend on the clock.
    ///
    /// A generator of dates without an explicit end generates dates before this instant.
    ///
    /// The default is 2025-01-01 in UTC. Fixed dates can be later.
    public var referenceDate: FixtureInstant
    /// The weights of the locales from which names are drawn, by locale code.
    ///
    /// The codes are two letters, such as `en` and `de`. Weights are from 0 to 1,000,000, and at least one must be
    /// above 0. A row's given name and family name have the same locale.
    public var locales: [String: Int]
    /// The share of hostile values: texts, numbers and dates that often cause errors in programs.
    ///
    /// The share applies to each value separately, not to whole rows. Hostile values satisfy the rules of the model.
    /// They replace texts, numbers and dates only, and no unique values.
    public var hostile: FixtureShare
    /// The rules for the rows of the generated entities, by entity name.
    ///
    /// Entities that are missing here are not generated; remove an entity to omit it. Names that are not in ``schema``
    /// are rejected when ``Fixtures`` are created.
    public var entities: [String: EntityFixtures]
    /// The entities and fields that the description can name.
    ///
    /// Their order determines the order of errors and of the JSON, and does not affect the rows.
    public let schema: [FixtureEntity]
    /// The locations of entities and attributes in the file from which the description was read.
    ///
    /// They are empty if the description was created in code.
    var places = DescriptionPlaces()

    /// Creates the default description of entities.
    ///
    /// All entities of the schema are described, with the defaults of their fields. No values are checked before
    /// ``Fixtures`` are created.
    ///
    /// - Parameters:
    ///   - seed: The seed of all rows.
    ///   - version: The dataset version. The default is 1 in every version of Strata.
    ///   - schema: The entities to generate.
    /// - Throws: ``FixtureError`` with the code `unknown` if the version does not exist.
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

    /// Returns the error for an unknown dataset version.
    package static func unknown(version: Int) -> FixtureError {
        FixtureError(
            .unknown,
            "dataset version \(version) does not exist; this program supports versions up to \(newestVersion)"
        )
    }

    /// The default weights of locales, which resemble the staff list of a European company.
    private static let standardLocales = [
        "en": 40, "de": 10, "fr": 10, "es": 10, "it": 5, "nl": 5, "pl": 5, "pt": 4, "sv": 3, "tr": 3, "cs": 2, "el": 1,
        "ja": 1, "zh": 1,
    ]
}

extension FixtureDescription {
    /// Returns a copy of the description with other row counts.
    ///
    /// The method does not check whether the counts are possible. It changes no generators and no other counts.
    ///
    /// - Parameter counts: The numbers of rows, by the names of entities in the description.
    /// - Returns: The description with these row counts.
    /// - Throws: ``FixtureError`` with the code `unknown` if a name is not that of an entity in the description.
    public func with(_ counts: [String: Int]) throws(FixtureError) -> FixtureDescription {
        var description = self
        for (name, count) in counts.sorted(by: { $0.key < $1.key }) {
            guard description.entities[name] != nil else {
                throw FixtureError(
                    .unknown, entity: name,
                    "the entity does not exist; the entities are "
                        + "\(description.entities.keys.sorted().joined(separator: ", "))")
            }
            description.entities[name]?.count = count
        }
        return description
    }
}
