/// A person to whom employees report.
public struct Boss: BossRecord, Identifiable, Hashable, Sendable {
    /// The type of a boss's identifier.
    public typealias ID = Identifier<Boss>

    /// The identifier, which never changes.
    public let id: ID

    /// The given name.
    public var firstName: String

    /// The family name.
    public var lastName: String

    /// Creates a boss; every combination of values is valid.
    public init(id: ID, firstName: String, lastName: String) {
        self.id = id
        self.firstName = firstName
        self.lastName = lastName
    }
}
