/// The rules for generating the values of an attribute in a description.
public struct AttributeFixtures: Sendable, Hashable {
    /// The generator of the values.
    public var generator: FixtureGenerator
    /// The share of rows in which the attribute's value is null.
    public var nulls: FixtureShare
    /// A Boolean value that indicates whether no two rows have the same value.
    public var isUnique: Bool

    /// Creates the default rules for the values of a field.
    init(_ field: FixtureField) {
        generator = field.generator
        nulls = field.nulls
        isUnique = field.isUnique
    }
}
