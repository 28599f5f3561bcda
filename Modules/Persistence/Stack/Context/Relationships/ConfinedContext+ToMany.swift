import StrataCore

/// The reads and changes of to-many relationships, whose related objects are not part of the owner's record.
///
/// ```swift
/// let papers = try shelves.toMany("papers")
/// let found = try context.objects(of: shelf, through: papers)
/// ```
///
/// If the record types are known, a key path can name the relationship instead: `\.employees`.
extension ConfinedContext {
    /// Returns the related objects of a to-many relationship, in the relationship's order or, if it is unordered, by
    /// identifier.
    ///
    /// Unsaved changes are included. The method executes one statement, or two for a many-to-many relationship. If the
    /// objects were prefetched and have not changed since, it executes none.
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

    /// Adds an object to a to-many relationship; in an ordered relationship, the object is last.
    ///
    /// If the object can have only one owner, it is removed from its previous owner. If it is already in an ordered
    /// relationship, it becomes the last object.
    public func add<Source: ManagedRecord, Destination: ManagedRecord>(
        _ object: Managed<Destination>, of owner: Managed<Source>, through relationship: ToMany<Source, Destination>
    ) throws {
        try insert(
            object, at: nil, in: try self.relationship(relationship.description, of: owner).relationship.name, of: owner
        )
    }

    /// Adds several objects to a to-many relationship; in an ordered relationship, they are last, in the order of the
    /// array.
    ///
    /// The effect is equal to single additions, but an ordered relationship is read only once for all objects. A single
    /// addition takes time proportional to the number of related objects.
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

    /// Inserts an object into an ordered to-many relationship at an index.
    ///
    /// If the object can have only one owner, it is removed from its previous owner.
    ///
    /// - Parameters:
    ///   - object: The object to insert.
    ///   - index: The index among the other objects of the relationship, from 0. An index greater than their number
    ///     inserts the object at the end.
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

    /// Moves an object of an ordered to-many relationship to another index.
    ///
    /// - Parameters:
    ///   - object: The object to move.
    ///   - index: The index among the other objects of the relationship, from 0. An index greater than their number
    ///     moves the object to the end.
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

    /// Removes an object from a to-many relationship; if the relationship does not contain the object, nothing is
    /// changed.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/validation`` if the object must have an owner;
    ///   ``PersistenceError/underlying`` is then the error of the object's record initializer.
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

    /// Replaces the related objects of a to-many relationship; in an ordered relationship, they have the order of the
    /// array.
    ///
    /// The save writes only the added and removed objects, so objects that other saves add meanwhile remain.
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
    /// Creates a join pair from an owner and a related object, where the owner is the source or the destination of the
    /// join table.
    init(_ owner: Int64, _ other: Int64, ownerIsSource: Bool) {
        self = ownerIsSource ? JoinPair(source: owner, target: other) : JoinPair(source: other, target: owner)
    }
}
