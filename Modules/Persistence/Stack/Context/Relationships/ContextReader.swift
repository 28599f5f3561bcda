package import StrataCore
public import StrataStoreKit

/// A reader of the objects and join rows of a context, including its unsaved changes.
struct ContextReader: RelationshipReader {
    let context: ConfinedContext
    /// A Boolean value that indicates whether the reader returns the join rows that deleted objects had.
    ///
    /// If it is `false`, the reader returns no join rows of deleted objects.
    var keepsPairsOfDeleted = false

    func objects(_ request: StoreRequest) throws -> [ManagedObject] { try context.fetchObjects(request) }

    func objects(withIDs ids: [Int64], of entity: String) throws -> [ManagedObject] {
        try context.objects(withRawIDs: ids, of: entity)
    }

    func joins(_ request: JoinRequest) throws -> [JoinRow] {
        try context.joins(request, ofDeleted: keepsPairsOfDeleted)
    }
}

extension ManagedObject: RelatedObject {
    @usableFromInline
    package final func reference(at column: Int) -> Int64? {
        if case .integer(let id) = typed.value(at: column) { id } else { nil }
    }
}
