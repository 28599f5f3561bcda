/// The identifiers of rows that were changed, or “everything” where there are too many to be named or nobody counted.
///
/// Whoever keeps something of the rows forgets what is named, or all of it: a set that silently ends would leave old rows behind.
public enum ChangedIdentifiers: Sendable, Hashable {
    /// These and no others.
    case some(Set<Int64>)
    /// Any of the entity's.
    case everything

    /// More identifiers than this are not named: 10,000.
    public static let maximumCount = 10_000

    /// None.
    public static let none = ChangedIdentifiers.some([])

    /// These, or everything where there are more than ``maximumCount``.
    public init(_ ids: some Collection<Int64>) {
        self = ids.count > Self.maximumCount ? .everything : .some(Set(ids))
    }

    /// Whether nothing was changed.
    public var isEmpty: Bool { self == .none }

    /// Whether a row may have been changed.
    public func contains(_ id: Int64) -> Bool {
        switch self {
        case .some(let ids): ids.contains(id)
        case .everything: true
        }
    }

    /// Adds a row.
    ///
    /// O(1).
    public mutating func insert(_ id: Int64) {
        guard case .some(var ids) = self else { return }
        // The set must have no other owner while it is changed, or each insertion would copy it.
        self = .everything
        ids.insert(id)
        if ids.count <= Self.maximumCount { self = .some(ids) }
    }

    /// Adds rows.
    public mutating func formUnion(_ other: ChangedIdentifiers) {
        guard case .some(let ids) = self, case .some(let more) = other else {
            self = .everything
            return
        }
        self = ChangedIdentifiers(ids.union(more))
    }
}
