public import StrataCore

/// An object or a row from which relationships can be traversed.
@usableFromInline
package protocol RelatedObject {
    /// The identifier of the object.
    var rawID: Int64 { get }

    /// Returns the identifier that the object references in a to-one relationship's column; `nil` if it is null.
    func reference(at column: Int) -> Int64?
}

extension StoredRow: RelatedObject {
    @inlinable package var rawID: Int64 { id }

    @inlinable
    package func reference(at column: Int) -> Int64? {
        if case .integer(let id) = values[column] { id } else { nil }
    }
}

/// The source of objects and join rows for a ``RelationshipNavigator``.
///
/// It reads from a transaction, a snapshot, or a context with its pending changes.
@usableFromInline
package protocol RelationshipReader {
    /// The type of the objects that the source returns.
    associatedtype Object: RelatedObject

    /// Returns the objects that a request selects, in the request's order.
    func objects(_ request: StoreRequest) throws -> [Object]

    /// Returns the objects of an entity with some identifiers, in unspecified order; missing objects are omitted.
    ///
    /// The identifiers must not contain duplicates.
    func objects(withIDs ids: [Int64], of entity: String) throws -> [Object]

    /// Returns the join rows that a request selects, in unspecified order, each with the requested end as its owner.
    func joins(_ request: JoinRequest) throws -> [JoinRow]
}
