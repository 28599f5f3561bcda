import StrataCore

/// The reads and changes of to-one relationships.
extension ConfinedContext {
    /// Returns the related object of an optional reference, or `nil` if the reference is null.
    ///
    /// ```swift
    /// let boss = try context.object(\.boss, of: employee, as: Boss.self)
    /// ```
    ///
    /// If the context has the object, the method executes no statement; otherwise it executes one.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/objectNotFound`` if no object has the
    ///   identifier.
    public func object<Source: ManagedRecord, Destination: PersistentRecord>(
        _ path: KeyPath<Source, Destination.ID?>, of owner: Managed<Source>, as type: Destination.Type
    ) throws -> Managed<Destination>? {
        require(owner)
        try prepareToRead()
        return try owner.record[keyPath: path].map { try existingObject(with: $0, of: type) }
    }

    /// Returns the related object of a mandatory reference.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/objectNotFound`` if no object has the
    ///   identifier.
    public func object<Source: ManagedRecord, Destination: PersistentRecord>(
        _ path: KeyPath<Source, Destination.ID>, of owner: Managed<Source>, as type: Destination.Type
    ) throws -> Managed<Destination> {
        require(owner)
        return try existingObject(with: owner.record[keyPath: path], of: type)
    }

    /// Returns the related object of a one-to-one relationship whose column is in the related row, or `nil` if there is
    /// none.
    ///
    /// The method executes one statement, unless the object was prefetched.
    public func object<Source: PersistentRecord, Destination: PersistentRecord>(
        _ relationship: KeyPath<Source.Type, ToOne<Source, Destination>>, of owner: Managed<Source>
    ) throws -> Managed<Destination>? {
        try object(of: owner, through: Source.self[keyPath: relationship])
    }

    /// Returns the related object of a one-to-one relationship that a ``ToOne`` value describes, or `nil` if there is
    /// none.
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

    /// Sets the related object of a one-to-one relationship whose column is in the related row.
    ///
    /// The owner and the related object lose their previous counterparts.
    ///
    /// - Throws: ``PersistenceError``; its code is ``PersistenceError/Code/validation`` if a previous counterpart has a
    ///   mandatory reference, which cannot become null.
    public func set<Source: PersistentRecord, Destination: PersistentRecord>(
        _ object: Managed<Destination>?, as relationship: KeyPath<Source.Type, ToOne<Source, Destination>>,
        of owner: Managed<Source>
    ) throws {
        try set(object, of: owner, through: Source.self[keyPath: relationship])
    }

    /// Sets the related object of a one-to-one relationship that a ``ToOne`` value describes.
    ///
    /// The owner and the related object lose their previous counterparts.
    ///
    /// - Throws: The errors of the method with a key path.
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
