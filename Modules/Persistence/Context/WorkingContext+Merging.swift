extension WorkingContext {
    /// Takes over what other contexts saved: objects without changes of their own are as the store has them now, those with changes keep them on
    /// top, deleted ones are detached unless they have changes, which the next save then reports.
    ///
    /// What the store cannot be asked about now is asked about again with the next notice, or the next work.
    func merge(_ arrived: MergeNotice?) {
        var notice = unmerged ?? MergeNotice()
        if let arrived { notice.add(arrived) }
        guard unmerged != nil || arrived != nil else { return }
        (unmerged, mergeFailure) = (nil, nil)
        do {
            for (entity, register) in registers {
                switch notice.touched(entity) {
                case .nothing: continue
                case .some(let ids): try refresh(ids.compactMap { register.object($0) }, register)
                case .everything: try refresh(register.objects, register)
                }
            }
        } catch let error as PersistenceError where error.code == .closed {
            // A store that was closed has nothing to merge; whoever uses the context next is told then.
        } catch {
            unmerged = notice
            mergeFailure =
                error as? PersistenceError
                ?? PersistenceError(.corrupt, "what another context saved cannot be read: \(error)")
        }
    }

    private func refresh(_ objects: [ManagedObject], _ register: EntityRegister) throws {
        let known = objects.filter { $0.state == .unchanged || $0.state == .updated }
        guard !known.isEmpty else { return }
        var missing = Dictionary(uniqueKeysWithValues: known.map { ($0.rawID, $0) })
        let ids = known.map { StoredValue.integer($0.rawID) }.sorted()
        try coordinator.fetch(StoreRequest(register.entity.name, where: .isIn(.property("id"), ids))) { row in
            guard let object = missing.removeValue(forKey: row.rawID), object.version != row.version else {
                return .next
            }
            let stored = try row.stored(register.entity)
            // Where no record can be made of both sides' values the object stays as it is, old version included: its save is a conflict.
            try? object.rebase(onto: stored, keepingChanges: object.state == .updated)
            return .next
        }
        for object in missing.values where !object.hasChanges {
            object.state = .detached
            register.file(object)
            register.forget(object)
        }
    }
}
