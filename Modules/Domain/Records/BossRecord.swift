/// What code that reads bosses depends on: the struct ``Boss`` conforms, and so does the managed object.
public protocol BossRecord {
    /// The identity, given once.
    var id: Boss.ID { get }

    /// The given name.
    var firstName: String { get }

    /// The family name.
    var lastName: String { get }
}

extension BossRecord {
    /// Given and family name, with a space between them where both are there.
    public var fullName: String { joinedName(firstName, lastName) }
}
