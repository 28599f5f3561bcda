import StrataCore
import StrataStoreKit

/// The determination of the greatest sort keys of ordered relationships, without reading all related objects.
///
/// They are needed because most objects are appended to a relationship.
extension ConfinedContext {
    /// Records the sort keys of a changed object, which may now be the last object of a relationship.
    func noteEnds(with object: ManagedObject, _ references: [OrderedReference]) {
        for reference in references {
            guard let owner = object.reference(at: reference.column),
                case .integer(let sortKey) = object.typed.value(at: reference.sortKey)
            else { continue }
            let key = OrderedEnds.Key(entity: object.entityName, column: reference.column, owner: owner)
            orderedEnds.note(sortKey, of: key)
        }
    }

    /// Returns a sort key after all objects of an owner's ordered relationship, or `nil` if there is no greater key.
    ///
    /// The method executes one statement when a closure of the context calls it for an owner for the first time, and
    /// none later.
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
            // A row that this context changed may no longer be the last one; that leaves a harmless gap.
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
