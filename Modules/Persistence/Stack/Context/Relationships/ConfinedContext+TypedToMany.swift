import StrataCore

/// Reads and changes to-many relationships of record types, which are named by key paths.
///
/// ```swift
/// let team = try context.objects(\.employees, of: boss)
/// try context.add(employee, to: \.employees, of: boss)
/// ```
///
/// Each method calls the method that takes the relationship as a value.
extension ConfinedContext {
    /// Returns the related objects of a to-many relationship, in its order or by identifier.
    ///
    /// Unsaved changes are included. The method executes one statement, or two for many-to-many. It executes none if
    /// the objects were prefetched and nothing was changed since.
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

    /// Adds an object to a to-many relationship, at the end of an ordered one.
    ///
    /// If the object can have only one owner, it is removed from the previous one. If it is in the relationship
    /// already, it moves to the end.
    public func add<Source: PersistentRecord, Destination: PersistentRecord>(
        _ object: Managed<Destination>, to relationship: KeyPath<Source.Type, ToMany<Source, Destination>>,
        of owner: Managed<Source>
    ) throws {
        try add(object, of: owner, through: Source.self[keyPath: relationship])
    }

    /// Adds several objects to a to-many relationship, in this order and at the end of an ordered one.
    ///
    /// The effect is that of single additions, but an ordered relationship is read only once for all objects. The cost
    /// of a single addition is proportional to the length of the relationship.
    public func add<Source: PersistentRecord, Destination: PersistentRecord>(
        _ objects: [Managed<Destination>], to relationship: KeyPath<Source.Type, ToMany<Source, Destination>>,
        of owner: Managed<Source>
    ) throws {
        try add(objects, of: owner, through: Source.self[keyPath: relationship])
    }

    /// Inserts an object into an ordered relationship at an index.
    ///
    /// If the object can have only one owner, it is removed from the previous one.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - index: The index among the other objects, from 0. An index beyond their number is the end.
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

    /// Moves an object of an ordered relationship to another index.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - index: The index among the other objects, from 0. An index beyond their number is the end.
    ///   - relationship: The relationship.
    ///   - owner: The owner of the relationship.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/objectNotFound`` if the object is not in the
    ///   relationship, and the errors of the insertion at an index.
    public func move<Source: PersistentRecord, Destination: PersistentRecord>(
        _ object: Managed<Destination>, to index: Int,
        in relationship: KeyPath<Source.Type, ToMany<Source, Destination>>, of owner: Managed<Source>
    ) throws {
        try move(object, to: index, of: owner, through: Source.self[keyPath: relationship])
    }

    /// Removes an object from a to-many relationship; an object that is not in it is unchanged.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/validation`` if the object must have an owner;
    ///   ``PersistenceError/underlying`` is the error of its initializer.
    public func remove<Source: PersistentRecord, Destination: PersistentRecord>(
        _ object: Managed<Destination>, from relationship: KeyPath<Source.Type, ToMany<Source, Destination>>,
        of owner: Managed<Source>
    ) throws {
        try remove(object, of: owner, through: Source.self[keyPath: relationship])
    }

    /// Replaces the objects of a to-many relationship, in this order if it is ordered.
    ///
    /// The save writes only the added and the removed objects: objects that other saves add meanwhile remain.
    public func set<Source: PersistentRecord, Destination: PersistentRecord>(
        _ objects: [Managed<Destination>], as relationship: KeyPath<Source.Type, ToMany<Source, Destination>>,
        of owner: Managed<Source>
    ) throws {
        try set(objects, of: owner, through: Source.self[keyPath: relationship])
    }
}
