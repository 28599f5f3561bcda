import StrataCore

/// Reads and changes to-many relationships, whose related objects are never part of the record.
///
/// ```swift
/// let papers = try shelves.toMany("papers")
/// let found = try context.objects(of: shelf, through: papers)
/// ```
///
/// Relationships of record types can be named by key paths instead: `\.employees`.
extension ConfinedContext {
    /// Returns the related objects of a to-many relationship, in its order or by identifier.
    ///
    /// Unsaved changes are included. The method executes one statement, or two for many-to-many. It executes none if
    /// the objects were prefetched and nothing was changed since.
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

    /// Returns the number of related objects of a to-many relationship, including unsaved changes.
    ///
    /// The method executes one statement.
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

    /// Adds an object to a to-many relationship, at the end of an ordered one.
    ///
    /// If the object can have only one owner, it is removed from the previous one. If it is in the relationship
    /// already, it moves to the end.
    public func add<Source: ManagedRecord, Destination: ManagedRecord>(
        _ object: Managed<Destination>, of owner: Managed<Source>, through relationship: ToMany<Source, Destination>
    ) throws {
        try insert(
            object, at: nil, in: try self.relationship(relationship.description, of: owner).relationship.name, of: owner
        )
    }

    /// Adds several objects to a to-many relationship, in this order and at the end of an ordered one.
    ///
    /// The effect is that of single additions, but an ordered relationship is read only once for all objects. The cost
    /// of a single addition is proportional to the length of the relationship.
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

    /// Inserts an object into an ordered relationship at an index.
    ///
    /// If the object can have only one owner, it is removed from the previous one.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - index: The index among the other objects, from 0. An index beyond their number is the end.
    ///   - owner: The owner of the relationship.
    ///   - relationship: The relationship.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if the relationship has no
    ///   order or the index is negative.
    public func insert<Source: ManagedRecord, Destination: ManagedRecord>(
        _ object: Managed<Destination>, at index: Int,
        of owner: Managed<Source>, through relationship: ToMany<Source, Destination>
    ) throws {
        let (name, description) = (relationship.name, relationship.description)
        guard try self.relationship(description, of: owner).relationship.isOrdered, index >= 0 else {
            throw PersistenceError(
                .invalidRequest,
                index < 0
                    ? "the position is \(index), but must be at least 0"
                    : "the relationship is not ordered and has no positions",
                entity: owner.entityName, attribute: name)
        }
        try insert(object, at: index, in: name, of: owner)
    }

    /// Moves an object of an ordered relationship to another index.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - index: The index among the other objects, from 0. An index beyond their number is the end.
    ///   - owner: The owner of the relationship.
    ///   - relationship: The relationship.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/objectNotFound`` if the object is not in the
    ///   relationship, and the errors of ``insert(_:at:in:of:)``.
    public func move<Source: ManagedRecord, Destination: ManagedRecord>(
        _ object: Managed<Destination>, to index: Int,
        of owner: Managed<Source>, through relationship: ToMany<Source, Destination>
    ) throws {
        guard try objects(of: owner, through: relationship).contains(where: { $0 === object }) else {
            throw PersistenceError(
                .objectNotFound, "the relationship of \(owner.rawID) does not contain \(object.rawID)",
                entity: owner.entityName, attribute: relationship.name)
        }
        try insert(object, at: index, of: owner, through: relationship)
    }

    /// Removes an object from a to-many relationship; an object that is not in it is unchanged.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/validation`` if the object must have an owner;
    ///   ``PersistenceError/underlying`` is the error of its initializer.
    public func remove<Source: ManagedRecord, Destination: ManagedRecord>(
        _ object: Managed<Destination>, of owner: Managed<Source>, through relationship: ToMany<Source, Destination>
    ) throws {
        require(owner)
        require(object)
        // A deleted object is in no relationship any more.
        if object.isDeletedOrDetached || owner.isDeletedOrDetached { return }
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

    /// Replaces the objects of a to-many relationship, in this order if it is ordered.
    ///
    /// The save writes only the added and the removed objects: objects that other saves add meanwhile remain.
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
    /// Creates a pair from the view of one of its ends.
    init(_ owner: Int64, _ other: Int64, ownerIsSource: Bool) {
        self = ownerIsSource ? JoinPair(source: owner, target: other) : JoinPair(source: other, target: owner)
    }
}
