import StrataCore

/// The identifiers of an entity's changed rows; `everything` if there are too many or they are unknown.
///
/// A cache discards the rows with these identifiers, or all rows of the entity. An incomplete set would leave outdated
/// rows in the cache.
public enum ChangedIdentifiers: Sendable, Hashable {
    /// Only the rows with these identifiers.
    case some(Set<Int64>)
    /// Any row of the entity.
    case everything

    /// The maximum count of listed identifiers: 10,000.
    public static let maximumCount = 10_000

    /// A set of no identifiers: no rows were changed.
    public static let none = ChangedIdentifiers.some([])

    /// Creates a set of identifiers, or `everything` if there are more than ``maximumCount``.
    ///
    /// - Parameter ids: The identifiers; duplicates are permitted, and count towards the maximum.
    public init(_ ids: some Collection<Int64>) {
        self = ids.count > Self.maximumCount ? .everything : .some(Set(ids))
    }

    /// A Boolean value that indicates whether no row was changed.
    public var isEmpty: Bool { self == .none }

    /// Returns a Boolean value that indicates whether the row with an identifier may have been changed.
    public func contains(_ id: Int64) -> Bool {
        switch self {
        case .some(let ids): ids.contains(id)
        case .everything: true
        }
    }

    /// Adds the identifier of a changed row, in O(1).
    public mutating func insert(_ id: Int64) {
        guard case .some(var ids) = self else { return }
        // The set must have no other owner during the change; otherwise each insertion would copy it.
        self = .everything
        ids.insert(id)
        if ids.count <= Self.maximumCount { self = .some(ids) }
    }

    /// Adds the identifiers of another set of changed rows.
    public mutating func formUnion(_ other: ChangedIdentifiers) {
        guard case .some(let ids) = self, case .some(let more) = other else {
            self = .everything
            return
        }
        self = ChangedIdentifiers(ids.union(more))
    }
}
