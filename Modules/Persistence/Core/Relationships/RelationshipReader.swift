/// An object or a row whose relationships can be traversed.
@usableFromInline
package protocol RelatedObject {
    /// The identifier.
    var rawID: Int64 { get }

    /// Returns the identifier in the column of a to-one relationship; `nil` for null.
    func reference(at column: Int) -> Int64?
}

extension StoredRow: RelatedObject {
    @inlinable package var rawID: Int64 { id }

    @inlinable
    package func reference(at column: Int) -> Int64? {
        if case .integer(let id) = values[column] { id } else { nil }
    }
}

/// The source of rows and join rows for a ``RelationshipNavigator``.
///
/// It is a transaction, a snapshot, or a context with its pending changes.
@usableFromInline
package protocol RelationshipReader {
    /// The type of the rows.
    associatedtype Object: RelatedObject

    /// Returns the objects that a request selects, in its order.
    func objects(_ request: StoreRequest) throws -> [Object]

    /// Returns the objects of an entity with some identifiers, which must be unique.
    ///
    /// Missing objects are omitted.
    func objects(withIDs ids: [Int64], of entity: String) throws -> [Object]

    /// Returns the join rows that a request selects, each with the requested end as its owner, in any order.
    func joins(_ request: JoinRequest) throws -> [JoinRow]
}
