import StrataCore

/// To-one relationships.
extension ConfinedContext {
    /// The object to which an optional reference of a record leads; `nil` where it leads nowhere.
    ///
    /// ```swift
    /// let boss = try context.object(\.boss, of: employee, as: Boss.self)
    /// ```
    ///
    /// No statement when the context has the object; one otherwise.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/objectNotFound`` when there is no object with that identifier.
    public func object<Source: ManagedRecord, Destination: PersistentRecord>(
        _ path: KeyPath<Source, Destination.ID?>, of owner: Managed<Source>, as type: Destination.Type
    ) throws -> Managed<Destination>? {
        require(owner)
        try prepareToRead()
        return try owner.record[keyPath: path].map { try existingObject(with: $0, of: type) }
    }

    /// The object to which a reference of a record leads.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/objectNotFound`` when there is no object with that identifier.
    public func object<Source: ManagedRecord, Destination: PersistentRecord>(
        _ path: KeyPath<Source, Destination.ID>, of owner: Managed<Source>, as type: Destination.Type
    ) throws -> Managed<Destination> {
        require(owner)
        return try existingObject(with: owner.record[keyPath: path], of: type)
    }

    /// The partner in a one-to-one relationship whose column the other side has; `nil` when there is none.
    ///
    /// One statement, unless it was prefetched.
    public func object<Source: PersistentRecord, Destination: PersistentRecord>(
        _ relationship: KeyPath<Source.Type, ToOne<Source, Destination>>, of owner: Managed<Source>
    ) throws -> Managed<Destination>? {
        try object(of: owner, through: Source.self[keyPath: relationship])
    }

    /// The partner in a one-to-one relationship, given as a value; `nil` when there is none.
    ///
    /// One statement, unless it was prefetched.
    public func object<Source: ManagedRecord, Destination: ManagedRecord>(
        of owner: Managed<Source>, through relationship: ToOne<Source, Destination>
    ) throws -> Managed<Destination>? {
        require(owner)
        try prepareToRead()
        if let known = prefetched.objects(relationship.name, of: owner) { return known.first as? Managed<Destination> }
        let (description, _, place) = try self.relationship(relationship.description, of: owner)
        let found = try relatedObjects(of: [owner], description, place)[owner.rawID] ?? []
        guard found.count > 1, case .inverseColumn(let column) = place else {
            return found.first as? Managed<Destination>
        }
        // Somebody else gave the owner a partner meanwhile: until the save has asked the policy, what was changed here counts here.
        return (found.first { $0.tookPartner(at: column) } ?? found.first) as? Managed<Destination>
    }

    /// Makes an object the partner in a one-to-one relationship whose column the other side has: both leave the partners they had.
    ///
    /// - Throws: ``PersistenceError``, with code ``PersistenceError/Code/validation`` where an old partner cannot be without one.
    public func set<Source: PersistentRecord, Destination: PersistentRecord>(
        _ object: Managed<Destination>?, as relationship: KeyPath<Source.Type, ToOne<Source, Destination>>,
        of owner: Managed<Source>
    ) throws {
        try set(object, of: owner, through: Source.self[keyPath: relationship])
    }

    /// Makes an object the partner in a one-to-one relationship, given as a value: both leave the partners they had.
    ///
    /// - Throws: As the call with a key path.
    public func set<Source: ManagedRecord, Destination: ManagedRecord>(
        _ object: Managed<Destination>?, of owner: Managed<Source>, through relationship: ToOne<Source, Destination>
    ) throws {
        require(owner)
        if let object {
            require(object)
            try requirePresent([object, owner])
        }
        let old = try self.object(of: owner, through: relationship)
        if old === object { return }
        let (description, _, place) = try self.relationship(relationship.description, of: owner)
        if let object { try require(object, endOf: description, of: owner) }
        guard case .inverseColumn(let column) = place else { return }
        try old?.typed.write(.null, column: column)
        try object?.typed.write(.integer(owner.rawID), column: column)
    }
}
