import StrataCore

extension ConfinedContext {
    /// Merges the changes that another context saved.
    ///
    /// Objects without changes of their own take the stored values. Objects with changes keep them on top of the stored
    /// values. Deleted objects are detached unless they have changes, which the next save then reports. A property that
    /// both sides changed remains a conflict for the merge policy of the next save.
    ///
    /// If ``ManagedObjectContext/automaticallyMergesChangesFromParent`` is true, this happens automatically.
    ///
    /// - Parameter changes: The changes that the save of the other context returned.
    /// - Throws: ``PersistenceError`` if the store cannot be read; nothing was merged then.
    public func mergeChanges(from changes: SavedChanges) throws {
        merge(MergeNotice(StoreChange(changes, origin: .context(name))))
        try merges.throwFailure()
    }

    /// Merges the changes that other contexts saved.
    ///
    /// If the store cannot be read now, the merge is retried with the next notice or the next work.
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

    /// Reads the rows of objects again; their own changes and deletions stay on top.
    ///
    /// A property that both sides changed remains a conflict. It is no conflict if the caller requested the refresh,
    /// because the caller has then seen the stored value.
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
