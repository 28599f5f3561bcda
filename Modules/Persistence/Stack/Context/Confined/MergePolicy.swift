import StrataCore

/// What a save does about objects that somebody else changed since they were read.
///
/// | | changed on both sides | changed here only | changed there only | deleted there, changed here | changed there, deleted here |
/// |---|---|---|---|---|---|
/// | ``error`` | throws | throws | throws | throws | throws |
/// | ``mergeByPropertyStoreTrump`` | theirs | mine | theirs | deleted | comes back |
/// | ``mergeByPropertyObjectTrump`` | mine | mine | theirs | inserted again | deleted |
/// | ``overwrite`` | mine | mine | mine, as it was read | inserted again | deleted |
/// | ``rollback`` | theirs | theirs | theirs | deleted | comes back |
///
/// A conflict is one object of the save whose version is not the one that was read; the first three columns are its properties. Objects that nobody
/// else changed are written as they are, whatever the policy. Between a context and its parent, and in one that merges what others save, a conflict is a
/// property that both sides changed: what only one side changed is merged under every policy.
///
/// A new object whose unique value another object has already: ``error`` throws, ``mergeByPropertyObjectTrump`` and ``overwrite`` write the new
/// object's values over the other one, ``mergeByPropertyStoreTrump`` and ``rollback`` discard the new object. Either way what pointed to the new object
/// points to the other one, in an ordered relationship behind what is there. Of two that have one partner in a one-to-one relationship, the policy says which
/// has it, also where somebody else gave the partner away since this context read; nothing is upserted, and where a partner is mandatory the save throws.
public enum MergePolicy: Sendable {
    /// The save throws ``PersistenceError/Code/conflict`` with the base, mine and store values of every such object, and writes nothing.
    case error
    /// Property by property: what was changed there wins, what was changed here only stays.
    case mergeByPropertyStoreTrump
    /// Property by property: what was changed here wins, what was changed there only is taken over.
    case mergeByPropertyObjectTrump
    /// The object as it is here replaces the row, properties that were never changed included.
    case overwrite
    /// The object becomes what the row is; other objects of the save are written.
    case rollback
    /// A person's own decision, conflict by conflict; two such policies are equal when their names are.
    case custom(String, @Sendable (MergeConflict) throws -> MergeResolution)
}

extension MergePolicy: Hashable {
    /// The case, and a custom policy's name.
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

    /// The same case, and for custom policies the same name.
    public static func == (lhs: MergePolicy, rhs: MergePolicy) -> Bool { lhs.name == rhs.name }

    /// Hashes the case, and a custom policy's name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// What a save does about others' changes, and whether that was asked for.
struct SavePolicy {
    var merging: MergePolicy
    /// Whether a new object may become an update of the one that has its unique value already.
    var upserts = true

    init(_ merging: MergePolicy, upserts: Bool = true) {
        self.merging = merging
        self.upserts = upserts
    }
}

/// What a custom policy decides about one conflict.
public enum MergeResolution: Sendable {
    /// The save fails with this conflict.
    case fail
    /// Theirs where both sides changed a property.
    case storeTrump
    /// Mine where both sides changed a property.
    case objectTrump
    /// Mine, whole.
    case overwrite
    /// Theirs, whole.
    case rollback
    /// The object has these values from now on, in the order of ``MergeConflict/attributes``.
    ///
    /// For objects that both sides changed, or that were deleted there; and for a new object whose unique value, or identifier, another one has:
    /// the other one gets the values, except what never changes once inserted. Values that make no record, or for an object that was deleted here,
    /// fail the save, and everything stays as it was.
    case values([StoredValue])

    /// The object is this record from now on, as with ``values(_:)``.
    ///
    /// - Throws: ``ValidationFailure`` when a value of the record cannot be stored.
    public static func record<Record: ManagedRecord>(_ record: Record) throws -> MergeResolution {
        .values(try record.recordEntity.row(of: record).values)
    }
}
