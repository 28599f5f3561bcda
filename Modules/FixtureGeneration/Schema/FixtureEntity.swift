/// An entity for which fixtures are generated, with its name and its fields.
public struct FixtureEntity: Sendable, Hashable {
    /// The name, which affects the generated rows.
    public var name: String
    /// The fields, whose order does not affect the generated values.
    public var fields: [FixtureField]
    /// The default number of rows.
    public var count: Int

    /// The lists of fields whose combinations of values are unique; each list has at least two names.
    public var uniquenessConstraints: [[String]] = []
    /// The many-to-many relationships whose source is this entity.
    public var links: [FixtureLink] = []

    /// Creates an entity.
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
