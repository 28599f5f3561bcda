import StrataCore

/// A unit of work over values, while it goes on: what the block of ``RecordContext/transaction(mergePolicy:_:)`` works with.
///
/// Records come and go as values, objects are named by their identifiers, and every call sees what was changed before it in the same unit of work. What
/// it changes is written when the outermost block returns, all or nothing. Used in that block only, on its thread.
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
/// ``ManagedObjectContext`` gives one that works on a context of its own, and `StrataTesting` an `InMemoryRecords` that needs no context at all.
public protocol RecordTransaction {
    /// Makes a record of an entity with a new identifier.
    ///
    /// - Throws: What `make` throws; ``PersistenceError`` with code ``PersistenceError/Code/identifiersExhausted`` when there are no more.
    @discardableResult
    func insert<Record: ManagedRecord>(
        into entity: RecordEntity<Record>, _ make: (Record.ID) throws -> Record
    ) throws -> Record

    /// Inserts a record with an identifier of its own.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/uniqueness`` when the unit of work has a record with the identifier.
    func insert<Record: ManagedRecord>(_ record: Record) throws

    /// The records a request selects.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/unreadable`` for a row that is no record, unless the request skips such.
    func fetch<Record: ManagedRecord>(_ request: FetchRequest<Record>) throws -> [Record]

    /// Returns the records that a request selects, and those to which the relationships lead that it names.
    ///
    /// One statement for the records and one for each relationship, two for a many-to-many relationship.
    ///
    /// - Throws: As ``fetch(_:)``; an error with code ``PersistenceError/Code/invalidRequest`` for a relationship that the entity does not have, and
    ///   unless it is implemented.
    func fetchGraph<Record: ManagedRecord>(_ request: FetchRequest<Record>) throws -> RecordGraph<Record>

    /// Returns the records that a request selects, with the versions of their rows.
    ///
    /// A record that this unit of work changed has the version that its row had when it was read.
    ///
    /// - Throws: As ``fetch(_:)``; an error with code ``PersistenceError/Code/invalidRequest`` unless it is implemented.
    func versioned<Record: ManagedRecord>(_ request: FetchRequest<Record>) throws -> [Versioned<Record>]

    /// The number of records a request selects.
    func count<Record: ManagedRecord>(_ request: FetchRequest<Record>) throws -> Int

    /// Changes the record of an entity with an identifier.
    ///
    /// - Throws: What `change` throws; ``PersistenceError`` with code ``PersistenceError/Code/objectNotFound`` when there is none, and
    ///   ``PersistenceError/Code/invalidRequest`` when `change` gives it another identifier.
    @discardableResult
    func update<Record: ManagedRecord>(
        in entity: RecordEntity<Record>, id: Record.ID, _ change: (inout Record) throws -> Void
    ) throws -> Record

    /// Changes every record a request selects, and gives their number.
    ///
    /// - Throws: What `change` throws; ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` when it gives a record another identifier.
    @discardableResult
    func update<Record: ManagedRecord>(
        _ request: FetchRequest<Record>, _ change: (inout Record) throws -> Void
    ) throws -> Int

    /// Deletes the records a request selects, by the model's delete rules, and gives their number.
    @discardableResult
    func delete<Record: ManagedRecord>(_ request: FetchRequest<Record>) throws -> Int

    /// The records a to-many relationship leads to, in its order or by identifier.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/objectNotFound`` when there is no such owner.
    func related<Source: ManagedRecord, Destination: ManagedRecord>(
        _ relationship: ToMany<Source, Destination>, of entity: RecordEntity<Source>, id: Source.ID
    ) throws -> [Destination]

    /// The partner in a one-to-one relationship whose column the other side has; `nil` when there is none.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/objectNotFound`` when there is no such owner.
    func related<Source: ManagedRecord, Destination: ManagedRecord>(
        _ relationship: ToOne<Source, Destination>, of entity: RecordEntity<Source>, id: Source.ID
    ) throws -> Destination?

    /// How many records a to-many relationship leads to.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/objectNotFound`` when there is no such owner.
    func count<Source: ManagedRecord, Destination: ManagedRecord>(
        _ relationship: ToMany<Source, Destination>, of entity: RecordEntity<Source>, id: Source.ID
    ) throws -> Int

    /// Adds objects to a to-many relationship, at the end of an ordered one and in this order; each leaves the owner it had, if it can have one only.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/objectNotFound`` when there is no such object or owner.
    func add<Source: ManagedRecord, Destination: ManagedRecord>(
        _ ids: [Destination.ID], to relationship: ToMany<Source, Destination>,
        of entity: RecordEntity<Source>, id: Source.ID
    ) throws

    /// Takes an object out of a to-many relationship; one that is not there stays as it is.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/objectNotFound`` when there is no such object or owner, and
    ///   ``PersistenceError/Code/validation`` where the object cannot be without an owner.
    func remove<Source: ManagedRecord, Destination: ManagedRecord>(
        _ related: Destination.ID, from relationship: ToMany<Source, Destination>,
        of entity: RecordEntity<Source>, id: Source.ID
    ) throws

    /// Moves an object of an ordered relationship to another place among the others, from 0; beyond their number it is the end.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/objectNotFound`` when the relationship does not lead to the object, or
    ///   ``PersistenceError/Code/invalidRequest`` when it has no order or the place is negative.
    func move<Source: ManagedRecord, Destination: ManagedRecord>(
        _ related: Destination.ID, to index: Int, in relationship: ToMany<Source, Destination>,
        of entity: RecordEntity<Source>, id: Source.ID
    ) throws

    /// A savepoint: where `body` throws, what it changed is taken back, and what was changed before stays.
    func transaction<Result>(_ body: (any RecordTransaction) throws -> Result) throws -> Result
}

extension RecordTransaction {
    /// Throws an error with code ``PersistenceError/Code/invalidRequest``: the default does not read related records.
    public func fetchGraph<Record: ManagedRecord>(_ request: FetchRequest<Record>) throws -> RecordGraph<Record> {
        throw PersistenceError(.invalidRequest, "\(Self.self) does not read records with their relationships")
    }

    /// The record of an entity with an identifier; `nil` when there is none.
    public func find<Record: ManagedRecord>(in entity: RecordEntity<Record>, id: Record.ID) throws -> Record? {
        try fetch(FetchRequest(entity, id: id)).first
    }

    /// Deletes the record of an entity with an identifier, by the model's delete rules; false when there was none.
    @discardableResult
    public func delete<Record: ManagedRecord>(from entity: RecordEntity<Record>, id: Record.ID) throws -> Bool {
        try delete(FetchRequest(entity, id: id)) > 0
    }

    /// Adds an object to a to-many relationship, at the end of an ordered one.
    ///
    /// - Throws: As the call with several.
    public func add<Source: ManagedRecord, Destination: ManagedRecord>(
        _ related: Destination.ID, to relationship: ToMany<Source, Destination>,
        of entity: RecordEntity<Source>, id: Source.ID
    ) throws {
        try add([related], to: relationship, of: entity, id: id)
    }

    /// Puts an object into an ordered to-many relationship at a place.
    ///
    /// - Parameters:
    ///   - related: The object; it leaves the owner it had, if it can have one only.
    ///   - index: The place among the others, from 0; beyond their number it is the end.
    ///   - relationship: The relationship.
    ///   - entity: The owner's entity.
    ///   - id: The owner's identifier.
    /// - Throws: As ``add(_:to:of:id:)`` and ``move(_:to:in:of:id:)``.
    public func insert<Source: ManagedRecord, Destination: ManagedRecord>(
        _ related: Destination.ID, at index: Int, in relationship: ToMany<Source, Destination>,
        of entity: RecordEntity<Source>, id: Source.ID
    ) throws {
        // A place that is not possible takes the addition back.
        try transaction { unit in
            try unit.add([related], to: relationship, of: entity, id: id)
            try unit.move(related, to: index, in: relationship, of: entity, id: id)
        }
    }

    /// Makes a to-many relationship lead to some objects, and to no others; an ordered one in this order.
    ///
    /// - Parameters:
    ///   - ids: The objects, each once; each leaves the owner it had, if it can have one only.
    ///   - relationship: The relationship.
    ///   - entity: The owner's entity.
    ///   - id: The owner's identifier.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` for an identifier that is given twice; as
    ///   ``add(_:to:of:id:)`` and ``remove(_:from:of:id:)``.
    /// - Complexity: That of a removal for each object that leaves, and of one addition of all.
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
