import StrataCore

/// The reads and changes of relationships; the related objects of a to-many relationship are not part of the owner's
/// record.
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
        try relationships.objects(of: owner, through: relationship)
    }

    /// Returns the number of related objects of a to-many relationship, including unsaved changes.
    ///
    /// The method executes one statement.
    public func count<Source: ManagedRecord, Destination: ManagedRecord>(
        of owner: Managed<Source>, through relationship: ToMany<Source, Destination>
    ) throws -> Int {
        try relationships.count(of: owner, through: relationship)
    }

    /// Adds an object to a to-many relationship; in an ordered relationship, the object is last.
    ///
    /// If the object can have only one owner, it is removed from its previous owner. If it is already in an ordered
    /// relationship, it becomes the last object.
    public func add<Source: ManagedRecord, Destination: ManagedRecord>(
        _ object: Managed<Destination>, of owner: Managed<Source>, through relationship: ToMany<Source, Destination>
    ) throws {
        try relationships.add(object, of: owner, through: relationship)
    }

    /// Adds several objects to a to-many relationship; in an ordered relationship, they are last, in the order of the
    /// array.
    ///
    /// The effect is equal to single additions, but an ordered relationship is read only once for all objects. A single
    /// addition takes time proportional to the number of related objects.
    public func add<Source: ManagedRecord, Destination: ManagedRecord>(
        _ objects: [Managed<Destination>], of owner: Managed<Source>, through relationship: ToMany<Source, Destination>
    ) throws {
        try relationships.add(objects, of: owner, through: relationship)
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
        try relationships.insert(object, at: index, of: owner, through: relationship)
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
        try relationships.move(object, to: index, of: owner, through: relationship)
    }

    /// Removes an object from a to-many relationship; if the relationship does not contain the object, nothing is
    /// changed.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/validation`` if the object must have an owner;
    ///   ``PersistenceError/underlying`` is then the error of the object's record initializer.
    public func remove<Source: ManagedRecord, Destination: ManagedRecord>(
        _ object: Managed<Destination>, of owner: Managed<Source>, through relationship: ToMany<Source, Destination>
    ) throws {
        try relationships.remove(object, of: owner, through: relationship)
    }

    /// Replaces the related objects of a to-many relationship; in an ordered relationship, they have the order of the
    /// array.
    ///
    /// The save writes only the added and removed objects, so objects that other saves add meanwhile remain.
    public func set<Source: ManagedRecord, Destination: ManagedRecord>(
        _ objects: [Managed<Destination>], of owner: Managed<Source>, through relationship: ToMany<Source, Destination>
    ) throws {
        try relationships.set(objects, of: owner, through: relationship)
    }

    // MARK: To-one relationships

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
        try relationships.object(path, of: owner, as: type)
    }

    /// Returns the related object of a mandatory reference.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/objectNotFound`` if no object has the
    ///   identifier.
    public func object<Source: ManagedRecord, Destination: PersistentRecord>(
        _ path: KeyPath<Source, Destination.ID>, of owner: Managed<Source>, as type: Destination.Type
    ) throws -> Managed<Destination> {
        try relationships.object(path, of: owner, as: type)
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
        try relationships.object(of: owner, through: relationship)
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
        try relationships.set(object, of: owner, through: relationship)
    }
}

/// The reads and changes of to-many relationships that key paths of record types name.
///
/// ```swift
/// let team = try context.objects(\.employees, of: boss)
/// try context.add(employee, to: \.employees, of: boss)
/// ```
///
/// Each method calls the corresponding method with a ``ToMany`` value.
extension ConfinedContext {
    /// Returns the related objects of a to-many relationship, in the relationship's order or, if it is unordered, by
    /// identifier.
    ///
    /// Unsaved changes are included. The method executes one statement, or two for a many-to-many relationship. If the
    /// objects were prefetched and have not changed since, it executes none.
    public func objects<Source: PersistentRecord, Destination: PersistentRecord>(
        _ relationship: KeyPath<Source.Type, ToMany<Source, Destination>>, of owner: Managed<Source>
    ) throws -> [Managed<Destination>] {
        try objects(of: owner, through: Source.self[keyPath: relationship])
    }

    /// Returns the number of related objects of a to-many relationship, including unsaved changes.
    ///
    /// The method executes one statement.
    public func count<Source: PersistentRecord, Destination: PersistentRecord>(
        _ relationship: KeyPath<Source.Type, ToMany<Source, Destination>>, of owner: Managed<Source>
    ) throws -> Int {
        try count(of: owner, through: Source.self[keyPath: relationship])
    }

    /// Adds an object to a to-many relationship; in an ordered relationship, the object is last.
    ///
    /// If the object can have only one owner, it is removed from its previous owner. If it is already in an ordered
    /// relationship, it becomes the last object.
    public func add<Source: PersistentRecord, Destination: PersistentRecord>(
        _ object: Managed<Destination>, to relationship: KeyPath<Source.Type, ToMany<Source, Destination>>,
        of owner: Managed<Source>
    ) throws {
        try add(object, of: owner, through: Source.self[keyPath: relationship])
    }

    /// Adds several objects to a to-many relationship; in an ordered relationship, they are last, in the order of the
    /// array.
    ///
    /// The effect is equal to single additions, but an ordered relationship is read only once for all objects. A single
    /// addition takes time proportional to the number of related objects.
    public func add<Source: PersistentRecord, Destination: PersistentRecord>(
        _ objects: [Managed<Destination>], to relationship: KeyPath<Source.Type, ToMany<Source, Destination>>,
        of owner: Managed<Source>
    ) throws {
        try add(objects, of: owner, through: Source.self[keyPath: relationship])
    }

    /// Inserts an object into an ordered to-many relationship at an index.
    ///
    /// If the object can have only one owner, it is removed from its previous owner.
    ///
    /// - Parameters:
    ///   - object: The object to insert.
    ///   - index: The index among the other objects of the relationship, from 0. An index greater than their number
    ///     inserts the object at the end.
    ///   - relationship: The relationship.
    ///   - owner: The owner of the relationship.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if the relationship has no
    ///   order or the index is negative.
    public func insert<Source: PersistentRecord, Destination: PersistentRecord>(
        _ object: Managed<Destination>, at index: Int,
        in relationship: KeyPath<Source.Type, ToMany<Source, Destination>>, of owner: Managed<Source>
    ) throws {
        try insert(object, at: index, of: owner, through: Source.self[keyPath: relationship])
    }

    /// Moves an object of an ordered to-many relationship to another index.
    ///
    /// - Parameters:
    ///   - object: The object to move.
    ///   - index: The index among the other objects of the relationship, from 0. An index greater than their number
    ///     moves the object to the end.
    ///   - relationship: The relationship.
    ///   - owner: The owner of the relationship.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/objectNotFound`` if the object is not in the
    ///   relationship, and the errors of ``insert(_:at:in:of:)``.
    public func move<Source: PersistentRecord, Destination: PersistentRecord>(
        _ object: Managed<Destination>, to index: Int,
        in relationship: KeyPath<Source.Type, ToMany<Source, Destination>>, of owner: Managed<Source>
    ) throws {
        try move(object, to: index, of: owner, through: Source.self[keyPath: relationship])
    }

    /// Removes an object from a to-many relationship; if the relationship does not contain the object, nothing is
    /// changed.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/validation`` if the object must have an owner;
    ///   ``PersistenceError/underlying`` is then the error of the object's record initializer.
    public func remove<Source: PersistentRecord, Destination: PersistentRecord>(
        _ object: Managed<Destination>, from relationship: KeyPath<Source.Type, ToMany<Source, Destination>>,
        of owner: Managed<Source>
    ) throws {
        try remove(object, of: owner, through: Source.self[keyPath: relationship])
    }

    /// Replaces the related objects of a to-many relationship; in an ordered relationship, they have the order of the
    /// array.
    ///
    /// The save writes only the added and removed objects, so objects that other saves add meanwhile remain.
    public func set<Source: PersistentRecord, Destination: PersistentRecord>(
        _ objects: [Managed<Destination>], as relationship: KeyPath<Source.Type, ToMany<Source, Destination>>,
        of owner: Managed<Source>
    ) throws {
        try set(objects, of: owner, through: Source.self[keyPath: relationship])
    }
}
