import StrataCore
import StrataStoreKit

/// The resolution of collisions between two objects with the same identifier or the same values of a unique key.
///
/// It has no state of its own. It is confined to the context's queue.
struct UniquenessResolver {
    let propagator: ChangePropagator

    init(_ propagator: ChangePropagator) {
        self.propagator = propagator
    }

    var reader: ObjectReader { propagator.reader }
    var registry: ObjectRegistry { propagator.registry }
    var pending: PendingChanges { propagator.pending }
    var editor: RelationshipEditor { RelationshipEditor(propagator) }

    /// Resolves the collisions for which the store rejected a save, as the policy specifies.
    ///
    /// - Returns: The identifiers of the remaining objects, by entity and by the identifiers of the new objects that
    ///   were merged into them.
    /// - Throws: The store's error with all conflicts, if the policy does not resolve them or if no collision explains
    ///   the error.
    func resolve(_ error: PersistenceError, _ policy: SavePolicy) throws -> [String: [Int64: Int64]] {
        let collisions = try registry.ordered.flatMap { try self.collisions(in: $0) }
        guard !collisions.isEmpty else { throw error }
        var decided: [(Collision, MergeResolution)] = []
        var failed: [MergeConflict] = []
        for collision in collisions {
            let conflict = describe(collision)
            var resolution = try policy.merging.resolution(of: conflict)
            if !policy.upserts, collision.reference == nil { resolution = .fail }
            if !Self.canBeMet(collision, resolution) { resolution = .fail }
            if case .fail = resolution { failed.append(conflict) }
            decided.append((collision, resolution))
        }
        guard failed.isEmpty else {
            var described = error
            described.conflicts = failed
            throw described
        }
        // Retained until the method returns; otherwise each owner would need a separate statement.
        let owners = try owners(of: decided.map(\.0))
        defer { withExtendedLifetime(owners) {} }
        return try restoringWhereItFails { restorations in
            var upserted: [String: [Int64: Int64]] = [:]
            for (collision, resolution) in decided {
                do {
                    try apply(resolution, collision: collision, upserted: &upserted, restorations: &restorations)
                } catch let refusal where !(refusal.cause is PersistenceError) {
                    var described = error
                    described.message += "; the record type rejects the values that the merge policy made"
                    described.underlying = refusal.cause
                    described.conflicts = [describe(collision)]
                    throw described
                }
            }
            upserted = upserted.mapValues(Self.final)
            for (entity, places) in upserted { try redirect(entity, places) }
            return upserted
        }
    }

    /// Returns a Boolean value that indicates whether a resolution is possible without losing a row.
    ///
    /// A changed object cannot be merged into another object. An object with a mandatory counterpart cannot lose the
    /// counterpart.
    static func canBeMet(_ collision: Collision, _ resolution: MergeResolution) -> Bool {
        if let reference = collision.reference { return reference.description.isOptional }
        return collision.object.state != .updated || !resolution.prefersMine
    }

    /// Runs `body`, and restores the changed objects if it throws an error.
    ///
    /// - Parameter body: A closure that changes objects. Its argument contains closures that restore changed objects;
    ///   `body` appends a closure for each other object that it changes.
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`.
    private func restoringWhereItFails<Result>(
        _ body: (_ restorations: inout [() -> Void]) throws -> Result
    ) throws -> Result {
        let joins = pending.joins
        var restorations = registry.ordered.flatMap(\.current).map { $0.typed.restoration() }
        let known = restorations.count
        do {
            return try body(&restorations)
        } catch {
            // The closures that were added later restore a later state, so that they run first.
            for restore in restorations.dropFirst(known).reversed() + restorations.prefix(known) { restore() }
            pending.restoreJoins(joins)
            throw error
        }
    }

    func describe(_ collision: Collision) -> MergeConflict {
        let object = collision.object
        let entity = object.ownership.entity
        let (owner, values): (Int64, [StoredValue]) =
            switch collision.owner {
            case .object(let other): (other.rawID, other.typed.currentRow().values)
            case .row(let row): (row.id, row.values)
            }
        return MergeConflict(
            entity: entity.name, id: object.rawID, attributes: entity.columns.map(\.name),
            base: object.typed.committedRow(),
            mine: object.typed.currentRow().values, stored: values,
            constraint: collision.key?.name(in: entity) ?? "id", owner: owner)
    }

    // MARK: Finding

    private func collisions(in identityMap: IdentityMap) throws -> [Collision] {
        guard identityMap.hasPending else { return [] }
        var found = try identifierCollisions(in: identityMap)
        for key in identityMap.entity.uniqueKeys { found += try valueCollisions(in: identityMap, key) }
        return found
    }

    private func identifierCollisions(in identityMap: IdentityMap) throws -> [Collision] {
        let inserted = identityMap.inserted.filter { identityMap.deleted[$0.rawID] == nil }
        guard !inserted.isEmpty else { return [] }
        let rows = try reader.parentRows(of: identityMap.entity.name, inserted.map(\.rawID))
        let byID = Dictionary(uniqueKeysWithValues: rows.map { ($0.id, $0) })
        return inserted.compactMap { object in
            byID[object.rawID].map { Collision(object: object, key: nil, owner: .row($0)) }
        }
    }

    private func valueCollisions(in identityMap: IdentityMap, _ key: UniqueKey) throws -> [Collision] {
        // Stored rows keep their values unless this save changes them. Changed objects come next, then new ones.
        let changed = identityMap.updated.filter { $0.changedColumns().contains(where: key.columns.contains) }
        let candidates = (changed + identityMap.inserted).compactMap { object in
            key.value(of: object.typed.currentRow().values).map { (object, $0) }
        }
        guard !candidates.isEmpty else { return [] }
        let rows = try reader.parentRows(of: identityMap.entity, where: key, candidates.map(\.1))
        let released = Set(changed.map(\.rawID)).union(identityMap.deleted.keys)
        var owners: [UniqueValue: Collision.Owner] = [:]
        for row in rows where !released.contains(row.id) {
            if let value = key.value(of: row.values) { owners[value] = .row(row) }
        }
        var found: [Collision] = []
        for (object, value) in candidates {
            if case .row(let row) = owners[value], row.id == object.rawID { continue }
            if let owner = owners[value] {
                found.append(Collision(object: object, key: key, value: value, owner: owner))
            } else {
                owners[value] = .object(object)
            }
        }
        return found
    }

    // MARK: Resolving

    func apply(
        _ resolution: MergeResolution, collision: Collision, upserted: inout [String: [Int64: Int64]],
        restorations: inout [() -> Void]
    ) throws {
        let object = collision.object
        // An object that an earlier collision removed from the save takes no value any more.
        guard let identityMap = object.ownership.identityMap, object.state == .inserted || object.state == .updated,
            !collision.isSettled
        else { return }
        if let column = collision.reference?.column {
            try takeCounterpart(collision, column, resolution: resolution, in: identityMap, restorations: &restorations)
            return
        }
        if object.state == .updated {
            try revert(collision, resolution: resolution, in: identityMap)
            return
        }
        if case .row(let row) = collision.owner, row.id == object.rawID {
            let values = try resolution.values(mine: object.typed.currentRow().values, identityMap.entity)
            try object.typed.becomeUpdate(of: row)
            if let values {
                try overwrite(object, with: values, identityMap.entity)
            } else {
                object.typed.revert()
                identityMap.move(object, to: .unchanged)
            }
            return
        }
        let owner = try ownerObject(collision, identityMap)
        if owner.state == .detached { return }
        restorations.append(owner.typed.restoration())
        let values = try resolution.values(mine: object.typed.currentRow().values, identityMap.entity)
        identityMap.detach(object)
        if let values { try overwrite(owner, with: values, identityMap.entity) }
        upserted[identityMap.entity.name, default: [:]][object.rawID] = owner.rawID
    }

    /// Assigns the counterpart that two objects have to one of them; the objects are not merged.
    private func takeCounterpart(
        _ collision: Collision, _ column: Int, resolution: MergeResolution, in identityMap: IdentityMap,
        restorations: inout [() -> Void]
    ) throws {
        guard resolution.prefersMine else {
            try collision.object.typed.write(collision.counterpartBefore(column), column: column)
            return
        }
        let owner = try ownerObject(collision, identityMap)
        restorations.append(owner.typed.restoration())
        // The owner may have been read before it took the counterpart.
        if case .row(let row) = collision.owner, owner.state == .unchanged {
            try reader.rebase(owner, onto: row, .dropChanges)
        }
        try owner.typed.write(.null, column: column)
        if case .values = resolution, let values = try resolution.values(mine: [], identityMap.entity) {
            try collision.object.typed.write(values)
        }
    }

    /// Returns the objects of the rows with which new objects collide, executing one statement for each entity.
    private func owners(of collisions: [Collision]) throws -> [ManagedObject] {
        var ids: [String: Set<Int64>] = [:]
        for collision in collisions where collision.object.state == .inserted {
            guard case .row(let row) = collision.owner, row.id != collision.object.rawID else { continue }
            ids[collision.object.entityName, default: []].insert(row.id)
        }
        return try ids.flatMap { try reader.objects(withRawIDs: $0.value.sorted(), of: $0.key) }
    }

    private func ownerObject(_ collision: Collision, _ identityMap: IdentityMap) throws -> ManagedObject {
        switch collision.owner {
        case .object(let object): return object
        case .row(let row):
            guard let object = try reader.objects(withRawIDs: [row.id], of: identityMap.entity.name).first else {
                throw PersistenceError(
                    .conflict,
                    "object \(row.id) was deleted while another object's values were written to it; save again",
                    entity: identityMap.entity.name)
            }
            return object
        }
    }

    /// Writes the given values to an object, except values that never change after the insertion.
    private func overwrite(_ owner: ManagedObject, with values: [StoredValue], _ entity: EntityDescription) throws {
        var values = values
        let kept = owner.state == .inserted ? nil : owner.typed.committedRow()
        for index in entity.columns.indices where entity.columns[index].isImmutable {
            if let kept { values[index] = kept[index] }
        }
        if values != owner.typed.currentRow().values { try owner.typed.write(values) }
    }

    /// Restores the old value of a changed object if another object has the new value.
    ///
    /// For a key over several columns, the method restores all values of the key. For the resolution
    /// ``MergeResolution/rollback``, it restores all values of the object.
    private func revert(
        _ collision: Collision, resolution: MergeResolution, in identityMap: IdentityMap
    ) throws {
        let object = collision.object
        switch resolution {
        case .rollback:
            object.typed.revert()
            identityMap.move(object, to: .unchanged)
        default:
            var values = object.typed.currentRow().values
            if let base = object.typed.committedRow() {
                for column in collision.key?.columns ?? [] { values[column] = base[column] }
            }
            try object.typed.write(values)
        }
    }
}

/// A collision of two objects that have the same identifier or the same unique value.
struct Collision {
    /// The object that was changed or inserted later.
    var object: ManagedObject
    /// The unique key, or `nil` if the identifiers collide.
    var key: UniqueKey?
    /// The value of the unique key in both objects, or `nil` if the identifiers collide.
    var value: UniqueValue?
    /// The other object with the value: an earlier object of this context, or a row of the store.
    var owner: Owner

    enum Owner {
        case object(ManagedObject)
        case row(StoredRow)
    }

    /// A Boolean value that indicates whether the resolution of an earlier collision also resolved this one.
    ///
    /// This is possible because unique keys over several columns may share columns.
    var isSettled: Bool {
        guard let key, key.columns.count > 1 else { return false }
        return key.value(of: object.typed.currentRow().values) != value
    }

    /// The column of a one-to-one relationship that is the unique key, or `nil` if the key is of another kind.
    var reference: (column: Int, description: ColumnDescription)? {
        guard let key, key.columns.count == 1, let column = key.columns.first else { return nil }
        let described = object.ownership.entity.columns[column]
        return described.destination == nil ? nil : (column, described)
    }

    /// Returns the identifier of the object's one-to-one counterpart before the unsaved change, or null.
    func counterpartBefore(_ column: Int) -> StoredValue {
        let value = object.typed.value(at: column)
        guard object.state == .updated, let before = object.typed.committedValue(at: column), before != value else {
            return .null
        }
        return before
    }
}

extension MergeResolution {
    /// A Boolean value that indicates whether the resolution prefers the colliding object to the owner of the value.
    fileprivate var prefersMine: Bool {
        switch self {
        case .objectTrump, .overwrite, .values: true
        case .fail, .storeTrump, .rollback: false
        }
    }

    /// Returns the values that the colliding object passes to the owner of the unique value, or `nil` if it passes
    /// none.
    fileprivate func values(mine: [StoredValue], _ entity: EntityDescription) throws -> [StoredValue]? {
        switch self {
        case .objectTrump, .overwrite: return mine
        case .values(let values):
            try Self.checkCount(of: values, entity)
            return values
        case .fail, .storeTrump, .rollback: return nil
        }
    }
}
