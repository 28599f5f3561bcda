extension WorkingContext {
    /// Deletes an object with the next save.
    ///
    /// Deleting twice is harmless; an object that was never saved is simply forgotten.
    public func delete(_ object: ManagedObject) {
        require(object)
        guard let register = registers[object.entityName] else { return }
        object.state.delete()
        register.file(object)
        if object.state == .detached { register.forget(object) }
    }

    /// Deletes the object with an identifier with the next save, wherever the identifier comes from.
    ///
    /// - Returns: Whether there was one.
    @discardableResult
    public func delete<Record: PersistentRecord>(_ id: Record.ID, of type: Record.Type = Record.self) throws -> Bool {
        guard let object = try findObject(with: id, of: type) else { return false }
        delete(object)
        return true
    }

    /// Deletes the object that a record describes with the next save, wherever the record comes from.
    ///
    /// - Returns: Whether there was one.
    @discardableResult
    public func delete<Record: PersistentRecord>(_ record: Record) throws -> Bool {
        try delete(record.id, of: Record.self)
    }

    /// Carries out the delete rules: first down the cascades, each object once, then the references of what stays.
    ///
    /// - Returns: Objects whose deletion is denied, and those whose reference cannot be taken away.
    func propagateDeletes() throws -> [ValidationFailure] {
        var denials: [(owner: ManagedObject, relationship: RelationshipDescription, dependents: [ManagedObject])] = []
        var orphans: [(objects: [ManagedObject], column: Int)] = []
        var visited: Set<ObjectIdentifier> = []
        var waiting = registers.values.flatMap { $0.deleted.values }.sorted { $0.rawID < $1.rawID }
        while let object = waiting.popLast() {
            guard visited.insert(ObjectIdentifier(object)).inserted else { continue }
            for relationship in try model.entity(named: object.entityName).relationships
            where relationship.cardinality == .toMany {
                guard relationship.deleteRule != .noAction,
                    let (dependents, column) = try dependents(of: object, relationship)
                else { continue }
                switch relationship.deleteRule {
                case .cascade:
                    for dependent in dependents where dependent.state != .deleted { delete(dependent) }
                    waiting += dependents
                case .nullify: orphans.append((dependents, column))
                case .deny: denials.append((object, relationship, dependents))
                case .noAction: break
                }
            }
        }
        let failures = try orphans.flatMap { try clear($0.column, of: $0.objects) }
        return failures
            + denials.compactMap { owner, relationship, dependents in
                let remaining = dependents.filter { $0.state != .deleted && $0.state != .detached }
                guard !remaining.isEmpty else { return nil }
                return ValidationFailure(
                    entity: owner.entityName, id: owner.rawID, attribute: relationship.name,
                    value: .integer(Int64(remaining.count)), rule: .deniedDeletion)
            }
    }

    /// Takes references away.
    ///
    /// - Returns: Objects that cannot be written because of another value that was not saved yet.
    private func clear(_ column: Int, of objects: [ManagedObject]) throws -> [ValidationFailure] {
        try objects.filter { $0.state != .deleted && $0.state != .detached }.compactMap { object in
            var (values, failures) = object.currentRow()
            // A value that cannot be stored is found by the validation that follows.
            guard failures.isEmpty else { return nil }
            let reference = values[column]
            values[column] = .null
            do {
                try object.write(values)
                return nil
            } catch {
                return try register(object.entityName).validator.failure(
                    .format("\(error)"), column, reference, id: object.rawID)
            }
        }
    }

    /// The objects that point to one, as they are with the pending changes, and the column by which they do.
    private func dependents(
        of object: ManagedObject, _ relationship: RelationshipDescription
    ) throws -> (objects: [ManagedObject], column: Int)? {
        guard let inverse = relationship.inverse else { return nil }
        let register = try register(relationship.destination)
        guard let column = register.entity.columnIndex(inverse) else { return nil }
        let id = StoredValue.integer(object.rawID)
        let stored = try readObjects(
            of: relationship.destination, where: .compare(.property(inverse), .equal, .constant(id)))
        var seen = Set(stored.map(\.rawID))
        let moved = (register.insertedInOrder + Array(register.updated.values)).filter {
            seen.insert($0.rawID).inserted
        }
        return ((stored + moved).filter { $0.state != .detached && $0.currentRow().values[column] == id }, column)
    }
}
