import StrataCore

/// To-many relationships of record types, named by key paths.
///
/// ```swift
/// let team = try context.objects(\.employees, of: boss)
/// try context.add(employee, to: \.employees, of: boss)
/// ```
///
/// Each does what the call does that takes the relationship as a value.
extension ConfinedContext {
    /// The objects a to-many relationship leads to, changes that were not saved included: in the relationship's order, or by identifier.
    ///
    /// One statement, two for many-to-many; none when they were prefetched and nothing was changed since.
    public func objects<Source: PersistentRecord, Destination: PersistentRecord>(
        _ relationship: KeyPath<Source.Type, ToMany<Source, Destination>>, of owner: Managed<Source>
    ) throws -> [Managed<Destination>] {
        try objects(of: owner, through: Source.self[keyPath: relationship])
    }

    /// How many objects a to-many relationship leads to, changes that were not saved included.
    ///
    /// One statement.
    public func count<Source: PersistentRecord, Destination: PersistentRecord>(
        _ relationship: KeyPath<Source.Type, ToMany<Source, Destination>>, of owner: Managed<Source>
    ) throws -> Int {
        try count(of: owner, through: Source.self[keyPath: relationship])
    }

    /// Adds an object to a to-many relationship, at the end of an ordered one; it leaves the owner it had, if it can have one only.
    ///
    /// An object that is there already moves to the end.
    public func add<Source: PersistentRecord, Destination: PersistentRecord>(
        _ object: Managed<Destination>, to relationship: KeyPath<Source.Type, ToMany<Source, Destination>>,
        of owner: Managed<Source>
    ) throws {
        try add(object, of: owner, through: Source.self[keyPath: relationship])
    }

    /// Adds several objects to a to-many relationship, at the end of an ordered one and in this order.
    ///
    /// As adding one after the other, but an ordered relationship is read once for all of them: each single addition costs as much as the relationship
    /// is long.
    public func add<Source: PersistentRecord, Destination: PersistentRecord>(
        _ objects: [Managed<Destination>], to relationship: KeyPath<Source.Type, ToMany<Source, Destination>>,
        of owner: Managed<Source>
    ) throws {
        try add(objects, of: owner, through: Source.self[keyPath: relationship])
    }

    /// Puts an object into an ordered relationship at a place; it leaves the owner it had, if it can have one only.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - index: The place among the others, from 0; beyond their number it is the end.
    ///   - relationship: The relationship.
    ///   - owner: Whose relationship.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` when the relationship has no order or the index is negative.
    public func insert<Source: PersistentRecord, Destination: PersistentRecord>(
        _ object: Managed<Destination>, at index: Int,
        in relationship: KeyPath<Source.Type, ToMany<Source, Destination>>, of owner: Managed<Source>
    ) throws {
        try insert(object, at: index, of: owner, through: Source.self[keyPath: relationship])
    }

    /// Moves an object of an ordered relationship to another place.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - index: The place among the others, from 0; beyond their number it is the end.
    ///   - relationship: The relationship.
    ///   - owner: Whose relationship.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/objectNotFound`` when the relationship does not lead to the object, and as
    ///   the insertion at a place.
    public func move<Source: PersistentRecord, Destination: PersistentRecord>(
        _ object: Managed<Destination>, to index: Int,
        in relationship: KeyPath<Source.Type, ToMany<Source, Destination>>, of owner: Managed<Source>
    ) throws {
        try move(object, to: index, of: owner, through: Source.self[keyPath: relationship])
    }

    /// Takes an object out of a to-many relationship; one that is not there stays as it is.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/validation`` where the object cannot be without an owner; what its initialiser
    ///   threw is ``PersistenceError/underlying``.
    public func remove<Source: PersistentRecord, Destination: PersistentRecord>(
        _ object: Managed<Destination>, from relationship: KeyPath<Source.Type, ToMany<Source, Destination>>,
        of owner: Managed<Source>
    ) throws {
        try remove(object, of: owner, through: Source.self[keyPath: relationship])
    }

    /// Makes a to-many relationship lead to these objects and no others, in this order where it has one.
    ///
    /// Written as what comes and what goes: what others add meanwhile stays.
    public func set<Source: PersistentRecord, Destination: PersistentRecord>(
        _ objects: [Managed<Destination>], as relationship: KeyPath<Source.Type, ToMany<Source, Destination>>,
        of owner: Managed<Source>
    ) throws {
        try set(objects, of: owner, through: Source.self[keyPath: relationship])
    }
}
