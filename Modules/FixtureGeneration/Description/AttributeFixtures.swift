/// The rules for generating the values of an attribute in a description.
///
/// The rules of to-one relationships have this type too.
///
/// ## Topics
///
/// ### Rules
///
/// - ``generator``
/// - ``nulls``
/// - ``isUnique``
public struct AttributeFixtures: Sendable, Hashable {
    /// The generator of the values.
    ///
    /// Another generator must match the type of the field; see ``FixtureGenerator``.
    public var generator: FixtureGenerator
    /// The share of rows in which the attribute's value is null.
    ///
    /// It must be ``FixtureShare/none`` for mandatory fields and for references.
    public var nulls: FixtureShare
    /// A Boolean value that indicates whether no two rows have the same value.
    ///
    /// It cannot be false for a field whose entity requires unique values.
    public var isUnique: Bool

    /// Creates the default rules for the values of a field.
    init(_ field: FixtureField) {
        generator = field.generator
        nulls = field.nulls
        isUnique = field.isUnique
    }
}
