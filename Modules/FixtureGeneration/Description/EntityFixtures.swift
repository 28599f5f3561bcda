/// The number of rows to generate for an entity, and the rules for generating them.
///
/// The values are obtained from ``FixtureDescription/entities``, which contains the defaults of each entity. They are
/// validated when ``Fixtures`` are created.
///
/// ## Topics
///
/// ### Counts
///
/// - ``count``
/// - ``counts``
/// - ``links``
///
/// ### Values
///
/// - ``attributes``
/// - ``fixed``
public struct EntityFixtures: Sendable, Hashable {
    /// The allowed numbers of rows of an entity.
    ///
    /// The maximum exceeds any practical number, and every row still has a valid identifier.
    public static let counts = 0...1_000_000_000

    /// The number of rows to generate, within ``counts``.
    ///
    /// The fixed rows are included.
    public var count: Int
    /// The rules for generating the values of each attribute, by the attribute's name.
    ///
    /// A field that is missing here has its defaults.
    public var attributes: [String: AttributeFixtures]
    /// The explicit values of the first rows, by attribute name; an attribute without an explicit value is generated.
    ///
    /// Element 0 is row 0, with identifier 1. If a generated row has the same unique value as a fixed row, both rows
    /// exchange their values. A fixed row can reference any row of the target entity.
    public var fixed: [[String: FixtureValue]] = []
    /// The numbers of join rows of many-to-many relationships, by relationship name; other relationships have a default
    /// number.
    ///
    /// The default number is two join rows per source, or the nearest number that the bounds of the relationship allow.
    /// A symmetric relationship has one per row by default.
    public var links: [String: Int] = [:]

    /// Creates the default rules for the rows of an entity.
    init(_ entity: FixtureEntity) {
        count = entity.count
        attributes = Dictionary(
            entity.fields.map { ($0.name, AttributeFixtures($0)) }, uniquingKeysWith: { first, _ in first })
    }
}
