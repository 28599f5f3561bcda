import StrataCore

/// What a save does when two objects have one identifier or one unique value, or the same values in what is unique together.
extension ConfinedContext {
    /// One value that two objects have.
    struct Collision {
        /// The object that came later.
        var object: ManagedObject
        /// What is unique; `nil` for the identifier.
        var key: UniqueKey?
        /// What both have in it.
        var value: UniqueValue?
        /// Who has the value: an object of this context that came earlier, or a row of the store.
        var owner: Owner

        enum Owner {
            case object(ManagedObject)
            case row(StoredRow)
        }

        /// Whether what an earlier collision did to the object took it out of this one too: keys over several columns may share some.
        var isSettled: Bool {
            guard let key, key.columns.count > 1 else { return false }
            return key.value(of: object.typed.currentRow().values) != value
        }

        /// The column of a one-to-one relationship, if it is one.
        var reference: (column: Int, description: ColumnDescription)? {
            guard let key, key.columns.count == 1, let column = key.columns.first else { return nil }
            let described = object.ownership.entity.columns[column]
            return described.destination == nil ? nil : (column, described)
        }

        /// The partner that the object had as it was read, by the column of the relationship.
        func partnerBefore(_ column: Int) -> StoredValue {
            let value = object.typed.value(at: column)
            guard object.state == .updated, let before = object.typed.committedValue(at: column), before != value else {
                return .null
            }
            return before
        }
    }

    /// Resolves what the store refused, by the policy.
    ///
    /// - Returns: The new objects that are no more, and which object has their place, by entity.
    /// - Throws: The store's error with all conflicts, where the policy does not resolve them or nothing is found that explains it.
    func resolveUniqueness(_ error: PersistenceError, _ policy: SavePolicy) throws -> [String: [Int64: Int64]] {
        let collisions = try orderedIdentityMaps.flatMap { try self.collisions(in: $0) }
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
        // Held until the end: each would be a statement of its own otherwise.
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

    /// Whether a resolution is possible without destroying a row: a changed object cannot replace another, and who must have a partner
    /// cannot give it up.
    static func canBeMet(_ collision: Collision, _ resolution: MergeResolution) -> Bool {
        if let reference = collision.reference { return reference.description.isOptional }
        return collision.object.state != .updated || !resolution.prefersMine
    }

    /// Runs `body`; where it throws, everything is as it was before.
    ///
    /// - Parameter body: Receives what puts the changed objects back, and adds what puts back others that it changes.
    /// - Returns: What `body` gives.
    /// - Throws: What `body` throws.
    private func restoringWhereItFails<Result>(
        _ body: (_ restorations: inout [() -> Void]) throws -> Result
    ) throws -> Result {
        let joins = pendingJoins
        var restorations = orderedIdentityMaps.flatMap(\.current).map { $0.typed.restoration() }
        let known = restorations.count
        do {
            return try body(&restorations)
        } catch {
            // What was added later knows the objects as they were later.
            for restore in restorations.dropFirst(known).reversed() + restorations.prefix(known) { restore() }
            pendingJoins = joins
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
        let rows = try parentRows(of: identityMap.entity.name, inserted.map(\.rawID))
        let byID = Dictionary(uniqueKeysWithValues: rows.map { ($0.id, $0) })
        return inserted.compactMap { object in
            byID[object.rawID].map { Collision(object: object, key: nil, owner: .row($0)) }
        }
    }

    private func valueCollisions(in identityMap: IdentityMap, _ key: UniqueKey) throws -> [Collision] {
        // Rows of the store keep their values unless this save changes them; what changed here comes first, then what is new.
        let changed = identityMap.updated.filter { $0.changedColumns().contains(where: key.columns.contains) }
        let candidates = (changed + identityMap.inserted).compactMap { object in
            key.value(of: object.typed.currentRow().values).map { (object, $0) }
        }
        guard !candidates.isEmpty else { return [] }
        let rows = try parentRows(of: identityMap.entity, where: key, candidates.map(\.1))
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
        // What an earlier collision took out of the save takes nothing any more.
        guard let identityMap = object.ownership.identityMap, object.state == .inserted || object.state == .updated,
            !collision.isSettled
        else { return }
        if let column = collision.reference?.column {
            try takePartner(collision, column, resolution: resolution, in: identityMap, restorations: &restorations)
            return
        }
        if object.state == .updated {
            try takeBack(collision, resolution: resolution, in: identityMap)
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
        discard(object, identityMap)
        if let values { try overwrite(owner, with: values, identityMap.entity) }
        upserted[identityMap.entity.name, default: [:]][object.rawID] = owner.rawID
    }

    /// Two have one partner: it goes to one of them, and neither object replaces the other.
    private func takePartner(
        _ collision: Collision, _ column: Int, resolution: MergeResolution, in identityMap: IdentityMap,
        restorations: inout [() -> Void]
    ) throws {
        guard resolution.prefersMine else {
            try collision.object.typed.write(collision.partnerBefore(column), column: column)
            return
        }
        let owner = try ownerObject(collision, identityMap)
        restorations.append(owner.typed.restoration())
        // It may have been read before it got the partner.
        if case .row(let row) = collision.owner, owner.state == .unchanged {
            try rebase(owner, onto: row, .dropChanges)
        }
        try owner.typed.write(.null, column: column)
        if case .values = resolution, let values = try resolution.values(mine: [], identityMap.entity) {
            try collision.object.typed.write(values)
        }
    }

    /// The objects of the rows that new objects collide with: one statement an entity.
    private func owners(of collisions: [Collision]) throws -> [ManagedObject] {
        var ids: [String: Set<Int64>] = [:]
        for collision in collisions where collision.object.state == .inserted {
            guard case .row(let row) = collision.owner, row.id != collision.object.rawID else { continue }
            ids[collision.object.entityName, default: []].insert(row.id)
        }
        return try ids.flatMap { try objects(withRawIDs: $0.value.sorted(), of: $0.key) }
    }

    private func ownerObject(_ collision: Collision, _ identityMap: IdentityMap) throws -> ManagedObject {
        switch collision.owner {
        case .object(let object): return object
        case .row(let row):
            guard let object = try objects(withRawIDs: [row.id], of: identityMap.entity.name).first else {
                throw PersistenceError(
                    .conflict,
                    "object \(row.id) was deleted while another object's values were written to it; save again",
                    entity: identityMap.entity.name)
            }
            return object
        }
    }

    /// Gives an object another's values, except those that never change once inserted.
    private func overwrite(_ owner: ManagedObject, with values: [StoredValue], _ entity: EntityDescription) throws {
        var values = values
        let kept = owner.state == .inserted ? nil : owner.typed.committedRow()
        for index in entity.columns.indices where entity.columns[index].isImmutable {
            if let kept { values[index] = kept[index] }
        }
        if values != owner.typed.currentRow().values { try owner.typed.write(values) }
    }

    /// A changed object whose new value another has: it gets its old value back, or those that are unique together, or all of them.
    private func takeBack(
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

extension MergeResolution {
    /// Whether what is here wins over what is there.
    fileprivate var prefersMine: Bool {
        switch self {
        case .objectTrump, .overwrite, .values: true
        case .fail, .storeTrump, .rollback: false
        }
    }

    /// The values that the owner of a unique value gets from the object that has it too; `nil` for none.
    fileprivate func values(mine: [StoredValue], _ entity: EntityDescription) throws -> [StoredValue]? {
        switch self {
        case .objectTrump, .overwrite: return mine
        case .values(let values):
            try ConfinedContext.checkCount(of: values, entity)
            return values
        case .fail, .storeTrump, .rollback: return nil
        }
    }
}
