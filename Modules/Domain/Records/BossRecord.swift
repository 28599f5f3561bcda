/// The properties of a boss, for code that accepts both the struct ``Boss`` and the managed object.
public protocol BossRecord {
    /// The identifier, which never changes.
    var id: Boss.ID { get }

    /// The given name.
    var firstName: String { get }

    /// The family name.
    var lastName: String { get }
}

extension BossRecord {
    /// The given name and family name, with a space between them if both exist.
    public var fullName: String { joinedName(firstName, lastName) }
}
