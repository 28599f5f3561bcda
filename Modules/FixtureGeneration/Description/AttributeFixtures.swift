/// The rules for generating the values of an attribute.
public struct AttributeFixtures: Sendable, Hashable {
    /// The generator of the values.
    public var generator: FixtureGenerator
    /// The share of rows in which the attribute is null.
    public var nulls: FixtureShare
    /// A Boolean value that indicates whether all rows have different values.
    public var isUnique: Bool

    /// Creates the default rules of a field.
    init(_ field: FixtureField) {
        generator = field.generator
        nulls = field.nulls
        isUnique = field.isUnique
    }
}
