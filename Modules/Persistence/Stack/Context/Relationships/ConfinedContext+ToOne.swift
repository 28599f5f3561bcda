import StrataCore

/// Reads and changes to-one relationships.
extension ConfinedContext {
    /// Returns the related object of an optional reference of a record; `nil` for null.
    ///
    /// ```swift
    /// let boss = try context.object(\.boss, of: employee, as: Boss.self)
    /// ```
    ///
    /// The method executes no statement if the context has the object, and one otherwise.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/objectNotFound`` if there is no object with
    ///   that identifier.
    public func object<Source: ManagedRecord, Destination: PersistentRecord>(
        _ path: KeyPath<Source, Destination.ID?>, of owner: Managed<Source>, as type: Destination.Type
    ) throws -> Managed<Destination>? {
        require(owner)
        try prepareToRead()
        return try owner.record[keyPath: path].map { try existingObject(with: $0, of: type) }
    }

    /// Returns the related object of a reference of a record.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/objectNotFound`` if there is no object with
    ///   that identifier.
    public func object<Source: ManagedRecord, Destination: PersistentRecord>(
        _ path: KeyPath<Source, Destination.ID>, of owner: Managed<Source>, as type: Destination.Type
    ) throws -> Managed<Destination> {
        require(owner)
        return try existingObject(with: owner.record[keyPath: path], of: type)
    }

    /// Returns the one-to-one counterpart whose row has the column of the relationship; `nil` if there is none.
    ///
    /// The method executes one statement, unless the object was prefetched.
    public func object<Source: PersistentRecord, Destination: PersistentRecord>(
        _ relationship: KeyPath<Source.Type, ToOne<Source, Destination>>, of owner: Managed<Source>
    ) throws -> Managed<Destination>? {
        try object(of: owner, through: Source.self[keyPath: relationship])
    }

    /// Returns the counterpart in a one-to-one relationship that is given as a value; `nil` if there is none.
    ///
    /// The method executes one statement, unless the object was prefetched.
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
        // Another save assigned a counterpart to the owner meanwhile. Until this save applies the merge policy, the
        // change here has priority.
        return (found.first { $0.tookCounterpart(at: column) } ?? found.first) as? Managed<Destination>
    }

    /// Sets the one-to-one counterpart whose row has the column of the relationship.
    ///
    /// Both objects lose their previous counterparts.
    ///
    /// - Throws: ``PersistenceError``, with code ``PersistenceError/Code/validation`` if a previous counterpart has a
    ///   mandatory reference.
    public func set<Source: PersistentRecord, Destination: PersistentRecord>(
        _ object: Managed<Destination>?, as relationship: KeyPath<Source.Type, ToOne<Source, Destination>>,
        of owner: Managed<Source>
    ) throws {
        try set(object, of: owner, through: Source.self[keyPath: relationship])
    }

    /// Sets the counterpart in a one-to-one relationship that is given as a value.
    ///
    /// Both objects lose their previous counterparts.
    ///
    /// - Throws: The same errors as the method with a key path.
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
