extension WorkingContext {
    /// How often a save starts again because somebody else was faster; each time one other save went through.
    private static let maximumAttempts = 100

    /// Writes all changes in one transaction.
    ///
    /// Delete rules are carried out, every object is validated, and the store takes everything or nothing. A save that fails leaves the
    /// context as it was, to be mended and saved again.
    ///
    /// - Returns: What was written; empty when there was nothing to write.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/validation`` and every failure,
    ///   ``PersistenceError/Code/conflict`` and every conflict under the policy ``MergePolicy/error``, or what the store throws.
    @discardableResult
    public func save() throws -> SavedChanges {
        try throwMergeFailure()
        try throwStrayWrites()
        do {
            return try saveAttempts()
        } catch let error as PersistenceError {
            throw error
        } catch {
            throw PersistenceError(.corrupt, "what the store has cannot be read: \(error)")
        }
    }

    private func saveAttempts() throws -> SavedChanges {
        var dangling: (error: PersistenceError, changes: SavedChanges)?
        for _ in 0..<Self.maximumAttempts {
            // Each time anew: meanwhile others may have pointed to what is deleted here.
            let changes = try collectChanges(try propagateDeletes())
            guard !changes.isEmpty else {
                commit()
                return SavedChanges()
            }
            let saved = SavedChanges(changes)
            if let dangling, saved == dangling.changes { throw dangling.error }
            do {
                let conflicts = try coordinator.save(changes)
                if conflicts.isEmpty {
                    commit()
                    coordinator.announce(saved, from: mailbox)
                    return saved
                }
                try resolve(conflicts)
            } catch let error as PersistenceError where error.code == .danglingReference && !saved.deleted.isEmpty {
                dangling = (error, saved)
            }
        }
        throw PersistenceError(
            .conflict,
            "other contexts changed the same objects \(Self.maximumAttempts) times in a row; save again later")
    }

    /// The changes as rows, judged by the model's rules.
    private func collectChanges(_ found: [ValidationFailure]) throws -> ChangeSet {
        var changes = ChangeSet()
        var failures = found
        for entity in model.entities {
            guard let register = registers[entity.name] else { continue }
            var entityChanges = ChangeSet.EntityChanges()
            for object in register.insertedInOrder {
                let values = validated(object, register, &failures)
                entityChanges.insertions.append(.init(id: object.rawID, values: values, version: object.version))
            }
            for object in register.updated.values.sorted(by: { $0.rawID < $1.rawID }) {
                let changed = object.changedColumns()
                guard !changed.isEmpty else { continue }
                let values = validated(object, register, &failures)
                for index in changed where entity.columns[index].isConstant {
                    failures.append(register.validator.failure(.constant, index, values[index], id: object.rawID))
                }
                entityChanges.updates.append(
                    .init(id: object.rawID, expectedVersion: object.version, values: values, changedColumns: changed))
            }
            for object in register.deleted.values.sorted(by: { $0.rawID < $1.rawID }) {
                entityChanges.deletions.append(.init(id: object.rawID, expectedVersion: object.version))
            }
            changes[entity.name] = entityChanges
        }
        guard failures.isEmpty else {
            var error = PersistenceError(
                .validation,
                failures.count == 1
                    ? "a rule of the model is broken:" : "\(failures.count) rules of the model are broken:")
            error.failures = failures
            throw error
        }
        return changes
    }

    private func validated(
        _ object: ManagedObject, _ register: EntityRegister, _ failures: inout [ValidationFailure]
    ) -> [StoredValue] {
        var (values, unstorable) = object.currentRow()
        failures += unstorable
        let refused = Set(unstorable.map(\.attribute))
        failures += register.validator.validate(&values, id: object.rawID).filter { !refused.contains($0.attribute) }
        return values
    }

    /// After a save: what was written is what the store has.
    private func commit() {
        for register in registers.values {
            for object in register.insertedInOrder {
                object.commit(version: object.version)
                settle(object, register)
            }
            for object in Array(register.updated.values) {
                object.commit(version: object.version + (object.changedColumns().isEmpty ? 0 : 1))
                settle(object, register)
            }
            for object in Array(register.deleted.values) {
                settle(object, register)
                if register.object(object.rawID) === object { register.forget(object) }
            }
        }
    }

    private func settle(_ object: ManagedObject, _ register: EntityRegister) {
        object.state.save()
        register.file(object)
    }

    // MARK: Conflicts

    private func resolve(_ conflicts: [StoreConflict]) throws {
        switch mergePolicy {
        case .error:
            var error = PersistenceError(
                .conflict,
                conflicts.count == 1
                    ? "an object was changed meanwhile:" : "\(conflicts.count) objects were changed meanwhile:")
            error.conflicts = conflicts.compactMap { describe($0) }
            throw error
        case .mergeByPropertyObjectTrump:
            for conflict in conflicts { try mergeWithObjectTrump(conflict) }
        }
    }

    private func describe(_ conflict: StoreConflict) -> MergeConflict? {
        guard let register = registers[conflict.entity],
            let object = register.updated[conflict.id] ?? register.deleted[conflict.id]
        else { return nil }
        return MergeConflict(
            entity: conflict.entity, id: conflict.id, attributes: register.entity.columns.map(\.name),
            base: object.committedValues() ?? [], mine: object.state == .deleted ? nil : object.currentRow().values,
            stored: conflict.stored?.values)
    }

    private func mergeWithObjectTrump(_ conflict: StoreConflict) throws {
        guard let register = registers[conflict.entity] else { return }
        if let object = register.deleted[conflict.id] {
            // Changed there, deleted here: it is deleted, whatever it has become; a rollback gives what it has become.
            if let stored = conflict.stored { try rebase(object, onto: stored, keepingChanges: false, conflict) }
        } else if let object = register.updated[conflict.id] {
            if let stored = conflict.stored {
                try rebase(object, onto: stored, keepingChanges: true, conflict)
            } else {
                // Deleted there, changed here: it is inserted again, whole.
                object.version = ChangeSet.freshVersion()
                object.state = .inserted
                register.file(object)
            }
        }
    }

    /// Takes a row as what the store has; where no record can be made of both sides' values, the conflict is for a person to resolve.
    private func rebase(
        _ object: ManagedObject, onto row: StoredRow, keepingChanges: Bool, _ conflict: StoreConflict
    ) throws {
        do {
            try object.rebase(onto: row, keepingChanges: keepingChanges)
        } catch {
            var failure = PersistenceError(.conflict, "an object was changed meanwhile, and cannot be merged: \(error)")
            failure.conflicts = [conflict].compactMap { describe($0) }
            throw failure
        }
    }
}
