import StrataCore

/// The policy of a save for objects that another save changed since they were read.
///
/// | | both changed | changed here | changed there | deleted there, changed here | changed there, deleted here |
/// |---|---|---|---|---|---|
/// | ``error`` | throws | throws | throws | throws | throws |
/// | ``mergeByPropertyStoreTrump`` | theirs | mine | theirs | deleted | restored |
/// | ``mergeByPropertyObjectTrump`` | mine | mine | theirs | inserted again | deleted |
/// | ``overwrite`` | mine | mine | mine, as it was read | inserted again | deleted |
/// | ``rollback`` | theirs | theirs | theirs | deleted | restored |
///
/// A conflict is an object of the save whose version differs from the version that was read. The first three columns of
/// the table describe its properties. Objects that no other save changed are written under every policy. Between a
/// context and its parent, and in a context that merges the saves of others, a conflict is a property that both sides
/// changed. Properties that only one side changed are merged under every policy.
///
/// The policy also applies to a new object whose unique value another object has already. ``error`` throws.
/// ``mergeByPropertyObjectTrump`` and ``overwrite`` write the values of the new object over the other one.
/// ``mergeByPropertyStoreTrump`` and ``rollback`` discard the new object. In both cases, references to the new object
/// become references to the other one; in an ordered relationship they are appended.
///
/// If two objects have the same counterpart in a one-to-one relationship, the policy determines which one keeps it.
/// This includes a counterpart that another save assigned since this context read it. There is no upsert in that case.
/// If the relationship is mandatory, the save throws.
public enum MergePolicy: Sendable {
    /// The save throws ``PersistenceError/Code/conflict`` and writes nothing.
    ///
    /// The error has the base, mine, and store values of every such object.
    case error
    /// Merges by property: changes there win, and properties changed only here keep their values.
    case mergeByPropertyStoreTrump
    /// Merges by property: changes here win, and properties changed only there take the stored values.
    case mergeByPropertyObjectTrump
    /// The object here replaces the row, including properties that were never changed.
    case overwrite
    /// The object takes the values of the row; the save writes the other objects.
    case rollback
    /// A decision by the application for each conflict.
    ///
    /// Two such policies are equal if their names are equal.
    case custom(String, @Sendable (MergeConflict) throws -> MergeResolution)
}

extension MergePolicy: Hashable {
    /// The name of the case, with the name of a custom policy.
    private var name: String {
        switch self {
        case .error: "error"
        case .mergeByPropertyStoreTrump: "mergeByPropertyStoreTrump"
        case .mergeByPropertyObjectTrump: "mergeByPropertyObjectTrump"
        case .overwrite: "overwrite"
        case .rollback: "rollback"
        case .custom(let name, _): "custom \(name)"
        }
    }

    /// Returns a Boolean value that indicates whether two policies are equal.
    ///
    /// Custom policies are equal if their names are equal.
    public static func == (lhs: MergePolicy, rhs: MergePolicy) -> Bool { lhs.name == rhs.name }

    /// Hashes the case and the name of a custom policy.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// A merge policy, with the information whether it was set explicitly.
struct SavePolicy {
    var merging: MergePolicy
    /// A Boolean value that indicates whether a new object may become an update of the object with its unique value.
    var upserts = true

    init(_ merging: MergePolicy, upserts: Bool = true) {
        self.merging = merging
        self.upserts = upserts
    }
}

/// The decision of a custom policy about one conflict.
public enum MergeResolution: Sendable {
    /// The save fails with this conflict.
    case fail
    /// For properties that both sides changed, uses the value in the store or the parent context.
    case storeTrump
    /// For properties that both sides changed, uses the value of the object that is saved.
    case objectTrump
    /// Uses all values of the object that is saved.
    case overwrite
    /// Uses all values in the store or the parent context.
    case rollback
    /// Sets these values, in the order of ``MergeConflict/attributes``.
    ///
    /// This resolution is for objects that both sides changed or that were deleted there. It is also for a new object
    /// whose unique value or identifier another object has. The other object then receives the values, except values
    /// that never change after the insertion.
    ///
    /// The save fails, and everything is unchanged, if the values make no valid record, or if the object was deleted
    /// here.
    case values([StoredValue])

    /// Sets the values of a record, as ``values(_:)`` does.
    ///
    /// - Throws: ``ValidationFailure`` if a value of the record cannot be stored.
    public static func record<Record: ManagedRecord>(_ record: Record) throws -> MergeResolution {
        .values(try record.recordEntity.row(of: record).values)
    }
}
