/// Someone to whom employees report.
public struct Boss: BossRecord, Identifiable, Hashable, Sendable {
    /// What identifies a boss.
    public typealias ID = Identifier<Boss>

    /// The identity, given once.
    public let id: ID

    /// The given name.
    public var firstName: String

    /// The family name.
    public var lastName: String

    /// Makes a boss; every combination is valid, so nothing is thrown.
    public init(id: ID, firstName: String, lastName: String) {
        self.id = id
        self.firstName = firstName
        self.lastName = lastName
    }
}
