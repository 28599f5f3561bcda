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
