import StrataCore

/// To-many relationships: asked of the context, because what they lead to is never in the record.
///
/// ```swift
/// let papers = try shelves.toMany("papers")
/// let found = try context.objects(of: shelf, through: papers)
/// ```
///
/// The relationships of record types are named by key paths instead: `\.employees`.
extension ConfinedContext {
    /// The objects a to-many relationship leads to, changes that were not saved included: in the relationship's order, or by identifier.
    ///
    /// One statement, two for many-to-many; none when they were prefetched and nothing was changed since.
    public func objects<Source: ManagedRecord, Destination: ManagedRecord>(
        of owner: Managed<Source>, through relationship: ToMany<Source, Destination>
    ) throws -> [Managed<Destination>] {
        require(owner)
        try prepareToRead()
        if let known = prefetched.objects(relationship.name, of: owner) {
            return known.compactMap { $0 as? Managed<Destination> }
        }
        let (description, _, place) = try self.relationship(relationship.description, of: owner)
        let objects = try relatedObjects(of: [owner], description, place)[owner.rawID] ?? []
        return objects.compactMap { $0 as? Managed<Destination> }
    }

    /// How many objects a to-many relationship leads to, changes that were not saved included.
    ///
    /// One statement.
    public func count<Source: ManagedRecord, Destination: ManagedRecord>(
        of owner: Managed<Source>, through relationship: ToMany<Source, Destination>
    ) throws -> Int {
        require(owner)
        try prepareToRead()
        if let known = prefetched.objects(relationship.name, of: owner) { return known.count }
        let (_, destination, place) = try self.relationship(relationship.description, of: owner)
        switch place {
        case .ownColumn: return 0
        case .inverseColumn(let column):
            let isOwner = FetchCondition.compare(
                .property(destination.columns[column].name), .equal, .constant(.integer(owner.rawID)))
            return try countObjects(StoreRequest(destination.name, where: isOwner))
        case .join(let join, let isSource):
            return try pairs(of: join, ownerIsSource: isSource, [owner.rawID]).count
        }
    }

    /// Adds an object to a to-many relationship, at the end of an ordered one; it leaves the owner it had, if it can have one only.
    ///
    /// An object that is there already moves to the end.
    public func add<Source: ManagedRecord, Destination: ManagedRecord>(
        _ object: Managed<Destination>, of owner: Managed<Source>, through relationship: ToMany<Source, Destination>
    ) throws {
        try insert(
            object, at: nil, in: try self.relationship(relationship.description, of: owner).relationship.name, of: owner
        )
    }

    /// Adds several objects to a to-many relationship, at the end of an ordered one and in this order.
    ///
    /// As adding one after the other, but an ordered relationship is read once for all of them: each single addition costs as much as the relationship
    /// is long.
    public func add<Source: ManagedRecord, Destination: ManagedRecord>(
        _ objects: [Managed<Destination>], of owner: Managed<Source>, through relationship: ToMany<Source, Destination>
    ) throws {
        require(owner)
        for object in objects { require(object) }
        try requirePresent(objects + [owner])
        let (description, _, place) = try self.relationship(relationship.description, of: owner)
        for object in objects { try require(object, endOf: description, of: owner) }
        try prepareToRead()
        if description.isOrdered, try setAll(objects, relationship: description, place: place, of: owner) { return }
        for object in objects { try insert(object, at: nil, in: description.name, of: owner) }
    }

    /// Puts an object into an ordered relationship at a place; it leaves the owner it had, if it can have one only.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - index: The place among the others, from 0; beyond their number it is the end.
    ///   - owner: Whose relationship.
    ///   - relationship: The relationship.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` when the relationship has no order or the index is negative.
    public func insert<Source: ManagedRecord, Destination: ManagedRecord>(
        _ object: Managed<Destination>, at index: Int,
        of owner: Managed<Source>, through relationship: ToMany<Source, Destination>
    ) throws {
        let (name, description) = (relationship.name, relationship.description)
        guard try self.relationship(description, of: owner).relationship.isOrdered, index >= 0 else {
            throw PersistenceError(
                .invalidRequest,
                index < 0 ? "the place is \(index), it is at least 0" : "the relationship has no order, so no places",
                entity: owner.entityName, attribute: name)
        }
        try insert(object, at: index, in: name, of: owner)
    }

    /// Moves an object of an ordered relationship to another place.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - index: The place among the others, from 0; beyond their number it is the end.
    ///   - owner: Whose relationship.
    ///   - relationship: The relationship.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/objectNotFound`` when the relationship does not lead to the object, and as
    ///   ``insert(_:at:in:of:)``.
    public func move<Source: ManagedRecord, Destination: ManagedRecord>(
        _ object: Managed<Destination>, to index: Int,
        of owner: Managed<Source>, through relationship: ToMany<Source, Destination>
    ) throws {
        guard try objects(of: owner, through: relationship).contains(where: { $0 === object }) else {
            throw PersistenceError(
                .objectNotFound, "the relationship of \(owner.rawID) does not lead to \(object.rawID)",
                entity: owner.entityName, attribute: relationship.name)
        }
        try insert(object, at: index, of: owner, through: relationship)
    }

    /// Takes an object out of a to-many relationship; one that is not there stays as it is.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/validation`` where the object cannot be without an owner; what its initialiser
    ///   threw is ``PersistenceError/underlying``.
    public func remove<Source: ManagedRecord, Destination: ManagedRecord>(
        _ object: Managed<Destination>, of owner: Managed<Source>, through relationship: ToMany<Source, Destination>
    ) throws {
        require(owner)
        require(object)
        // What is deleted left every relationship by that.
        if object.isGone || owner.isGone { return }
        let (description, _, place) = try self.relationship(relationship.description, of: owner)
        try require(object, endOf: description, of: owner)
        switch place {
        case .ownColumn: return
        case .inverseColumn(let column):
            guard object.typed.currentRow().values[column] == .integer(owner.rawID) else { return }
            try object.typed.write(.null, column: column)
        case .join(let join, let isSource):
            removePair(JoinPair(owner.rawID, object.rawID, ownerIsSource: isSource), from: join)
        }
    }

    /// Makes a to-many relationship lead to these objects and no others, in this order where it has one.
    ///
    /// Written as what comes and what goes: what others add meanwhile stays.
    public func set<Source: ManagedRecord, Destination: ManagedRecord>(
        _ objects: [Managed<Destination>], of owner: Managed<Source>, through relationship: ToMany<Source, Destination>
    ) throws {
        for object in objects { require(object) }
        try requirePresent([owner] + objects)
        let before = try self.objects(of: owner, through: relationship)
        let wanted = Set(objects.map(ObjectIdentifier.init))
        for object in before where !wanted.contains(ObjectIdentifier(object)) {
            try remove(object, of: owner, through: relationship)
        }
        let (description, _, place) = try self.relationship(relationship.description, of: owner)
        for object in objects { try require(object, endOf: description, of: owner) }
        let isOrdered = description.isOrdered
        let known = Set(before.map(ObjectIdentifier.init))
        if isOrdered, before.map(ObjectIdentifier.init) == objects.map(ObjectIdentifier.init) { return }
        if isOrdered, try setAll(objects, relationship: description, place: place, of: owner) { return }
        for object in objects where isOrdered || !known.contains(ObjectIdentifier(object)) {
            try add(object, of: owner, through: relationship)
        }
    }
}

extension JoinPair {
    /// A pair named from one of its ends.
    init(_ owner: Int64, _ other: Int64, ownerIsSource: Bool) {
        self = ownerIsSource ? JoinPair(source: owner, target: other) : JoinPair(source: other, target: owner)
    }
}
