/// The number of an entity's rows to generate, and the rules for generating them.
public struct EntityFixtures: Sendable, Hashable {
    /// The allowed numbers of rows; the maximum exceeds any practical value, and all identifiers remain in range.
    public static let counts = 0...1_000_000_000

    /// The number of rows, within ``counts``.
    public var count: Int
    /// The rules for generating each attribute, by name.
    public var attributes: [String: AttributeFixtures]
    /// The values of the first rows, by attribute; attributes without a value are generated.
    public var fixed: [[String: FixtureValue]] = []
    /// The numbers of join rows of many-to-many relationships, by name; unnamed relationships have a default number.
    public var links: [String: Int] = [:]

    /// Creates the default rules of an entity.
    init(_ entity: FixtureEntity) {
        count = entity.count
        attributes = Dictionary(
            entity.fields.map { ($0.name, AttributeFixtures($0)) }, uniquingKeysWith: { first, _ in first })
    }
}
