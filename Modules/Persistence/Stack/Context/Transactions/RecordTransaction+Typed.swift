/// The operations of a unit of work on record types, which declare their entity and name relationships by key paths:
/// `\.employees`.
extension RecordTransaction {
    /// Inserts a record that a closure creates with a new identifier.
    ///
    /// - Throws: The error of `make`; ``PersistenceError`` with code ``PersistenceError/Code/identifiersExhausted`` if
    ///   all identifiers are used.
    @discardableResult
    public func insert<Record: PersistentRecord>(
        _ type: Record.Type, _ make: (Record.ID) throws -> Record
    ) throws -> Record {
        try insert(into: Record.entity, make)
    }

    /// Changes the record with an identifier.
    ///
    /// - Throws: The error of `change`; ``PersistenceError`` with code ``PersistenceError/Code/objectNotFound`` if
    ///   there is no such record, and ``PersistenceError/Code/invalidRequest`` if `change` assigns another identifier.
    @discardableResult
    public func update<Record: PersistentRecord>(
        _ type: Record.Type, id: Record.ID, _ change: (inout Record) throws -> Void
    ) throws -> Record {
        try update(in: Record.entity, id: id, change)
    }

    /// Returns the record with an identifier, or `nil` if no such record exists.
    public func find<Record: PersistentRecord>(_ type: Record.Type, id: Record.ID) throws -> Record? {
        try find(in: Record.entity, id: id)
    }

    /// Deletes the record with an identifier and applies the model's delete rules; returns `false` if no such record
    /// exists.
    @discardableResult
    public func delete<Record: PersistentRecord>(_ type: Record.Type, id: Record.ID) throws -> Bool {
        try delete(from: Record.entity, id: id)
    }

    /// Returns the related records of a to-many relationship, in the relationship's order or, if it is unordered, by
    /// identifier.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/objectNotFound`` if the owner does not exist.
    public func related<Source: PersistentRecord, Destination: PersistentRecord>(
        _ relationship: KeyPath<Source.Type, ToMany<Source, Destination>>, of type: Source.Type, id: Source.ID
    ) throws -> [Destination] {
        try related(type[keyPath: relationship], of: Source.entity, id: id)
    }

    /// Returns the related record of a one-to-one relationship whose column is in the related row, or `nil` if there is
    /// none.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/objectNotFound`` if the owner does not exist.
    public func related<Source: PersistentRecord, Destination: PersistentRecord>(
        _ relationship: KeyPath<Source.Type, ToOne<Source, Destination>>, of type: Source.Type, id: Source.ID
    ) throws -> Destination? {
        try related(type[keyPath: relationship], of: Source.entity, id: id)
    }

    /// Returns the number of related records of a to-many relationship.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/objectNotFound`` if the owner does not exist.
    public func count<Source: PersistentRecord, Destination: PersistentRecord>(
        _ relationship: KeyPath<Source.Type, ToMany<Source, Destination>>, of type: Source.Type, id: Source.ID
    ) throws -> Int {
        try count(type[keyPath: relationship], of: Source.entity, id: id)
    }

    /// Adds objects to a to-many relationship; in an ordered relationship, they are last, in the order of the array.
    ///
    /// If an object can have only one owner, it is removed from its previous owner.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/objectNotFound`` if an object or the owner does
    ///   not exist.
    public func add<Source: PersistentRecord, Destination: PersistentRecord>(
        _ ids: [Destination.ID], to relationship: KeyPath<Source.Type, ToMany<Source, Destination>>,
        of type: Source.Type, id: Source.ID
    ) throws {
        try add(ids, to: type[keyPath: relationship], of: Source.entity, id: id)
    }

    /// Adds an object to a to-many relationship; in an ordered relationship, the object is last.
    ///
    /// - Throws: The same errors as the method for several objects.
    public func add<Source: PersistentRecord, Destination: PersistentRecord>(
        _ related: Destination.ID, to relationship: KeyPath<Source.Type, ToMany<Source, Destination>>,
        of type: Source.Type, id: Source.ID
    ) throws {
        try add([related], to: relationship, of: type, id: id)
    }

    /// Removes an object from a to-many relationship; if the relationship does not contain the object, nothing is
    /// changed.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/objectNotFound`` if the object or the owner
    ///   does not exist, or ``PersistenceError/Code/validation`` if the object must have an owner.
    public func remove<Source: PersistentRecord, Destination: PersistentRecord>(
        _ related: Destination.ID, from relationship: KeyPath<Source.Type, ToMany<Source, Destination>>,
        of type: Source.Type, id: Source.ID
    ) throws {
        try remove(related, from: type[keyPath: relationship], of: Source.entity, id: id)
    }

    /// Moves an object of an ordered relationship to another index among the other objects of the relationship, from 0.
    ///
    /// An index greater than their number moves the object to the end.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/objectNotFound`` if the object is not in the
    ///   relationship, or ``PersistenceError/Code/invalidRequest`` if the relationship has no order or the index is
    ///   negative.
    public func move<Source: PersistentRecord, Destination: PersistentRecord>(
        _ related: Destination.ID, to index: Int, in relationship: KeyPath<Source.Type, ToMany<Source, Destination>>,
        of type: Source.Type, id: Source.ID
    ) throws {
        try move(related, to: index, in: type[keyPath: relationship], of: Source.entity, id: id)
    }

    /// Inserts an object into an ordered to-many relationship at an index among its other objects, from 0.
    ///
    /// An index greater than their number inserts the object at the end.
    ///
    /// - Throws: The errors of ``add(_:to:of:id:)`` and ``move(_:to:in:of:id:)``.
    public func insert<Source: PersistentRecord, Destination: PersistentRecord>(
        _ related: Destination.ID, at index: Int, in relationship: KeyPath<Source.Type, ToMany<Source, Destination>>,
        of type: Source.Type, id: Source.ID
    ) throws {
        try insert(related, at: index, in: type[keyPath: relationship], of: Source.entity, id: id)
    }

    /// Replaces the related objects of a to-many relationship; in an ordered relationship, they have the order of the
    /// array.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if an identifier occurs twice,
    ///   and the errors of ``add(_:to:of:id:)`` and ``remove(_:from:of:id:)``.
    public func set<Source: PersistentRecord, Destination: PersistentRecord>(
        _ ids: [Destination.ID], as relationship: KeyPath<Source.Type, ToMany<Source, Destination>>,
        of type: Source.Type, id: Source.ID
    ) throws {
        try set(ids, as: type[keyPath: relationship], of: Source.entity, id: id)
    }
}
