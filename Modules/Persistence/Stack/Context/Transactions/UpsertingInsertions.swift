import StrataCore

/// The insertions of a unit of work under a merge policy that merges a new record into an existing one.
///
/// If a new record has a unique value that exists already, it is merged when it is inserted, so that the unit of work
/// returns the record that will be stored. The save resolves values that another process inserts meanwhile, and values
/// of records that are changed after the insertion.
final class UpsertingInsertions {
    private let uniqueness: UniquenessResolver
    private let policy: MergePolicy
    private struct Key: Hashable {
        let entity: String
        let columns: [Int]
    }
    /// The identifiers of the remaining objects, by entity and by the identifiers of the new objects that were merged
    /// into them.
    private(set) var upserted: [String: [Int64: Int64]] = [:]
    /// The new and changed objects of the unit of work, by their unique values.
    private var pending: [Key: [UniqueValue: ManagedObject]] = [:]

    /// Creates the insertions of a unit of work.
    ///
    /// - Returns: The insertions, or `nil` if the policy rejects a new record whose unique value exists already.
    init?(_ uniqueness: UniquenessResolver, _ policy: MergePolicy?) {
        guard let policy, policy != .error else { return nil }
        (self.uniqueness, self.policy) = (uniqueness, policy)
    }

    /// Returns the object that will store the values of a new object: the new object itself, or an existing object.
    ///
    /// An existing object is returned if it has a unique value of the new object. As the policy specifies, it receives
    /// the new values or retains its old values.
    func stored<Record: ManagedRecord>(_ object: Managed<Record>) throws -> Managed<Record> {
        let entity = object.ownership.entity
        for key in entity.uniqueKeys {
            guard let value = key.value(of: object.typed.currentRow().values),
                let owner = try owner(of: key, value, entity, besides: object)
            else { continue }
            let collision = Collision(object: object, key: key, value: value, owner: owner)
            // The save removes a one-to-one counterpart from its previous holder.
            guard collision.reference == nil else { continue }
            let resolution = try policy.resolution(of: uniqueness.describe(collision))
            guard UniquenessResolver.canBeMet(collision, resolution) else { continue }
            if case .fail = resolution { continue }
            var restorations: [() -> Void] = []
            try uniqueness.apply(resolution, collision: collision, upserted: &upserted, restorations: &restorations)
            guard let id = upserted[entity.name]?[object.rawID],
                let kept = try uniqueness.reader.objects(withRawIDs: [id], of: entity.name).first as? Managed<Record>
            else { continue }
            return kept
        }
        note(object)
        return object
    }

    /// Records the unique values of a new or changed object.
    func note(_ object: ManagedObject) {
        let entity = object.ownership.entity
        for key in entity.uniqueKeys {
            guard let value = key.value(of: object.typed.currentRow().values) else { continue }
            pending[Key(entity: entity.name, columns: key.columns), default: [:]][value] = object
        }
    }

    /// Redirects references from merged objects to the remaining objects.
    func redirectReferences() throws {
        for (entity, places) in upserted { try uniqueness.redirect(entity, UniquenessResolver.final(places)) }
    }

    private func owner(
        of key: UniqueKey, _ value: UniqueValue, _ entity: EntityDescription, besides object: ManagedObject
    ) throws -> Collision.Owner? {
        if let other = pending[Key(entity: entity.name, columns: key.columns)]?[value], other !== object,
            other.state == .inserted || other.state == .updated, key.value(of: other.typed.currentRow().values) == value
        {
            return .object(other)
        }
        let row = try uniqueness.reader.parentRows(of: entity, where: key, [value]).first { $0.id != object.rawID }
        guard let row, let known = uniqueness.registry[entity.name]?.object(row.id) else {
            return row.map { .row($0) }
        }
        // The value is unused if its object was deleted in this context or has another value now.
        let isFree = known.state == .deleted || key.value(of: known.typed.currentRow().values) != value
        return isFree ? nil : .row(row)
    }
}
