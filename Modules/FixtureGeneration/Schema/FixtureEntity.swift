/// An entity for which fixtures are generated, with its name and its fields.
///
/// Create entities for your own record types, or obtain those of a model from ``all(of:)``. An entity contains
/// defaults; a ``FixtureDescription`` can change the row count and the generators of its fields, but not the fields
/// themselves.
///
/// Names of fields must be different, and `id` is not allowed, because the identifier is the number of the row. These
/// rules are checked when ``Fixtures`` are created, not by the initializer.
///
/// ## Topics
///
/// ### Creating entities
///
/// - ``init(_:_:count:)``
/// - ``all(of:)``
///
/// ### Rows and fields
///
/// - ``name``
/// - ``count``
/// - ``fields``
/// - ``field(_:)``
///
/// ### Constraints and relationships
///
/// - ``uniquenessConstraints``
/// - ``links``
public struct FixtureEntity: Sendable, Hashable {
    /// The name, which affects the generated rows.
    ///
    /// Entities with equal fields and different names have different rows.
    public var name: String
    /// The fields, whose order does not affect the generated values.
    ///
    /// To-one relationships are fields too. Added fields do not change the values of the other fields, except of fields
    /// that are unique together.
    public var fields: [FixtureField]
    /// The default number of rows.
    ///
    /// A description starts with this count, from 0 to 1,000,000,000.
    public var count: Int

    /// The lists of fields whose combinations of values are unique; each list has at least two names.
    ///
    /// A field that is unique itself makes all combinations unique. Otherwise those fields of a list whose values are
    /// equally likely must have at least as many combinations as there are rows. Fixed rows cannot contain values of
    /// these fields.
    public var uniquenessConstraints: [[String]] = []
    /// The many-to-many relationships whose source is this entity.
    ///
    /// A relationship is listed in one of its two entities only.
    public var links: [FixtureLink] = []

    /// Creates an entity.
    ///
    /// The initializer cannot fail. Errors are reported when ``Fixtures`` are created.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - fields: The fields.
    ///   - count: The default number of rows.
    public init(_ name: String, _ fields: [FixtureField], count: Int = 100) {
        self.name = name
        self.fields = fields
        self.count = count
    }

    /// Returns the field with a name, or `nil` if there is none.
    public func field(_ name: String) -> FixtureField? { fields.first { $0.name == name } }
}
