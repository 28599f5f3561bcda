import StrataCore

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
