/// An object, or a row, as somebody has it who follows relationships.
@usableFromInline
package protocol RelatedObject {
    /// The identifier.
    var rawID: Int64 { get }

    /// The identifier that a to-one relationship's column holds; `nil` for null.
    func reference(at column: Int) -> Int64?
}

extension StoredRow: RelatedObject {
    @inlinable package var rawID: Int64 { id }

    @inlinable
    package func reference(at column: Int) -> Int64? {
        if case .integer(let id) = values[column] { id } else { nil }
    }
}

/// Rows and pairs for a ``RelationshipNavigator``: those of a transaction or a snapshot, or a context's with its pending changes.
@usableFromInline
package protocol RelationshipReader {
    /// What rows are here.
    associatedtype Object: RelatedObject

    /// What a request selects, in its order.
    func objects(_ request: StoreRequest) throws -> [Object]

    /// The objects of an entity with some identifiers, each named once; those that are not there are left out.
    func objects(withIDs ids: [Int64], of entity: String) throws -> [Object]

    /// The pairs a request selects, each with the end that is asked for as its owner, in any order.
    func joins(_ request: JoinRequest) throws -> [JoinRow]
}
