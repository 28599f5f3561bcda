import StrataCore

/// A running unit of work on records, which is the argument of ``RecordContext/transaction(mergePolicy:_:)``.
///
/// The methods take and return records, and identify objects by their identifiers. Every call reads the earlier changes
/// of the same unit of work. When the outermost closure returns, either all changes are written or none. Use a unit of
/// work only inside that closure and on its thread.
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
/// The unit of work of a ``ManagedObjectContext`` uses a separate context. `InMemoryRecords` of `StrataTesting`
/// provides a unit of work without a context.
///
/// Methods with a record type (`Item.self`) and key paths (`\.employees`) are for types that declare their entity.
/// Methods with a ``RecordEntity`` are for ``DynamicRecord`` and for generic code.
///
/// If a method throws an error and the closure catches it, the unit of work continues and its other changes are saved.
/// To roll back only a part of the changes, use ``transaction(_:)``.
///
/// ## Topics
///
/// ### Fetching records
///
/// - ``fetch(_:)``
/// - ``fetchGraph(_:)``
/// - ``count(_:)``
/// - ``find(_:id:)``
/// - ``find(in:id:)``
/// - ``find(_:by:_:)``
/// - ``versioned(_:)``
/// - ``findVersioned(_:entity:id:)``
///
/// ### Selecting values, pages and trees
///
/// - ``RecordSelecting``
///
/// ### Inserting records
///
/// - ``insert(_:)``
/// - ``insert(_:_:)``
/// - ``insert(into:_:)``
/// - ``findOrInsert(_:entity:_:)``
///
/// ### Changing records
///
/// - ``update(_:id:_:)``
/// - ``update(in:id:_:)``
/// - ``update(_:_:)``
/// - ``update(_:entity:id:ifVersion:_:)``
/// - ``batchUpdate(_:entity:where:_:)``
///
/// ### Deleting records
///
/// - ``delete(_:)``
/// - ``delete(_:id:)``
/// - ``delete(from:id:)``
/// - ``delete(_:entity:id:ifVersion:)``
/// - ``batchDelete(_:entity:where:)``
///
/// ### Savepoints
///
/// - ``transaction(_:)``
public protocol RecordTransaction: RecordSelecting {
    /// Inserts a record of an entity that a closure creates with a new identifier.
    ///
    /// The model's rules are checked by the save at the latest.
    ///
    /// - Parameters:
    ///   - entity: The entity of the record.
    ///   - make: A closure that creates the record with the identifier that it receives.
    /// - Returns: The inserted record; under some merge policies, an existing record with the same unique value, which
    ///   received the new values or retains its own. See ``RecordContext/transaction(mergePolicy:_:)``.
    /// - Throws: The error of `make`; ``PersistenceError`` with code ``PersistenceError/Code/identifiersExhausted`` if
    ///   all identifiers are used.
    @discardableResult
    func insert<Record: ManagedRecord>(
        into entity: RecordEntity<Record>, _ make: (Record.ID) throws -> Record
    ) throws -> Record

    /// Inserts a record with the identifier that it contains.
    ///
    /// Use this method to copy records. If a row with the identifier exists in the store, the save throws
    /// ``PersistenceError/Code/uniqueness``, unless its merge policy resolves this.
    ///
    /// - Parameter record: The new record, which contains its identifier.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/uniqueness`` if the unit of work already has a
    ///   record with the identifier.
    func insert<Record: ManagedRecord>(_ record: Record) throws

    /// Returns the records that a request selects.
    ///
    /// The records include the changes of this unit of work. The request's limit and offset apply after these changes.
    ///
    /// - Parameter request: The request for the records.
    /// - Returns: The records in the order of the request.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/unreadable`` if a row forms no valid record and
    ///   the request does not skip such rows.
    func fetch<Record: ManagedRecord>(_ request: FetchRequest<Record>) throws -> [Record]

    /// Returns the records that a request selects, with the records of the relationships that it prefetches.
    ///
    /// The method executes one statement for the records and one for each relationship, or two for a many-to-many
    /// relationship.
    ///
    /// - Throws: The errors of ``fetch(_:)``, and an error with code ``PersistenceError/Code/invalidRequest`` if the
    ///   entity does not have a prefetched relationship. The default implementation always throws that error.
    func fetchGraph<Record: ManagedRecord>(_ request: FetchRequest<Record>) throws -> RecordGraph<Record>

    /// Returns the records that a request selects, with the versions of their rows.
    ///
    /// If this unit of work changed a record, the version is that of the record's row before the change.
    ///
    /// - Throws: The errors of ``fetch(_:)``. The default implementation throws an error with code
    ///   ``PersistenceError/Code/invalidRequest``.
    func versioned<Record: ManagedRecord>(_ request: FetchRequest<Record>) throws -> [Versioned<Record>]

    /// Returns the number of records that a request selects.
    ///
    /// - Parameter request: The request, whose limit and offset apply to the number.
    /// - Returns: The number of records, including the changes of this unit of work.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if the request is invalid.
    func count<Record: ManagedRecord>(_ request: FetchRequest<Record>) throws -> Int

    /// Changes the record of an entity with an identifier.
    ///
    /// If `change` throws an error, the record is unchanged.
    ///
    /// - Parameters:
    ///   - entity: The entity of the record.
    ///   - id: The identifier of the record.
    ///   - change: A closure that changes the record.
    /// - Returns: The changed record.
    /// - Throws: The error of `change`; ``PersistenceError`` with code ``PersistenceError/Code/objectNotFound`` if
    ///   there is no such record, and ``PersistenceError/Code/invalidRequest`` if `change` assigns another identifier.
    @discardableResult
    func update<Record: ManagedRecord>(
        in entity: RecordEntity<Record>, id: Record.ID, _ change: (inout Record) throws -> Void
    ) throws -> Record

    /// Changes every record that a request selects, and returns the number of these records.
    ///
    /// All selected records are in memory until the unit of work ends. If `change` throws an error, the records before
    /// are changed already; use ``transaction(_:)`` to roll them back.
    ///
    /// - Parameters:
    ///   - request: The request for the records.
    ///   - change: A closure that is called once for each record, in the order of the request.
    /// - Returns: The number of selected records, including those that `change` left as they were.
    /// - Throws: The error of `change`; ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if
    ///   `change` assigns another identifier to a record.
    @discardableResult
    func update<Record: ManagedRecord>(
        _ request: FetchRequest<Record>, _ change: (inout Record) throws -> Void
    ) throws -> Int

    /// Deletes the records that a request selects, applies the model's delete rules, and returns the number of selected
    /// records.
    ///
    /// If a delete rule denies a deletion, the save throws an error. Later fetches of this unit of work do not return
    /// the deleted records.
    ///
    /// - Parameter request: The request for the records.
    /// - Returns: The number of selected records, without those that delete rules delete in addition.
    /// - Throws: The errors of ``fetch(_:)``.
    @discardableResult
    func delete<Record: ManagedRecord>(_ request: FetchRequest<Record>) throws -> Int

    /// Returns the related records of a to-many relationship, in the relationship's order or, if it is unordered, by
    /// identifier.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/objectNotFound`` if the owner does not exist.
    func related<Source: ManagedRecord, Destination: ManagedRecord>(
        _ relationship: ToMany<Source, Destination>, of entity: RecordEntity<Source>, id: Source.ID
    ) throws -> [Destination]

    /// Returns the related record of a one-to-one relationship whose column is in the related row, or `nil` if there is
    /// none.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/objectNotFound`` if the owner does not exist.
    func related<Source: ManagedRecord, Destination: ManagedRecord>(
        _ relationship: ToOne<Source, Destination>, of entity: RecordEntity<Source>, id: Source.ID
    ) throws -> Destination?

    /// Returns the number of related records of a to-many relationship.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/objectNotFound`` if the owner does not exist.
    func count<Source: ManagedRecord, Destination: ManagedRecord>(
        _ relationship: ToMany<Source, Destination>, of entity: RecordEntity<Source>, id: Source.ID
    ) throws -> Int

    /// Adds objects to a to-many relationship; in an ordered relationship, they are last, in the order of the array.
    ///
    /// If an object can have only one owner, it is removed from its previous owner.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/objectNotFound`` if an object or the owner does
    ///   not exist.
    func add<Source: ManagedRecord, Destination: ManagedRecord>(
        _ ids: [Destination.ID], to relationship: ToMany<Source, Destination>,
        of entity: RecordEntity<Source>, id: Source.ID
    ) throws

    /// Removes an object from a to-many relationship; if the relationship does not contain the object, nothing is
    /// changed.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/objectNotFound`` if the object or the owner
    ///   does not exist, or ``PersistenceError/Code/validation`` if the object must have an owner.
    func remove<Source: ManagedRecord, Destination: ManagedRecord>(
        _ related: Destination.ID, from relationship: ToMany<Source, Destination>,
        of entity: RecordEntity<Source>, id: Source.ID
    ) throws

    /// Moves an object of an ordered relationship to another index among the other objects of the relationship, from 0.
    ///
    /// An index greater than their number moves the object to the end.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/objectNotFound`` if the object is not in the
    ///   relationship, or ``PersistenceError/Code/invalidRequest`` if the relationship has no order or the index is
    ///   negative.
    func move<Source: ManagedRecord, Destination: ManagedRecord>(
        _ related: Destination.ID, to index: Int, in relationship: ToMany<Source, Destination>,
        of entity: RecordEntity<Source>, id: Source.ID
    ) throws

    /// Runs `body` in a savepoint: if `body` throws an error, only its changes are rolled back; earlier changes remain.
    ///
    /// A savepoint saves nothing. If `body` returns, its changes belong to this unit of work, and are saved or rolled
    /// back together with it.
    ///
    /// - Parameter body: The work. Its argument may be used only inside the closure.
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`. If the caller catches it, the unit of work continues without the changes of
    ///   `body`.
    func transaction<Result>(_ body: (any RecordTransaction) throws -> Result) throws -> Result
}

extension RecordTransaction {
    /// Throws an error with code ``PersistenceError/Code/invalidRequest``.
    ///
    /// The default implementation cannot read related records.
    public func fetchGraph<Record: ManagedRecord>(_ request: FetchRequest<Record>) throws -> RecordGraph<Record> {
        throw PersistenceError(.invalidRequest, "\(Self.self) does not read records with their relationships")
    }

    /// Returns the record of an entity with an identifier, or `nil` if no such record exists.
    public func find<Record: ManagedRecord>(in entity: RecordEntity<Record>, id: Record.ID) throws -> Record? {
        try fetch(FetchRequest(entity, id: id)).first
    }

    /// Deletes the record of an entity with an identifier, and applies the model's delete rules.
    ///
    /// - Returns: `false` if no such record exists; otherwise `true`.
    @discardableResult
    public func delete<Record: ManagedRecord>(from entity: RecordEntity<Record>, id: Record.ID) throws -> Bool {
        try delete(FetchRequest(entity, id: id)) > 0
    }

    /// Adds an object to a to-many relationship; in an ordered relationship, the object is last.
    ///
    /// - Throws: The errors of the method for several objects.
    public func add<Source: ManagedRecord, Destination: ManagedRecord>(
        _ related: Destination.ID, to relationship: ToMany<Source, Destination>,
        of entity: RecordEntity<Source>, id: Source.ID
    ) throws {
        try add([related], to: relationship, of: entity, id: id)
    }

    /// Inserts an object into an ordered to-many relationship at an index.
    ///
    /// - Parameters:
    ///   - related: The identifier of the object. If the object can have only one owner, it is removed from its
    ///     previous owner.
    ///   - index: The index among the other objects of the relationship, from 0. An index greater than their number
    ///     inserts the object at the end.
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

    /// Replaces the related objects of a to-many relationship; in an ordered relationship, they have the order of the
    /// array.
    ///
    /// - Parameters:
    ///   - ids: The identifiers of the objects, each once. If an object can have only one owner, it is removed from its
    ///     previous owner.
    ///   - relationship: The relationship.
    ///   - entity: The owner's entity.
    ///   - id: The owner's identifier.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if an identifier occurs twice,
    ///   and the errors of ``add(_:to:of:id:)`` and ``remove(_:from:of:id:)``.
    /// - Complexity: The cost of one removal for each removed object, and of one addition of all objects.
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
