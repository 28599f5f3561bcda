/// The same of record types, whose entity the type says, and whose relationships are named by key paths: `\.employees`.
extension RecordTransaction {
    /// Makes a record with a new identifier.
    ///
    /// - Throws: What `make` throws; ``PersistenceError`` with code ``PersistenceError/Code/identifiersExhausted`` when there are no more.
    @discardableResult
    public func insert<Record: PersistentRecord>(
        _ type: Record.Type, _ make: (Record.ID) throws -> Record
    ) throws -> Record {
        try insert(into: Record.entity, make)
    }

    /// Changes the record with an identifier.
    ///
    /// - Throws: What `change` throws; ``PersistenceError`` with code ``PersistenceError/Code/objectNotFound`` when there is none, and
    ///   ``PersistenceError/Code/invalidRequest`` when `change` gives it another identifier.
    @discardableResult
    public func update<Record: PersistentRecord>(
        _ type: Record.Type, id: Record.ID, _ change: (inout Record) throws -> Void
    ) throws -> Record {
        try update(in: Record.entity, id: id, change)
    }

    /// The record with an identifier; `nil` when there is none.
    public func find<Record: PersistentRecord>(_ type: Record.Type, id: Record.ID) throws -> Record? {
        try find(in: Record.entity, id: id)
    }

    /// Deletes the record with an identifier, by the model's delete rules; false when there was none.
    @discardableResult
    public func delete<Record: PersistentRecord>(_ type: Record.Type, id: Record.ID) throws -> Bool {
        try delete(from: Record.entity, id: id)
    }

    /// The records a to-many relationship leads to, in its order or by identifier.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/objectNotFound`` when there is no such owner.
    public func related<Source: PersistentRecord, Destination: PersistentRecord>(
        _ relationship: KeyPath<Source.Type, ToMany<Source, Destination>>, of type: Source.Type, id: Source.ID
    ) throws -> [Destination] {
        try related(type[keyPath: relationship], of: Source.entity, id: id)
    }

    /// The partner in a one-to-one relationship whose column the other side has; `nil` when there is none.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/objectNotFound`` when there is no such owner.
    public func related<Source: PersistentRecord, Destination: PersistentRecord>(
        _ relationship: KeyPath<Source.Type, ToOne<Source, Destination>>, of type: Source.Type, id: Source.ID
    ) throws -> Destination? {
        try related(type[keyPath: relationship], of: Source.entity, id: id)
    }

    /// How many records a to-many relationship leads to.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/objectNotFound`` when there is no such owner.
    public func count<Source: PersistentRecord, Destination: PersistentRecord>(
        _ relationship: KeyPath<Source.Type, ToMany<Source, Destination>>, of type: Source.Type, id: Source.ID
    ) throws -> Int {
        try count(type[keyPath: relationship], of: Source.entity, id: id)
    }

    /// Adds objects to a to-many relationship, at the end of an ordered one and in this order; each leaves the owner it had, if it can have one only.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/objectNotFound`` when there is no such object or owner.
    public func add<Source: PersistentRecord, Destination: PersistentRecord>(
        _ ids: [Destination.ID], to relationship: KeyPath<Source.Type, ToMany<Source, Destination>>,
        of type: Source.Type, id: Source.ID
    ) throws {
        try add(ids, to: type[keyPath: relationship], of: Source.entity, id: id)
    }

    /// Adds an object to a to-many relationship, at the end of an ordered one.
    ///
    /// - Throws: As the call with several.
    public func add<Source: PersistentRecord, Destination: PersistentRecord>(
        _ related: Destination.ID, to relationship: KeyPath<Source.Type, ToMany<Source, Destination>>,
        of type: Source.Type, id: Source.ID
    ) throws {
        try add([related], to: relationship, of: type, id: id)
    }

    /// Takes an object out of a to-many relationship; one that is not there stays as it is.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/objectNotFound`` when there is no such object or owner, and
    ///   ``PersistenceError/Code/validation`` where the object cannot be without an owner.
    public func remove<Source: PersistentRecord, Destination: PersistentRecord>(
        _ related: Destination.ID, from relationship: KeyPath<Source.Type, ToMany<Source, Destination>>,
        of type: Source.Type, id: Source.ID
    ) throws {
        try remove(related, from: type[keyPath: relationship], of: Source.entity, id: id)
    }

    /// Moves an object of an ordered relationship to another place among the others, from 0; beyond their number it is the end.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/objectNotFound`` when the relationship does not lead to the object, or
    ///   ``PersistenceError/Code/invalidRequest`` when it has no order or the place is negative.
    public func move<Source: PersistentRecord, Destination: PersistentRecord>(
        _ related: Destination.ID, to index: Int, in relationship: KeyPath<Source.Type, ToMany<Source, Destination>>,
        of type: Source.Type, id: Source.ID
    ) throws {
        try move(related, to: index, in: type[keyPath: relationship], of: Source.entity, id: id)
    }

    /// Puts an object into an ordered to-many relationship at a place among the others, from 0; beyond their number it is the end.
    ///
    /// - Throws: As ``add(_:to:of:id:)`` and ``move(_:to:in:of:id:)``.
    public func insert<Source: PersistentRecord, Destination: PersistentRecord>(
        _ related: Destination.ID, at index: Int, in relationship: KeyPath<Source.Type, ToMany<Source, Destination>>,
        of type: Source.Type, id: Source.ID
    ) throws {
        try insert(related, at: index, in: type[keyPath: relationship], of: Source.entity, id: id)
    }

    /// Makes a to-many relationship lead to some objects, and to no others; an ordered one in this order.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` for an identifier that is given twice; as
    ///   ``add(_:to:of:id:)`` and ``remove(_:from:of:id:)``.
    public func set<Source: PersistentRecord, Destination: PersistentRecord>(
        _ ids: [Destination.ID], as relationship: KeyPath<Source.Type, ToMany<Source, Destination>>,
        of type: Source.Type, id: Source.ID
    ) throws {
        try set(ids, as: type[keyPath: relationship], of: Source.entity, id: id)
    }
}
