import StrataCore

/// Finds the ends of ordered relationships without a read of all objects.
///
/// Most objects are inserted at the end.
extension ConfinedContext {
    /// Notes the sort keys of a changed object, which may be the last object of a relationship now.
    func noteEnds(with object: ManagedObject, _ references: [OrderedReference]) {
        for reference in references {
            guard let owner = object.reference(at: reference.column),
                case .integer(let sortKey) = object.typed.value(at: reference.sortKey)
            else { continue }
            let key = OrderedEnds.Key(entity: object.entityName, column: reference.column, owner: owner)
            orderedEnds.note(sortKey, of: key)
        }
    }

    /// Returns a sort key after all objects of an owner's relationship; `nil` if there is no room for it.
    ///
    /// The method executes one statement for the first call in a piece of work and for each owner, and none for the
    /// others.
    func nextSortKey(
        _ reference: OrderedReference, of owner: Int64, without object: ManagedObject
    ) throws -> Int64? {
        let key = OrderedEnds.Key(entity: object.entityName, column: reference.column, owner: owner)
        let known: Int64?
        if let end = orderedEnds[key] {
            known = end
        } else {
            known = try greatestSortKey(reference, of: owner, without: object)
            orderedEnds.know(known, of: key)
        }
        guard let known else { return Self.stride }
        let (next, overflow) = known.addingReportingOverflow(Self.stride)
        return overflow ? nil : next
    }

    private func greatestSortKey(
        _ reference: OrderedReference, of owner: Int64, without object: ManagedObject
    ) throws -> Int64? {
        try prepareToRead()
        let entity = object.ownership.entity
        var request = StoreRequest(
            entity.name,
            where: .compare(.property(entity.columns[reference.column].name), .equal, .constant(.integer(owner))))
        let sortKey = entity.columns[reference.sortKey].name
        // This is the reverse order of an index over both columns, so that only the first row is read.
        request.sort = [.init(sortKey, descending: true), .init("id", descending: true)]
        request.limit = 1
        var greatest: Int64?
        func look(_ value: StoredValue) {
            if case .integer(let sortKey) = value { greatest = max(greatest ?? sortKey, sortKey) }
        }
        if let parent = parent.context {
            for other in try parent.fetchObjects(request) { look(other.typed.value(at: reference.sortKey)) }
        } else {
            // A row that is changed here may no longer be the last one; that leaves a harmless gap.
            try coordinator.fetch(request) { row in
                look(try row.value(at: reference.sortKey))
                return .next
            }
        }
        for other in try identityMap(entity.name).current
        where other !== object && other.reference(at: reference.column) == owner {
            look(other.typed.value(at: reference.sortKey))
        }
        return greatest
    }
}
