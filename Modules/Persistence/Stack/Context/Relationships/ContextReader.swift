import StrataCore

/// A reader of a context's objects and join rows, with its pending changes.
struct ContextReader: RelationshipReader {
    let context: ConfinedContext
    /// A Boolean value that indicates whether deleted objects retain the join rows that they had.
    ///
    /// If it is `false`, deleted objects have no join rows.
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
