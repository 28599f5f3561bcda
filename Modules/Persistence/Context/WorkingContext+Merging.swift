extension WorkingContext {
    /// Takes over what other contexts saved: objects without changes of their own are as the store has them now, those with changes keep them on
    /// top, deleted ones are detached unless they have changes, which the next save then reports.
    func merge(_ notice: MergeNotice) {
        do {
            for (entity, register) in registers {
                switch notice.touched(entity) {
                case .nothing: continue
                case .some(let ids): try refresh(ids.compactMap { register.object($0) }, register)
                case .everything: try refresh(register.objects, register)
                }
            }
        } catch let error as PersistenceError {
            // A store that was closed has nothing to merge; whoever uses the context next is told then.
            mergeFailure = error.code == .closed ? nil : error
        } catch {
            mergeFailure = PersistenceError(.corrupt, "what another context saved cannot be read: \(error)")
        }
    }

    private func refresh(_ objects: [ManagedObject], _ register: EntityRegister) throws {
        let known = objects.filter { $0.state == .unchanged || $0.state == .updated }
        guard !known.isEmpty else { return }
        var missing = Dictionary(uniqueKeysWithValues: known.map { ($0.rawID, $0) })
        let ids = known.map(\.rawID).sorted()
        for start in stride(from: 0, to: ids.count, by: 1000) {
            let part = ids[start..<min(start + 1000, ids.count)].map(StoredValue.integer)
            let request = StoreRequest(register.entity.name, where: .isIn(.property("id"), part))
            try coordinator.fetch(request) { row in
                guard let object = missing.removeValue(forKey: row.rawID), object.version != row.version else {
                    return .next
                }
                try object.rebase(onto: try row.stored(register.entity), keepingChanges: object.state == .updated)
                return .next
            }
        }
        for object in missing.values where !object.hasChanges {
            object.state = .detached
            register.file(object)
            register.forget(object)
        }
    }
}
