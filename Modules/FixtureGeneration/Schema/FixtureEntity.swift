/// An entity for which fixtures are made: its name and its fields, in any order.
public struct FixtureEntity: Sendable, Hashable {
    /// The name, which the rows depend on.
    public var name: String
    /// The fields; the order has no say in what is made.
    public var fields: [FixtureField]
    /// How many rows a description has unless it says otherwise.
    public var count: Int

    /// Fields whose values, taken together, no two rows have; each list has two names or more.
    public var uniquenessConstraints: [[String]] = []
    /// Many-to-many relationships of which this entity is the source.
    public var links: [FixtureLink] = []

    /// An entity.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - fields: The fields.
    ///   - count: How many rows a description has unless it says otherwise.
    public init(_ name: String, _ fields: [FixtureField], count: Int = 100) {
        self.name = name
        self.fields = fields
        self.count = count
    }

    /// The field of a name; `nil` where there is none.
    public func field(_ name: String) -> FixtureField? { fields.first { $0.name == name } }
}
