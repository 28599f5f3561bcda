import StrataCore

/// A running unit of work over values, which is the argument of ``RecordContext/transaction(mergePolicy:_:)``.
///
/// Records are passed as values, and objects are named by their identifiers. Every call sees the earlier changes of the
/// same unit of work. The changes are written when the outermost block returns, all or none. A unit of work is used
/// only inside that block, on its thread.
///
/// ```swift
/// struct Warehouse {
///     let records: any RecordContext
///
///     func move(_ count: Int, from source: Item.ID, to destination: Item.ID) async throws -> Item {
///         try await records.transaction { unit in
///             try unit.update(Item.self, id: source) { $0.stockCount -= count }
///             return try unit.update(Item.self, id: destination) { $0.stockCount += count }
///         }
///     }
/// }
/// ```
///
/// The unit of work of ``ManagedObjectContext`` uses a separate context. `InMemoryRecords` of `StrataTesting` provides
/// a unit of work without a context.
public protocol RecordTransaction {
    /// Creates a record of an entity with a new identifier.
    ///
    /// - Throws: The error of `make`; ``PersistenceError`` with code ``PersistenceError/Code/identifiersExhausted`` if
    ///   there are no more identifiers.
    @discardableResult
    func insert<Record: ManagedRecord>(
        into entity: RecordEntity<Record>, _ make: (Record.ID) throws -> Record
    ) throws -> Record

    /// Inserts a record with an identifier of its own.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/uniqueness`` if the unit of work has a record
    ///   with the identifier.
    func insert<Record: ManagedRecord>(_ record: Record) throws

    /// Returns the records that a request selects.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/unreadable`` for a row that makes no valid
    ///   record, unless the request skips such rows.
    func fetch<Record: ManagedRecord>(_ request: FetchRequest<Record>) throws -> [Record]

    /// Returns the records that a request selects, with the records of the relationships that it names.
    ///
    /// The method executes one statement for the records and one for each relationship, two for a many-to-many
    /// relationship.
    ///
    /// - Throws: The errors of ``fetch(_:)``, and an error with code ``PersistenceError/Code/invalidRequest`` for a
    ///   relationship that the entity does not have. The default implementation always throws that error.
    func fetchGraph<Record: ManagedRecord>(_ request: FetchRequest<Record>) throws -> RecordGraph<Record>

    /// Returns the records that a request selects, with the versions of their rows.
    ///
    /// A record that this unit of work changed has the version that its row had when it was read.
    ///
    /// - Throws: The errors of ``fetch(_:)``. The default implementation throws an error with code
    ///   ``PersistenceError/Code/invalidRequest``.
    func versioned<Record: ManagedRecord>(_ request: FetchRequest<Record>) throws -> [Versioned<Record>]

    /// Returns the number of records that a request selects.
    func count<Record: ManagedRecord>(_ request: FetchRequest<Record>) throws -> Int

    /// Changes the record of an entity with an identifier.
    ///
    /// - Throws: The error of `change`; ``PersistenceError`` with code ``PersistenceError/Code/objectNotFound`` if
    ///   there is no such record, and ``PersistenceError/Code/invalidRequest`` if `change` assigns another identifier.
    @discardableResult
    func update<Record: ManagedRecord>(
        in entity: RecordEntity<Record>, id: Record.ID, _ change: (inout Record) throws -> Void
    ) throws -> Record

    /// Changes every record that a request selects, and returns their number.
    ///
    /// - Throws: The error of `change`; ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if it
    ///   assigns another identifier to a record.
    @discardableResult
    func update<Record: ManagedRecord>(
        _ request: FetchRequest<Record>, _ change: (inout Record) throws -> Void
    ) throws -> Int

    /// Deletes the records that a request selects, by the model's delete rules, and returns their number.
    @discardableResult
    func delete<Record: ManagedRecord>(_ request: FetchRequest<Record>) throws -> Int

    /// Returns the related records of a to-many relationship, in its order or by identifier.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/objectNotFound`` if there is no such owner.
    func related<Source: ManagedRecord, Destination: ManagedRecord>(
        _ relationship: ToMany<Source, Destination>, of entity: RecordEntity<Source>, id: Source.ID
    ) throws -> [Destination]

    /// Returns the one-to-one counterpart whose row has the column of the relationship; `nil` if there is none.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/objectNotFound`` if there is no such owner.
    func related<Source: ManagedRecord, Destination: ManagedRecord>(
        _ relationship: ToOne<Source, Destination>, of entity: RecordEntity<Source>, id: Source.ID
    ) throws -> Destination?

    /// Returns the number of related records of a to-many relationship.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/objectNotFound`` if there is no such owner.
    func count<Source: ManagedRecord, Destination: ManagedRecord>(
        _ relationship: ToMany<Source, Destination>, of entity: RecordEntity<Source>, id: Source.ID
    ) throws -> Int

    /// Adds objects to a to-many relationship, in this order and at the end of an ordered one.
    ///
    /// An object that can have only one owner is removed from the previous one.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/objectNotFound`` if there is no such object or
    ///   owner.
    func add<Source: ManagedRecord, Destination: ManagedRecord>(
        _ ids: [Destination.ID], to relationship: ToMany<Source, Destination>,
        of entity: RecordEntity<Source>, id: Source.ID
    ) throws

    /// Removes an object from a to-many relationship; an object that is not in it is unchanged.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/objectNotFound`` if there is no such object or
    ///   owner, and ``PersistenceError/Code/validation`` if the object must have an owner.
    func remove<Source: ManagedRecord, Destination: ManagedRecord>(
        _ related: Destination.ID, from relationship: ToMany<Source, Destination>,
        of entity: RecordEntity<Source>, id: Source.ID
    ) throws

    /// Moves an object of an ordered relationship to another index among the other objects, from 0.
    ///
    /// An index beyond their number is the end.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/objectNotFound`` if the object is not in the
    ///   relationship, or ``PersistenceError/Code/invalidRequest`` if the relationship has no order or the index is
    ///   negative.
    func move<Source: ManagedRecord, Destination: ManagedRecord>(
        _ related: Destination.ID, to index: Int, in relationship: ToMany<Source, Destination>,
        of entity: RecordEntity<Source>, id: Source.ID
    ) throws

    /// Runs `body` in a savepoint: if it throws, its changes are rolled back, and earlier changes remain.
    func transaction<Result>(_ body: (any RecordTransaction) throws -> Result) throws -> Result
}

extension RecordTransaction {
    /// Throws an error with code ``PersistenceError/Code/invalidRequest``.
    ///
    /// The default implementation does not read related records.
    public func fetchGraph<Record: ManagedRecord>(_ request: FetchRequest<Record>) throws -> RecordGraph<Record> {
        throw PersistenceError(.invalidRequest, "\(Self.self) does not read records with their relationships")
    }

    /// Returns the record of an entity with an identifier; `nil` if there is none.
    public func find<Record: ManagedRecord>(in entity: RecordEntity<Record>, id: Record.ID) throws -> Record? {
        try fetch(FetchRequest(entity, id: id)).first
    }

    /// Deletes the record of an entity with an identifier, by the model's delete rules.
    ///
    /// - Returns: `false` if there was no such record.
    @discardableResult
    public func delete<Record: ManagedRecord>(from entity: RecordEntity<Record>, id: Record.ID) throws -> Bool {
        try delete(FetchRequest(entity, id: id)) > 0
    }

    /// Adds an object to a to-many relationship, at the end of an ordered one.
    ///
    /// - Throws: The same errors as the method for several objects.
    public func add<Source: ManagedRecord, Destination: ManagedRecord>(
        _ related: Destination.ID, to relationship: ToMany<Source, Destination>,
        of entity: RecordEntity<Source>, id: Source.ID
    ) throws {
        try add([related], to: relationship, of: entity, id: id)
    }

    /// Inserts an object into an ordered to-many relationship at an index.
    ///
    /// - Parameters:
    ///   - related: The object. If it can have only one owner, it is removed from the previous one.
    ///   - index: The index among the other objects, from 0. An index beyond their number is the end.
    ///   - relationship: The relationship.
    ///   - entity: The owner's entity.
    ///   - id: The owner's identifier.
    /// - Throws: The errors of ``add(_:to:of:id:)`` and ``move(_:to:in:of:id:)``.
    public func insert<Source: ManagedRecord, Destination: ManagedRecord>(
        _ related: Destination.ID, at index: Int, in relationship: ToMany<Source, Destination>,
        of entity: RecordEntity<Source>, id: Source.ID
    ) throws {
        // An invalid index rolls the addition back.
        try transaction { unit in
            try unit.add([related], to: relationship, of: entity, id: id)
            try unit.move(related, to: index, in: relationship, of: entity, id: id)
        }
    }

    /// Replaces the objects of a to-many relationship, in this order if it is ordered.
    ///
    /// - Parameters:
    ///   - ids: The objects, each once. An object that can have only one owner is removed from the previous one.
    ///   - relationship: The relationship.
    ///   - entity: The owner's entity.
    ///   - id: The owner's identifier.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` for an identifier that occurs
    ///   twice, and the errors of ``add(_:to:of:id:)`` and ``remove(_:from:of:id:)``.
    /// - Complexity: That of a removal for each removed object, and of one addition of all objects.
    public func set<Source: ManagedRecord, Destination: ManagedRecord>(
        _ ids: [Destination.ID], as relationship: ToMany<Source, Destination>,
        of entity: RecordEntity<Source>, id: Source.ID
    ) throws {
        let wanted = Set(ids)
        guard wanted.count == ids.count else {
            throw PersistenceError(
                .invalidRequest, "an object is given twice", entity: entity.name, attribute: relationship.name)
        }
        for record in try related(relationship, of: entity, id: id) where !wanted.contains(record.id) {
            try remove(record.id, from: relationship, of: entity, id: id)
        }
        try add(ids, to: relationship, of: entity, id: id)
    }
}
