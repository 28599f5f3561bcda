import StrataCore
import StrataStoreKit

extension ConfinedContext {
    /// Merges changes that another context saved into this context.
    ///
    /// Objects without unsaved changes receive the stored values. In objects with unsaved changes, unchanged properties
    /// receive the stored values. An object that the other context deleted is detached, unless it has unsaved changes,
    /// in which case the next save reports the conflict. If both contexts changed a property, the conflict remains for
    /// the merge policy of the next save.
    ///
    /// If ``ManagedObjectContext/automaticallyMergesChangesFromParent`` is `true`, the context performs such merges
    /// automatically.
    ///
    /// - Parameter changes: The changes that the save of the other context returned.
    /// - Throws: ``PersistenceError`` if the store cannot be read; in this case nothing is merged.
    public func mergeChanges(from changes: SavedChanges) throws {
        merge(MergeNotice(StoreChange(changes, origin: .context(name))))
        try merges.throwFailure()
    }

    /// Merges the changes that other contexts saved, with errors deferred.
    ///
    /// If the store cannot be read, the merge is retried with the next notice or in the next closure of this context.
    func merge(_ arrived: MergeNotice?) {
        guard let notice = merges.take(arrived) else { return }
        do {
            for identityMap in orderedIdentityMaps {
                switch notice.touched(identityMap.entity.name) {
                case .none: continue
                case .some(let ids): try refresh(ids.compactMap { identityMap.object($0) }, identityMap)
                case .everything: try refresh(identityMap.objects, identityMap)
                }
            }
            children.announce(notice, from: nil)
        } catch let error as PersistenceError where error.code == .closed {
            // A closed store has nothing to merge; the next use of the context reports that the store is closed.
        } catch is CancellationError {
            // The work that began with this merge was canceled; the next work merges.
            merges.keep(notice)
        } catch {
            merges.keep(notice, failure: error)
        }
    }

    /// Reads the rows of objects again; unsaved changes and deletions of the objects remain.
    ///
    /// If another save and this context both changed a property, the conflict remains. If `isExplicit` is `true`, there
    /// is no conflict, because the caller requested the stored values.
    func refresh(_ objects: [ManagedObject], _ identityMap: IdentityMap, isExplicit: Bool = false) throws {
        let known = objects.filter { $0.state != .inserted && $0.state != .detached }
        guard !known.isEmpty else { return }
        forgetRead(identityMap.entity.name, known.map(\.rawID))
        var missing = Dictionary(uniqueKeysWithValues: known.map { ($0.rawID, $0) })
        for row in try parentRows(of: identityMap.entity.name, known.map(\.rawID)) {
            guard let object = missing.removeValue(forKey: row.id),
                parent.context != nil || object.version != row.version
            else { continue }
            // If the values of both sides make no valid record, the object is unchanged, with its old version. Its save
            // is a conflict.
            do {
                switch (object.state, isExplicit) {
                case (.updated, false): try object.typed.absorb(row)
                case (.updated, true): try object.typed.rebase(onto: row, .keepChanges)
                default: try object.typed.rebase(onto: row, .dropChanges)
                }
            } catch { continue }
            if identityMap.traits.hasHooks { try awaken(object) }
        }
        for object in missing.values where !object.hasChanges {
            identityMap.move(object, to: .detached)
            identityMap.forget(object)
        }
    }
}
