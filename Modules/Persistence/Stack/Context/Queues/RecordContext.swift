import StrataCore

/// The operations that repositories need from a context, with records as values.
///
/// ``ManagedObjectContext`` conforms to this protocol; in tests, `InMemoryRecords` of `StrataTesting` does too. Every
/// call is a complete unit of work: it reads what is saved, and its changes are saved when it returns. Combine
/// operations that belong together in one ``transaction(mergePolicy:_:)``. In a canceled task, the calls of a context
/// throw `CancellationError`. A service that must finish its work runs it in a separate task.
///
/// All other methods have default implementations. They call ``transaction(mergePolicy:_:)``, including the retries;
/// only ``transactionReportingChanges(mergePolicy:_:)`` throws an error by default. A context that observes another
/// one, or a context that fails, therefore needs only a few lines:
///
/// ```swift
/// struct FullDisk: RecordContext {
///     func transaction<Result: Sendable>(
///         mergePolicy: MergePolicy?, _ body: @Sendable (any RecordTransaction) throws -> Result
///     ) async throws -> Result {
///         throw PersistenceError(.diskFull, "the disk is full")
///     }
/// }
/// ```
public protocol RecordContext: Sendable {
    /// Runs a unit of work and saves its changes when `body` returns.
    ///
    /// The save is atomic. If `body` throws, nothing is saved.
    ///
    /// Some merge policies write a new record over an existing one if its unique value exists already. Under such a
    /// policy, `insert` returns the existing record with the new values. If another process inserts the value between
    /// the call and the save, the save has the same effect. In that case no row has the identifier that `body`
    /// received. ``transactionReportingChanges(mergePolicy:_:)`` returns the identifiers of both.
    ///
    /// - Parameters:
    ///   - mergePolicy: The policy of the save for objects that another save changed since `body` read them; `nil` to
    ///     throw an error.
    ///   - body: The work, on records as values.
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`, or the reason why the save failed; `CancellationError` if the task was canceled
    ///   before anything was written.
    @discardableResult
    func transaction<Result: Sendable>(
        mergePolicy: MergePolicy?, _ body: @Sendable (any RecordTransaction) throws -> Result
    ) async throws -> Result

    /// Runs a unit of work, and returns its result with the changes that its save wrote.
    ///
    /// The default implementation throws an error with code ``PersistenceError/Code/invalidRequest``.
    ///
    /// - Parameters:
    ///   - mergePolicy: The policy of the save, as for `transaction(mergePolicy:_:)`.
    ///   - body: The work, on records as values.
    /// - Returns: The result of `body`, and the changes by entity and identifier.
    /// - Throws: The same errors as `transaction(mergePolicy:_:)`.
    func transactionReportingChanges<Result: Sendable>(
        mergePolicy: MergePolicy?, _ body: @Sendable (any RecordTransaction) throws -> Result
    ) async throws -> (result: Result, changes: SavedChanges)

    /// Creates a record of an entity with a new identifier and saves it.
    ///
    /// `make` may run again if a row with the identifier exists already.
    func insert<Record: ManagedRecord>(
        into entity: RecordEntity<Record>, _ make: @Sendable (Record.ID) throws -> Record
    ) async throws -> Record

    /// Returns the records that a request selects.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/unreadable`` for a row from which no record can
    ///   be created, unless the request skips such rows.
    func fetch<Record: ManagedRecord>(_ request: FetchRequest<Record>) async throws -> [Record]

    /// Returns a sequence of the records that a request selects, all from one state of the store.
    ///
    /// The default implementation calls ``fetch(_:)``. It is suitable if the records fit in memory, as those of a test
    /// double do.
    func stream<Record: ManagedRecord>(_ request: FetchRequest<Record>) -> RecordSequence<Record>

    /// Returns the number of records that a request selects.
    func count<Record: ManagedRecord>(_ request: FetchRequest<Record>) async throws -> Int

    /// Changes the record of an entity with an identifier and saves it.
    ///
    /// `change` may run again on fresh values if another save changed the record first.
    ///
    /// - Throws: The error of `change`; ``PersistenceError`` with code ``PersistenceError/Code/objectNotFound`` if
    ///   there is no such record, and ``PersistenceError/Code/invalidRequest`` if `change` assigns another identifier.
    func update<Record: ManagedRecord>(
        in entity: RecordEntity<Record>, id: Record.ID, _ change: @Sendable (inout Record) throws -> Void
    ) async throws -> Record

    /// Deletes the records that a request selects, by the model's delete rules, and returns their number.
    func delete<Record: ManagedRecord>(_ request: FetchRequest<Record>) async throws -> Int
}

extension RecordContext {
    /// Runs a unit of work that throws an error if another save changed one of its objects.
    ///
    /// - Throws: The errors of ``transaction(mergePolicy:_:)``.
    @discardableResult @_disfavoredOverload
    public func transaction<Result: Sendable>(
        _ body: @Sendable (any RecordTransaction) throws -> Result
    ) async throws -> Result {
        try await transaction(mergePolicy: nil, body)
    }

    /// Throws an error with code ``PersistenceError/Code/invalidRequest``.
    ///
    /// The default implementation does not know the changes of a save.
    public func transactionReportingChanges<Result: Sendable>(
        mergePolicy: MergePolicy?, _ body: @Sendable (any RecordTransaction) throws -> Result
    ) async throws -> (result: Result, changes: SavedChanges) {
        throw PersistenceError(.invalidRequest, "\(Self.self) does not report the changes of a unit of work")
    }

    /// Runs a unit of work, and repeats it with fresh records after certain errors, such as a conflict.
    ///
    /// Before each further attempt it waits a random time of up to 10 milliseconds, then 20, 40, and so on up to one
    /// second.
    ///
    /// ```swift
    /// try await records.transaction(retrying: 3, after: [.conflict, .locked, .uniqueness]) { unit in
    ///     let last = try unit.fetch(FetchRequest<Bill>(sort: [SortKey(\.number, order: .reverse)], limit: 1)).first
    ///     try unit.insert(Bill.self) { Bill(id: $0, year: 2026, number: (last?.number ?? 0) + 1) }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - count: The maximum number of further attempts, 0 or more.
    ///   - codes: The codes of errors after which the work is repeated. Add ``PersistenceError/Code/uniqueness`` for
    ///     work that computes a unique value from stored data, such as the next number; it is then repeated if the
    ///     value exists already.
    ///   - mergePolicy: The policy of the save for objects that another save changed; `nil` to throw an error.
    ///   - clock: The clock for the waits. A test passes a clock that does not wait.
    ///   - body: The work. It may run several times, so its effects must be such that a rollback can undo them.
    /// - Returns: The result of `body` in the attempt that was saved.
    /// - Throws: The error of the last attempt, as ``transaction(mergePolicy:_:)`` throws it; `CancellationError` if
    ///   the task is canceled during a wait.
    @discardableResult @_disfavoredOverload
    public func transaction<Result: Sendable>(
        retrying count: Int, after codes: Set<PersistenceError.Code> = PersistenceError.passingCodes,
        mergePolicy: MergePolicy? = nil, clock: some Clock<Duration> = ContinuousClock(),
        _ body: @Sendable (any RecordTransaction) throws -> Result
    ) async throws -> Result {
        try await retry(count, after: codes, clock) { _ in try await transaction(mergePolicy: mergePolicy, body) }
    }

    /// Creates a record of an entity with a new identifier, in a separate unit of work.
    ///
    /// `make` may run again with the next identifier, if an import inserted a record under the first one.
    ///
    /// - Returns: The record at the end of the unit of work. A later read shows the changes that hooks of the save
    ///   made.
    public func insert<Record: ManagedRecord>(
        into entity: RecordEntity<Record>, _ make: @Sendable (Record.ID) throws -> Record
    ) async throws -> Record {
        for _ in 0..<RecordRetries.takenIdentifiers {
            let usesGiven = Guarded(false)
            do {
                return try await transaction(mergePolicy: nil) { unit in
                    try unit.insert(into: entity) { id in
                        let record = try make(id)
                        usesGiven.withLock { $0 = record.id == id }
                        return record
                    }
                }
            } catch let error as PersistenceError
                where error.isTakenIdentifier(of: entity.name) && usesGiven.withLock({ $0 })
            {}
        }
        throw PersistenceError.allTaken(of: entity.name)
    }

    /// Returns the records that a request selects.
    public func fetch<Record: ManagedRecord>(_ request: FetchRequest<Record>) async throws -> [Record] {
        try await transaction(mergePolicy: nil) { try $0.fetch(request) }
    }

    /// Returns the records that a request selects, with the records of the relationships that it names.
    ///
    /// - Throws: The errors of ``RecordTransaction/fetchGraph(_:)``.
    public func fetchGraph<Record: ManagedRecord>(
        _ request: FetchRequest<Record>
    ) async throws -> RecordGraph<Record> {
        try await transaction(mergePolicy: nil) { try $0.fetchGraph(request) }
    }

    /// Returns the number of records that a request selects.
    public func count<Record: ManagedRecord>(_ request: FetchRequest<Record>) async throws -> Int {
        try await transaction(mergePolicy: nil) { try $0.count(request) }
    }

    /// Changes the record of an entity with an identifier, in a separate unit of work.
    ///
    /// If another save changed the record in between, the unit of work is repeated on fresh values.
    ///
    /// - Returns: The record at the end of the unit of work. A later read shows the changes that hooks of the save
    ///   made.
    public func update<Record: ManagedRecord>(
        in entity: RecordEntity<Record>, id: Record.ID, _ change: @Sendable (inout Record) throws -> Void
    ) async throws -> Record {
        try await retryingConflicts { try $0.update(in: entity, id: id, change) }
    }

    /// Deletes the records that a request selects, in a separate unit of work, and repeats it after a conflict.
    public func delete<Record: ManagedRecord>(_ request: FetchRequest<Record>) async throws -> Int {
        try await retryingConflicts { try $0.delete(request) }
    }

    private func retryingConflicts<Result: Sendable>(
        _ body: @Sendable (any RecordTransaction) throws -> Result
    ) async throws -> Result {
        for _ in 1..<RecordRetries.attempts {
            do { return try await transaction(mergePolicy: nil, body) } catch let error as PersistenceError
                where error.code == .conflict
            {}
        }
        return try await transaction(mergePolicy: nil, body)
    }

    /// Returns a sequence of the records that a fetch returns.
    public func stream<Record: ManagedRecord>(_ request: FetchRequest<Record>) -> RecordSequence<Record> {
        RecordSequence { try await fetch(request) }
    }
}

extension RecordContext {
    /// Creates a record with a new identifier and saves it.
    ///
    /// `make` may run again if a row with the identifier exists already.
    public func insert<Record: PersistentRecord>(
        _ type: Record.Type, _ make: @Sendable (Record.ID) throws -> Record
    ) async throws -> Record {
        try await insert(into: Record.entity, make)
    }

    /// Changes the record with an identifier and saves it.
    ///
    /// `change` may run again on fresh values if another save changed the record first.
    ///
    /// - Throws: The error of `change`; ``PersistenceError`` with code ``PersistenceError/Code/objectNotFound`` if
    ///   there is no such record, and ``PersistenceError/Code/invalidRequest`` if `change` assigns another identifier.
    @discardableResult
    public func update<Record: PersistentRecord>(
        _ type: Record.Type, id: Record.ID, _ change: @Sendable (inout Record) throws -> Void
    ) async throws -> Record {
        try await update(in: Record.entity, id: id, change)
    }
}

/// The limits on the retries of calls that are complete units of work.
enum RecordRetries {
    /// The maximum number of attempts of an update or a deletion, if other saves change the object in between.
    static let attempts = 100
    /// The maximum number of further attempts to insert a record whose unique value another process inserted.
    static let insertions = 5
    /// The maximum number of successive identifiers that may exist already: the size of the largest reserved block.
    static let takenIdentifiers = 4096
}

extension PersistenceError {
    /// Returns a Boolean value that indicates whether another object of the entity has the identifier.
    func isTakenIdentifier(of entity: String) -> Bool {
        code == .uniqueness && self.entity == entity && attribute == "id"
    }

    /// Returns the error for too many successive identifiers that exist already.
    static func allTaken(of entity: String) -> PersistenceError {
        PersistenceError(
            .uniqueness, "the next \(RecordRetries.takenIdentifiers) identifiers already exist", entity: entity,
            attribute: "id")
    }
}
