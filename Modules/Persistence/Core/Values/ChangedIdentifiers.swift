/// The identifiers of rows that were changed, or `everything` if they are too many or were not counted.
///
/// A cache of rows discards the listed rows, or all of them. A truncated set would leave outdated rows in the cache.
public enum ChangedIdentifiers: Sendable, Hashable {
    /// Only the rows with these identifiers.
    case some(Set<Int64>)
    /// Any row of the entity.
    case everything

    /// The maximum count of listed identifiers: 10,000.
    public static let maximumCount = 10_000

    /// An empty set of identifiers.
    public static let none = ChangedIdentifiers.some([])

    /// Creates a set of identifiers, or `everything` if there are more than ``maximumCount``.
    public init(_ ids: some Collection<Int64>) {
        self = ids.count > Self.maximumCount ? .everything : .some(Set(ids))
    }

    /// A Boolean value that indicates whether nothing was changed.
    public var isEmpty: Bool { self == .none }

    /// Returns a Boolean value that indicates whether a row may have been changed.
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
        // The set must have no other owner during the change; otherwise each insertion would copy it.
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
