import StrataCore

extension ConfinedContext {
    /// Takes over what another context saved: objects without changes of their own are as the store has them now, those with changes keep them on
    /// top, deleted ones are detached unless they have changes, which the next save then reports.
    ///
    /// A property that both changed stays a conflict for that save's merge policy.
    /// What ``ManagedObjectContext/automaticallyMergesChangesFromParent`` does by itself, done by hand.
    ///
    /// - Parameter changes: What the other context's save returned.
    /// - Throws: ``PersistenceError`` when the store cannot be read; nothing was taken over then.
    public func mergeChanges(from changes: SavedChanges) throws {
        merge(MergeNotice(StoreChange(changes, origin: .context(name))))
        try merges.throwFailure()
    }

    /// Takes over what other contexts saved.
    ///
    /// What the store cannot be asked about now is asked about again with the next notice, or the next work.
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
            // A store that was closed has nothing to merge; whoever uses the context next is told then.
        } catch is CancellationError {
            // The work that began with this merge was cancelled; the next one merges.
            merges.keep(notice)
        } catch {
            merges.keep(notice, failure: error)
        }
    }

    /// Reads objects' rows again; own changes and deletions stay on top.
    ///
    /// What others changed of a property that is changed here too stays a conflict, unless somebody asked for what the store has: whoever did has seen it.
    func refresh(_ objects: [ManagedObject], _ identityMap: IdentityMap, isAskedFor: Bool = false) throws {
        let known = objects.filter { $0.state != .inserted && $0.state != .detached }
        guard !known.isEmpty else { return }
        forgetRead(identityMap.entity.name, known.map(\.rawID))
        var missing = Dictionary(uniqueKeysWithValues: known.map { ($0.rawID, $0) })
        for row in try parentRows(of: identityMap.entity.name, known.map(\.rawID)) {
            guard let object = missing.removeValue(forKey: row.id),
                parent.context != nil || object.version != row.version
            else { continue }
            // Where no record can be made of both sides' values the object stays as it is, old version included: its save is a conflict.
            do {
                switch (object.state, isAskedFor) {
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
