import StrataCore

/// What repositories need of a context: values in, values out.
///
/// ``ManagedObjectContext`` conforms; in a test `InMemoryRecords` of `StrataTesting` does. Every call is a whole unit of work: it sees what is saved, and
/// what it changes is saved when it returns. Several things that belong together are one ``transaction(mergePolicy:_:)``. A context's calls throw
/// `CancellationError` in a cancelled task; a service that wants to finish what it began does that in a task of its own.
///
/// All else is made of ``transaction(mergePolicy:_:)`` unless written, retries included, so that one that watches another, or fails, is a few lines:
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
    /// Runs a unit of work: what `body` changed is saved when it returns, all or nothing; where it throws, nothing is.
    ///
    /// Under a merge policy that writes a new record over another one because its unique value is taken, `insert` returns the other record with the new values.
    /// If another process inserts the value between the call and the save, the save has the same effect, and the identifier that `body` got has no row:
    /// ``transactionReportingChanges(mergePolicy:_:)`` returns the identifiers of both.
    ///
    /// - Parameters:
    ///   - mergePolicy: What the save does about objects that somebody else changed since `body` read them; `nil` for an error.
    ///   - body: The work, on records as values.
    /// - Returns: What `body` gives.
    /// - Throws: What `body` throws, or why it could not be saved; `CancellationError` when the task was cancelled before anything was written.
    @discardableResult
    func transaction<Result: Sendable>(
        mergePolicy: MergePolicy?, _ body: @Sendable (any RecordTransaction) throws -> Result
    ) async throws -> Result

    /// Runs a unit of work, and returns its result with the changes that its save wrote.
    ///
    /// Unless it is implemented, it throws an error with code ``PersistenceError/Code/invalidRequest``.
    ///
    /// - Parameters:
    ///   - mergePolicy: As for `transaction(mergePolicy:_:)`.
    ///   - body: The work, on records as values.
    /// - Returns: What `body` returns, and the changes by entity and identifier.
    /// - Throws: As `transaction(mergePolicy:_:)`.
    func transactionReportingChanges<Result: Sendable>(
        mergePolicy: MergePolicy?, _ body: @Sendable (any RecordTransaction) throws -> Result
    ) async throws -> (result: Result, changes: SavedChanges)

    /// Makes a record of an entity with a new identifier and saves it. `make` may run again, when the identifier turns out to be taken.
    func insert<Record: ManagedRecord>(
        into entity: RecordEntity<Record>, _ make: @Sendable (Record.ID) throws -> Record
    ) async throws -> Record

    /// The records a request selects.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/unreadable`` for a row that is no record, unless the request skips such.
    func fetch<Record: ManagedRecord>(_ request: FetchRequest<Record>) async throws -> [Record]

    /// The records a request selects, one after the other, all from one state of the store.
    ///
    /// Made of ``fetch(_:)`` unless written: right for what fits in memory, as a stand-in's records do.
    func stream<Record: ManagedRecord>(_ request: FetchRequest<Record>) -> RecordSequence<Record>

    /// The number of records a request selects.
    func count<Record: ManagedRecord>(_ request: FetchRequest<Record>) async throws -> Int

    /// Changes the record of an entity with an identifier and saves it. `change` may run again, on fresh values, when somebody else was faster.
    ///
    /// - Throws: What `change` throws; ``PersistenceError`` with code ``PersistenceError/Code/objectNotFound`` when there is none, and
    ///   ``PersistenceError/Code/invalidRequest`` when `change` gives it another identifier.
    func update<Record: ManagedRecord>(
        in entity: RecordEntity<Record>, id: Record.ID, _ change: @Sendable (inout Record) throws -> Void
    ) async throws -> Record

    /// Deletes the records a request selects, by the model's delete rules, and gives their number.
    func delete<Record: ManagedRecord>(_ request: FetchRequest<Record>) async throws -> Int
}

extension RecordContext {
    /// Runs a unit of work, which throws where somebody else changed what it changes.
    ///
    /// - Throws: As ``transaction(mergePolicy:_:)``.
    @discardableResult @_disfavoredOverload
    public func transaction<Result: Sendable>(
        _ body: @Sendable (any RecordTransaction) throws -> Result
    ) async throws -> Result {
        try await transaction(mergePolicy: nil, body)
    }

    /// Throws an error with code ``PersistenceError/Code/invalidRequest``: the default does not know the changes of a save.
    public func transactionReportingChanges<Result: Sendable>(
        mergePolicy: MergePolicy?, _ body: @Sendable (any RecordTransaction) throws -> Result
    ) async throws -> (result: Result, changes: SavedChanges) {
        throw PersistenceError(.invalidRequest, "\(Self.self) does not report the changes of a unit of work")
    }

    /// Runs a unit of work, and again where somebody else came between, from records that are read again.
    ///
    /// Before each further attempt it waits, a random time of up to 10 milliseconds, then 20, 40 and so on up to a second.
    ///
    /// ```swift
    /// try await records.transaction(retrying: 3, after: [.conflict, .locked, .uniqueness]) { unit in
    ///     let last = try unit.fetch(FetchRequest<Bill>(sort: [SortKey(\.number, order: .reverse)], limit: 1)).first
    ///     try unit.insert(Bill.self) { Bill(id: $0, year: 2026, number: (last?.number ?? 0) + 1) }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - count: How many further attempts there may be, 0 or more.
    ///   - codes: The codes of errors after which it tries again. With ``PersistenceError/Code/uniqueness``, it tries again after a unique value was taken: right for
    ///     work that computes the value from what is stored, such as the next number.
    ///   - mergePolicy: What the save does about objects that somebody else changed; `nil` for an error.
    ///   - clock: Draws the waits; a test gives one that does not wait.
    ///   - body: The work. It may run several times, so it does nothing that cannot be taken back.
    /// - Returns: What `body` gives in the attempt that was saved.
    /// - Throws: As ``transaction(mergePolicy:_:)``, the last attempt's error; `CancellationError` when the task is cancelled while it waits.
    @discardableResult @_disfavoredOverload
    public func transaction<Result: Sendable>(
        retrying count: Int, after codes: Set<PersistenceError.Code> = PersistenceError.passingCodes,
        mergePolicy: MergePolicy? = nil, clock: some Clock<Duration> = ContinuousClock(),
        _ body: @Sendable (any RecordTransaction) throws -> Result
    ) async throws -> Result {
        try await retry(count, after: codes, clock) { _ in try await transaction(mergePolicy: mergePolicy, body) }
    }

    /// Makes a record of an entity with a new identifier, in a unit of work of its own.
    ///
    /// `make` may run again, with the next identifier, where somebody imported a record under the first.
    ///
    /// - Returns: The record as the unit of work left it: what hooks of its save make of it a later read tells.
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

    /// The records a request selects.
    public func fetch<Record: ManagedRecord>(_ request: FetchRequest<Record>) async throws -> [Record] {
        try await transaction(mergePolicy: nil) { try $0.fetch(request) }
    }

    /// Returns the records that a request selects, and those to which the relationships lead that it names.
    ///
    /// - Throws: As ``RecordTransaction/fetchGraph(_:)``.
    public func fetchGraph<Record: ManagedRecord>(
        _ request: FetchRequest<Record>
    ) async throws -> RecordGraph<Record> {
        try await transaction(mergePolicy: nil) { try $0.fetchGraph(request) }
    }

    /// The number of records a request selects.
    public func count<Record: ManagedRecord>(_ request: FetchRequest<Record>) async throws -> Int {
        try await transaction(mergePolicy: nil) { try $0.count(request) }
    }

    /// Changes the record of an entity with an identifier, in a unit of work of its own, and again on fresh values where somebody else came between.
    ///
    /// - Returns: The record as the unit of work left it: what hooks of its save make of it a later read tells.
    public func update<Record: ManagedRecord>(
        in entity: RecordEntity<Record>, id: Record.ID, _ change: @Sendable (inout Record) throws -> Void
    ) async throws -> Record {
        try await retryingConflicts { try $0.update(in: entity, id: id, change) }
    }

    /// Deletes the records a request selects, in a unit of work of its own, and again where somebody else came between.
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

    /// The records that a fetch gives, one after the other.
    public func stream<Record: ManagedRecord>(_ request: FetchRequest<Record>) -> RecordSequence<Record> {
        RecordSequence { try await fetch(request) }
    }
}

extension RecordContext {
    /// Makes a record with a new identifier and saves it.
    ///
    /// `make` may run again, when the identifier turns out to be taken.
    public func insert<Record: PersistentRecord>(
        _ type: Record.Type, _ make: @Sendable (Record.ID) throws -> Record
    ) async throws -> Record {
        try await insert(into: Record.entity, make)
    }

    /// Changes the record with an identifier and saves it.
    ///
    /// `change` may run again, on fresh values, when somebody else was faster.
    ///
    /// - Throws: What `change` throws; ``PersistenceError`` with code ``PersistenceError/Code/objectNotFound`` when there is none, and
    ///   ``PersistenceError/Code/invalidRequest`` when `change` gives it another identifier.
    @discardableResult
    public func update<Record: PersistentRecord>(
        _ type: Record.Type, id: Record.ID, _ change: @Sendable (inout Record) throws -> Void
    ) async throws -> Record {
        try await update(in: Record.entity, id: id, change)
    }
}

/// How often a call that is a whole unit of work starts again.
enum RecordRetries {
    /// An update or deletion, at most, because somebody else changed the object in between.
    static let attempts = 100
    /// How often a record is inserted again because another process inserted its unique value meanwhile.
    static let insertions = 5
    /// How many identifiers in a row may turn out to be taken: as many as the greatest block of reserved ones has.
    static let takenIdentifiers = 4096
}

extension PersistenceError {
    /// Whether another object of the entity has the identifier.
    func isTakenIdentifier(of entity: String) -> Bool {
        code == .uniqueness && self.entity == entity && attribute == "id"
    }

    /// So many identifiers in a row were taken.
    static func allTaken(of entity: String) -> PersistenceError {
        PersistenceError(
            .uniqueness, "the next \(RecordRetries.takenIdentifiers) identifiers are all taken already", entity: entity,
            attribute: "id")
    }
}
