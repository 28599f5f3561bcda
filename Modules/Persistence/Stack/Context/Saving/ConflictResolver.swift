import StrataCore
import StrataStoreKit

/// The resolution of conflicts between a save and rows that another save changed.
///
/// It has no state of its own. It is confined to the context's queue.
struct ConflictResolver {
    private let reader: ObjectReader

    init(_ reader: ObjectReader) {
        self.reader = reader
    }

    private var registry: ObjectRegistry { reader.registry }
    private var pending: PendingChanges { reader.pending }

    /// Resolves conflicts as a policy specifies, so that the next attempt of the save can succeed.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/conflict`` and all conflicts that the policy
    ///   does not resolve; no object is then changed.
    func resolve(_ conflicts: [StoreConflict], _ policy: MergePolicy) throws {
        var decided: [(object: ManagedObject, stored: StoredRow?, resolution: MergeResolution)] = []
        var failed: [MergeConflict] = []
        var missing: [ManagedObject] = []
        for conflict in conflicts {
            guard let object = registry[conflict.entity]?.pendingObject(conflict.id) else { continue }
            if object.state == .deleted, conflict.stored == nil {
                missing.append(object)
                continue
            }
            let described = describe(object, conflict.stored)
            let resolution = try policy.resolution(of: described)
            if case .fail = resolution { failed.append(described) }
            decided.append((object, conflict.stored, resolution))
        }
        // No object is changed before all conflicts are decided: a save that fails leaves the objects unchanged.
        guard failed.isEmpty else { throw Self.conflictError(failed) }
        for object in missing { forgetMissing(object) }
        let restorations = decided.map { $0.object.typed.restoration() }
        for (object, stored, resolution) in decided {
            do {
                try apply(resolution, to: object, stored)
            } catch {
                for restore in restorations.reversed() { restore() }
                var failure = PersistenceError(
                    .conflict, "an object was changed meanwhile, and its record type rejects the merged values")
                failure.underlying = error.cause
                failure.conflicts = [describe(object, stored)]
                throw failure
            }
        }
    }

    private static func conflictError(_ conflicts: [MergeConflict]) -> PersistenceError {
        var error = PersistenceError(
            .conflict,
            conflicts.count == 1
                ? "an object was changed meanwhile:" : "\(conflicts.count) objects were changed meanwhile:")
        error.conflicts = conflicts
        return error
    }

    private func describe(_ object: ManagedObject, _ stored: StoredRow?) -> MergeConflict {
        MergeConflict(
            entity: object.entityName, id: object.rawID, attributes: object.ownership.entity.columns.map(\.name),
            base: object.typed.committedRow(), mine: object.state == .deleted ? nil : object.typed.currentRow().values,
            stored: stored?.values)
    }

    private func apply(_ resolution: MergeResolution, to object: ManagedObject, _ stored: StoredRow?) throws {
        guard let identityMap = object.ownership.identityMap else { return }
        switch (object.state, stored) {
        case (.deleted, let row?): try undelete(object, row: row, resolution: resolution, in: identityMap)
        case (_, let row?): try merge(object, row: row, resolution: resolution, in: identityMap)
        case (_, nil): try reinsert(object, resolution: resolution, in: identityMap)
        }
    }

    /// Resolves the conflict of an object that this context and another save both changed.
    private func merge(
        _ object: ManagedObject, row: StoredRow, resolution: MergeResolution, in identityMap: IdentityMap
    ) throws {
        switch resolution {
        case .fail: break
        case .storeTrump: try reader.rebase(object, onto: row, .keepUncontested)
        case .objectTrump: try reader.rebase(object, onto: row, .keepChanges)
        case .overwrite: try reader.rebase(object, onto: row, .keepEverything)
        case .rollback:
            try reader.rebase(object, onto: row, .dropChanges)
            identityMap.move(object, to: .unchanged)
        case .values(let values):
            try MergeResolution.checkCount(of: values, identityMap.entity)
            try reader.rebase(object, onto: row, .dropChanges)
            identityMap.move(object, to: .unchanged)
            try object.typed.write(values)
        }
    }

    /// Resolves the conflict of an object that this context deleted and another save changed.
    private func undelete(
        _ object: ManagedObject, row: StoredRow, resolution: MergeResolution, in identityMap: IdentityMap
    ) throws {
        try reader.rebase(object, onto: row, .dropChanges)
        switch resolution {
        case .fail, .objectTrump, .overwrite: break
        case .storeTrump, .rollback:
            identityMap.move(object, to: .unchanged)
            identityMap.register(object)
        case .values:
            throw ValueError(
                "the conflict of an object that this context deleted cannot be resolved with new attribute values")
        }
    }

    /// Removes an object from the context that this context and another save both deleted.
    ///
    /// This save must not report the deletion, because the other save made it.
    private func forgetMissing(_ object: ManagedObject) {
        guard let identityMap = object.ownership.identityMap else { return }
        identityMap.detach(object)
        // A new object may have the identifier already, with join rows of its own.
        if identityMap.object(object.rawID)?.state == .inserted { return }
        pending.forgetJoinRows(of: object.entityName, object.rawID)
    }

    /// Resolves the conflict of an object that this context changed and another save deleted.
    private func reinsert(_ object: ManagedObject, resolution: MergeResolution, in identityMap: IdentityMap) throws {
        switch resolution {
        case .fail: break
        case .storeTrump, .rollback: identityMap.detach(object)
        case .objectTrump, .overwrite: object.typed.becomeInsertion()
        case .values(let values):
            try MergeResolution.checkCount(of: values, identityMap.entity)
            try object.typed.write(values)
            object.typed.becomeInsertion()
        }
    }
}

extension MergePolicy {
    /// Returns the resolution of a conflict that the merge policy specifies.
    func resolution(of conflict: MergeConflict) throws -> MergeResolution {
        switch self {
        case .error: return .fail
        case .mergeByPropertyStoreTrump: return .storeTrump
        case .mergeByPropertyObjectTrump: return .objectTrump
        case .overwrite: return .overwrite
        case .rollback: return .rollback
        case .custom(_, let resolve):
            do { return try resolve(conflict) } catch { throw HookFailure(underlying: error) }
        }
    }
}

extension MergeResolution {
    /// Checks that a resolution has one value for each column of an entity.
    static func checkCount(of values: [StoredValue], _ entity: EntityDescription) throws {
        guard values.count == entity.columns.count else {
            throw ValueError(
                "the resolution has \(values.count) values, but \(entity.name) has \(entity.columns.count)")
        }
    }
}
