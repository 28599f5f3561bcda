import StrataCore

/// A policy that determines the result of a save for objects that another save changed since this context read them.
///
/// | | both changed | changed here | changed there | deleted there, changed here | changed there, deleted here |
/// |---|---|---|---|---|---|
/// | ``error`` | throws | throws | throws | throws | throws |
/// | ``mergeByPropertyStoreTrump`` | theirs | mine | theirs | deleted | restored |
/// | ``mergeByPropertyObjectTrump`` | mine | mine | theirs | inserted again | deleted |
/// | ``overwrite`` | mine | mine | mine, as it was read | inserted again | deleted |
/// | ``rollback`` | theirs | theirs | theirs | deleted | restored |
///
/// "Here" is the saving context and "there" is the other save; "mine" are the values of the saving context and "theirs"
/// those of the store. An object of the save has a conflict if the version of its row differs from the version that was
/// read. For such an object, the first three columns of the table describe each property. Objects that no other save
/// changed are written under every policy. Between a context and its parent context, and in a context that merges the
/// saves of other contexts, only properties that both sides changed are in conflict. Properties that one side changed
/// are merged under every policy.
///
/// The policy also applies to a new object with a unique value that another object already has. ``error`` throws an
/// error. ``mergeByPropertyObjectTrump`` and ``overwrite`` write the values of the new object to the existing object.
/// ``mergeByPropertyStoreTrump`` and ``rollback`` discard the new object. In all four cases, references to the new
/// object become references to the existing object; in an ordered relationship they are appended.
///
/// If two objects have the same counterpart in a one-to-one relationship, the policy determines which object keeps it.
/// This includes a counterpart that another save assigned after this context read it. The two objects are never merged
/// into one. If the object that loses its counterpart has a mandatory relationship, the save throws an error.
public enum MergePolicy: Sendable {
    /// The save throws an error with code ``PersistenceError/Code/conflict`` and writes nothing.
    ///
    /// For every object in conflict, the error contains the values that were read, the values of this context, and the
    /// stored values.
    case error
    /// The stored values of properties that the other save changed; this context's values of all other changed
    /// properties.
    case mergeByPropertyStoreTrump
    /// This context's values of properties that it changed; the stored values of all other properties.
    case mergeByPropertyObjectTrump
    /// All values of this context's object, including properties that it never changed.
    case overwrite
    /// All stored values, which the object receives; the save writes only the objects without a conflict.
    case rollback
    /// The result of a closure for each conflict.
    ///
    /// Two custom policies are equal if their names are equal.
    case custom(String, @Sendable (MergeConflict) throws -> MergeResolution)
}

extension MergePolicy: Hashable {
    /// The name that identifies the case, or the name of a custom policy.
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

/// A merge policy, with the information whether the application set it explicitly.
struct SavePolicy {
    var merging: MergePolicy
    /// A Boolean value that indicates whether a new object may be merged into an existing object with the same unique
    /// value.
    var upserts = true

    init(_ merging: MergePolicy, upserts: Bool = true) {
        self.merging = merging
        self.upserts = upserts
    }
}

/// The resolution of one conflict by a custom policy.
public enum MergeResolution: Sendable {
    /// The save fails with an error that contains this conflict.
    case fail
    /// Uses the value of the store or the parent context for each property that both sides changed.
    case storeTrump
    /// Uses the value of the saved object for each property that both sides changed.
    case objectTrump
    /// Uses all values of the object in the saving context.
    case overwrite
    /// Uses all values of the object in the store or the parent context.
    case rollback
    /// Uses these values, in the order of ``MergeConflict/attributes``.
    ///
    /// This resolution is possible if both sides changed the object, or if the other save deleted it. It is also
    /// possible for a new object whose unique value or identifier another object has. The other object then receives
    /// the values, except values that never change after the insertion.
    ///
    /// If the values form no valid record, or if the saving context deleted the object, the save fails and nothing is
    /// changed.
    case values([StoredValue])

    /// Uses the values of a record, as ``values(_:)`` does.
    ///
    /// - Throws: ``ValidationFailure`` if a value of the record cannot be stored.
    public static func record<Record: ManagedRecord>(_ record: Record) throws -> MergeResolution {
        .values(try record.recordEntity.row(of: record).values)
    }
}
