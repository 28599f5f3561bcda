/// The number of rows to generate for an entity, and the rules for generating them.
public struct EntityFixtures: Sendable, Hashable {
    /// The allowed numbers of rows of an entity.
    ///
    /// The maximum exceeds any practical number, and every row still has a valid identifier.
    public static let counts = 0...1_000_000_000

    /// The number of rows to generate, within ``counts``.
    public var count: Int
    /// The rules for generating the values of each attribute, by the attribute's name.
    public var attributes: [String: AttributeFixtures]
    /// The explicit values of the first rows, by attribute name; an attribute without an explicit value is generated.
    public var fixed: [[String: FixtureValue]] = []
    /// The numbers of join rows of many-to-many relationships, by relationship name; other relationships have a default
    /// number.
    public var links: [String: Int] = [:]

    /// Creates the default rules for the rows of an entity.
    init(_ entity: FixtureEntity) {
        count = entity.count
        attributes = Dictionary(
            entity.fields.map { ($0.name, AttributeFixtures($0)) }, uniquingKeysWith: { first, _ in first })
    }
}
