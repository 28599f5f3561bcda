import StrataCore
import StrataStoreKit

/// The application of a child context's save to its parent context: the changes become unsaved changes of the parent.
///
/// It has no state of its own. It is confined to the queue of the parent context, which is also that of the child.
struct ChildSaveReceiver {
    /// The child contexts of the parent context, which are notified of its saves and merges.
    let children: SaveSubscribers
    private let propagator: ChangePropagator
    private let identifiers: IdentifierBlocks

    init(_ propagator: ChangePropagator, identifiers: IdentifierBlocks, children: SaveSubscribers) {
        self.propagator = propagator
        self.identifiers = identifiers
        self.children = children
    }

    private var registry: ObjectRegistry { propagator.registry }
    private var pending: PendingChanges { propagator.pending }
    private var reader: ObjectReader { propagator.reader }
    private var editor: RelationshipEditor { RelationshipEditor(propagator) }
    fileprivate var inserter: ObjectInserter { ObjectInserter(propagator, identifiers: identifiers) }
    fileprivate var fetcher: Fetcher { Fetcher(propagator) }

    /// Applies either all changes of a child context's save to this context, or none.
    ///
    /// If an object of the save has values in this context that differ from those that the child read, no change is
    /// applied.
    ///
    /// - Returns: The objects in conflict: the child changed them, and this context meanwhile changed or deleted them.
    func take(_ changes: ChangeSet, from child: ObjectRegistry) throws -> [StoreConflict] {
        // A pending delete rule of this context may delete an object whose identifier a new object of the child has.
        if changes.entities.contains(where: { !$1.insertions.isEmpty && pending.mayDelete($0, in: registry.model) }) {
            try propagator.processPendingChanges()
        }
        var conflicts: [StoreConflict] = []
        // The objects are retained from the check to the push. An unreferenced object would be read again, and could be
        // newer than the checked one.
        var checked: [ManagedObject] = []
        for entity in registry.model.entities {
            guard let identityMap = child[entity.name], let changes = changes.entities[entity.name] else {
                continue
            }
            let touched = changes.updates.map(\.id) + changes.deletions.map(\.id)
            let mine = try reader.objects(withRawIDs: touched, of: entity.name)
            checked += mine
            conflicts += try self.conflicts(with: changes, identityMap, mine)
        }
        guard conflicts.isEmpty else { return conflicts }
        return try withExtendedLifetime(checked) {
            try propagator.settling { try push(changes, from: child, onto: checked) }
            return []
        }
    }

    private func push(_ changes: ChangeSet, from child: ObjectRegistry, onto checked: [ManagedObject]) throws {
        // The updates come first, because they may fail: the values of both sides together may make no valid record.
        let restorations = checked.map { $0.typed.restoration() }
        for identityMap in child.ordered {
            for object in identityMap.updated {
                let changed = object.changedColumns()
                if changed.isEmpty { continue }
                do {
                    try push(object, changedColumns: changed)
                } catch {
                    for restore in restorations.reversed() { restore() }
                    throw cannotMerge(object, error)
                }
            }
        }
        for identityMap in child.ordered {
            for object in identityMap.deletedInOrder { try push(object, changedColumns: []) }
        }
        for identityMap in child.ordered {
            for object in identityMap.inserted { try push(object, changedColumns: []) }
        }
        for (name, joinChanges) in changes.joins {
            let join = try registry.model.join(named: name)
            for pair in joinChanges.removed { editor.removePair(pair, from: join) }
            for row in joinChanges.added { editor.addPair(row, to: join) }
        }
    }

    /// Applies the child's change of one object to this context.
    private func push(_ object: ManagedObject, changedColumns: [Int]) throws {
        var push = ChangePush(receiver: self, changedColumns: changedColumns)
        try object.typed.accept(&push)
    }

    private func cannotMerge(_ object: ManagedObject, _ error: any Error) -> PersistenceError {
        var failure = PersistenceError(
            .conflict,
            "an object was changed in “\(registry.name)” meanwhile, and its record type rejects the merged values")
        failure.underlying = error.cause
        failure.conflicts = [
            MergeConflict(
                entity: object.entityName, id: object.rawID, attributes: object.ownership.entity.columns.map(\.name),
                base: object.typed.committedRow(), mine: object.typed.currentRow().values,
                stored: registry[object.entityName]?.object(object.rawID)?.typed.currentRow().values)
        ]
        return failure
    }

    private func conflicts(
        with changes: ChangeSet.EntityChanges, _ child: IdentityMap, _ objects: [ManagedObject]
    ) throws -> [StoreConflict] {
        let entity = child.entity.name
        var found: [StoreConflict] = []
        let mine = Dictionary(uniqueKeysWithValues: objects.map { ($0.rawID, $0) })
        for update in changes.updates {
            guard let object = mine[update.id] else {
                found.append(StoreConflict(entity: entity, id: update.id, stored: nil))
                continue
            }
            let base = child.pendingObject(update.id)?.typed.committedRow() ?? update.values
            let current = object.typed.currentRow().values
            // The same value on both sides is a conflict too: if two contexts each count up from 5, the result 6 is
            // wrong.
            let isContested = update.changedColumns.contains { current[$0] != base[$0] }
            if isContested { found.append(object.asConflict(current)) }
        }
        for deletion in changes.deletions {
            guard let object = mine[deletion.id] else {
                found.append(StoreConflict(entity: entity, id: deletion.id, stored: nil))
                continue
            }
            guard let base = child.pendingObject(deletion.id)?.typed.committedRow() else { continue }
            let current = object.typed.currentRow().values
            if current != base { found.append(object.asConflict(current)) }
        }
        let deleted = Set(changes.deletions.map(\.id))
        for id in changes.insertions.map(\.id) {
            if let object = try registry.identityMap(entity).object(id), object.state != .deleted,
                object.state != .detached,
                !deleted.contains(id)
            {
                throw PersistenceError.taken(child.entity, id)
            }
        }
        return found
    }
}

extension ManagedObject {
    /// Returns the object as a row that is in conflict with a child's save.
    fileprivate func asConflict(_ values: [StoredValue]) -> StoreConflict {
        StoreConflict(
            entity: entityName, id: rawID, stored: StoredRow(id: rawID, version: version, values: values))
    }
}

/// A visitor that applies an object's changes to the object with the same identifier in a parent context.
private struct ChangePush: ObjectVisitor {
    let receiver: ChildSaveReceiver
    let changedColumns: [Int]

    func visit<Record: ManagedRecord>(_ object: Managed<Record>) throws {
        switch object.state {
        case .inserted: try receiver.inserter.insert(object.record, version: object.version, isNew: false)
        case .deleted: _ = try receiver.fetcher.delete(object.id, from: object.recordEntity)
        case .updated:
            try update(try receiver.fetcher.existingObject(with: object.id, in: object.recordEntity), from: object)
        case .unchanged, .detached: break
        }
    }

    private func update<Record: ManagedRecord>(_ theirs: Managed<Record>, from mine: Managed<Record>) throws {
        let (current, changed) = (theirs.typed.currentRow().values, mine.typed.currentRow().values)
        let others = current.indices.filter { !changedColumns.contains($0) }
        guard others.contains(where: { current[$0] != changed[$0] }) else {
            // Take the record itself, with its contents that are not stored.
            theirs.take(mine.record)
            return
        }
        var merged = current
        for index in changedColumns { merged[index] = changed[index] }
        try theirs.typed.write(merged)
    }
}
