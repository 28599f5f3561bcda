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
    /// How many pairs are made of many-to-many relationships, by name; as many as are usual of those that are not named.
    public var links: [String: Int] = [:]

    /// What an entity has unless a description says otherwise.
    init(_ entity: FixtureEntity) {
        count = entity.count
        attributes = Dictionary(
            entity.fields.map { ($0.name, AttributeFixtures($0)) }, uniquingKeysWith: { first, _ in first })
    }
}
