import StrataCore
import StrataStoreKit

/// A context that reads and writes records, for repositories.
///
/// ``ManagedObjectContext`` conforms to this protocol; for tests, `InMemoryRecords` of `StrataTesting` conforms too.
/// Every call is a complete unit of work: it reads what is saved, and its changes are saved when it returns. Combine
/// operations that belong together in one ``transaction(mergePolicy:_:)``. In a canceled task, the calls throw
/// `CancellationError`. If a service must finish its work despite a cancellation, it runs the work in a separate task.
///
/// All methods except ``transaction(mergePolicy:_:)`` have default implementations, which call it. Only the default
/// implementation of ``transactionReportingChanges(mergePolicy:_:)`` throws an error instead. A custom context, for
/// example one that observes another context or that always fails, therefore needs only a few lines:
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
///
/// Write repositories and services over this protocol, so that tests can replace the store. The methods may be called
/// from any task, also concurrently.
///
/// ## Topics
///
/// ### Units of work
///
/// - ``transaction(mergePolicy:_:)``
/// - ``transaction(retrying:after:mergePolicy:clock:_:)``
/// - ``transactionReportingChanges(mergePolicy:_:)``
///
/// ### Fetching records
///
/// - ``fetch(_:)``
/// - ``fetchGraph(_:)``
/// - ``stream(_:)``
/// - ``count(_:)``
/// - ``find(_:by:_:)``
/// - ``findVersioned(_:entity:id:)``
///
/// ### Selecting values and aggregates
///
/// - ``select(_:distinct:_:)``
/// - ``select(_:distinct:values:)``
/// - ``select(_:of:)``
/// - ``aggregate(_:_:)``
/// - ``aggregate(_:by:select:having:order:limit:offset:)``
/// - ``fetchVersions(_:)``
/// - ``values(_:of:)``
///
/// ### Pages and trees
///
/// - ``page(_:size:after:)``
/// - ``descendants(_:of:through:maximumDepth:order:)``
/// - ``ancestors(_:of:through:maximumDepth:order:)``
///
/// ### Changing records
///
/// - ``insert(_:_:)``
/// - ``insert(into:_:)``
/// - ``findOrInsert(_:entity:_:)``
/// - ``update(_:id:_:)``
/// - ``update(in:id:_:)``
/// - ``update(_:entity:id:ifVersion:_:)``
/// - ``delete(_:)``
/// - ``delete(_:entity:id:ifVersion:)``
///
/// ### Changing many records
///
/// - ``batchUpdate(_:entity:where:_:)``
/// - ``batchDelete(_:entity:where:)``
public protocol RecordContext: Sendable {
    /// Runs a unit of work and saves its changes when `body` returns.
    ///
    /// The save is atomic. If `body` throws, nothing is saved.
    ///
    /// Under some merge policies, a new record whose unique value exists already is written to the existing record.
    /// `insert` then returns the existing record with the new values. If another process inserts the value between the
    /// call and the save, the save has the same effect. In that case no row has the identifier that `body` received,
    /// and ``transactionReportingChanges(mergePolicy:_:)`` returns the identifiers of both records.
    ///
    /// - Parameters:
    ///   - mergePolicy: The policy for objects that another save changed since `body` read them; if it is `nil`, such
    ///     an object makes the save throw an error.
    ///   - body: A closure that reads and writes records.
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`, or the error of the save; `CancellationError` if the task was canceled before
    ///   anything was written.
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
    ///   - body: A closure that reads and writes records.
    /// - Returns: The result of `body`, and the changes that the save wrote, by entity and identifier.
    /// - Throws: The same errors as `transaction(mergePolicy:_:)`.
    func transactionReportingChanges<Result: Sendable>(
        mergePolicy: MergePolicy?, _ body: @Sendable (any RecordTransaction) throws -> Result
    ) async throws -> (result: Result, changes: SavedChanges)

    /// Creates a record of an entity with a new identifier and saves it.
    ///
    /// If a row with the new identifier exists already, `make` runs again with another identifier.
    ///
    /// - Parameters:
    ///   - entity: The entity of the record.
    ///   - make: A closure that creates the record. If it returns a record with another identifier than the one that it
    ///     receives, no row may have that identifier.
    /// - Returns: The saved record.
    /// - Throws: The error of `make`, or the error of the save, for example with code
    ///   ``PersistenceError/Code/validation`` or ``PersistenceError/Code/uniqueness``.
    func insert<Record: ManagedRecord>(
        into entity: RecordEntity<Record>, _ make: @Sendable (Record.ID) throws -> Record
    ) async throws -> Record

    /// Returns the records that a request selects.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/unreadable`` if no record can be created from a
    ///   row and the request does not skip such rows.
    func fetch<Record: ManagedRecord>(_ request: FetchRequest<Record>) async throws -> [Record]

    /// Returns a sequence of the records that a request selects, all from one state of the store.
    ///
    /// The default implementation calls ``fetch(_:)``, so all records must fit in memory, as in a test double.
    ///
    /// - Parameter request: The request for the records.
    /// - Returns: The sequence, which reads when a loop over it begins.
    func stream<Record: ManagedRecord>(_ request: FetchRequest<Record>) -> RecordSequence<Record>

    /// Returns the number of records that a request selects.
    ///
    /// - Parameter request: The request, whose limit and offset apply to the number.
    /// - Returns: The number of records, including those of rows that cannot be read.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if the request is invalid.
    func count<Record: ManagedRecord>(_ request: FetchRequest<Record>) async throws -> Int

    /// Returns the values of each result of a selection from the records of an entity.
    ///
    /// The typed methods, such as ``aggregate(_:_:)`` and ``select(_:distinct:_:)``, use it.
    ///
    /// - Parameters:
    ///   - selection: The selection, whose entity is `entity`.
    ///   - entity: The entity of the records.
    /// - Returns: The values of each result, in the order of the selection.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` for an invalid selection, or
    ///   ``PersistenceError/Code/arithmetic`` if a number does not fit in 64 bits.
    func values<Record: ManagedRecord>(
        _ selection: StoreSelection, of entity: RecordEntity<Record>
    ) async throws -> [[StoredValue]]

    /// Changes the record of an entity with an identifier and saves it.
    ///
    /// If another save changed the record meanwhile, `change` runs again with the newly read record.
    ///
    /// - Throws: The error of `change`; ``PersistenceError`` with code ``PersistenceError/Code/objectNotFound`` if
    ///   there is no such record, and ``PersistenceError/Code/invalidRequest`` if `change` assigns another identifier.
    func update<Record: ManagedRecord>(
        in entity: RecordEntity<Record>, id: Record.ID, _ change: @Sendable (inout Record) throws -> Void
    ) async throws -> Record

    /// Deletes the records that a request selects, applies the model's delete rules, and returns the number of selected
    /// records.
    ///
    /// All selected records are in memory until the save. To delete many rows, use
    /// ``PersistentContainer/batchDelete(_:entity:where:dryRun:)``.
    ///
    /// - Parameter request: The request for the records. A limit, an offset and sort keys apply.
    /// - Returns: The number of selected records, without those that delete rules delete in addition.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/validation`` if a delete rule denies the
    ///   deletion; nothing is then deleted.
    func delete<Record: ManagedRecord>(_ request: FetchRequest<Record>) async throws -> Int
}

extension RecordContext {
    /// Runs a unit of work without a merge policy: if another save changed one of its objects, the save throws an
    /// error.
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
    /// The default implementation cannot determine the changes of a save.
    public func transactionReportingChanges<Result: Sendable>(
        mergePolicy: MergePolicy?, _ body: @Sendable (any RecordTransaction) throws -> Result
    ) async throws -> (result: Result, changes: SavedChanges) {
        throw PersistenceError(.invalidRequest, "\(Self.self) does not report the changes of a unit of work")
    }

    /// Runs a unit of work, and repeats it with newly read records after certain errors, such as a conflict.
    ///
    /// The method waits a random time before each repetition: up to 10 milliseconds before the first one, then up to
    /// 20, 40, and so on, at most one second.
    ///
    /// ```swift
    /// try await records.transaction(retrying: 3, after: [.conflict, .locked, .uniqueness]) { unit in
    ///     let last = try unit.fetch(FetchRequest<Bill>(sort: [SortKey(\.number, order: .reverse)], limit: 1)).first
    ///     try unit.insert(Bill.self) { Bill(id: $0, year: 2026, number: (last?.number ?? 0) + 1) }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - count: The maximum number of repetitions, 0 or more.
    ///   - codes: The codes of the errors after which the work is repeated. If the work computes a unique value from
    ///     stored data, such as the next number, include ``PersistenceError/Code/uniqueness``. The work is then
    ///     repeated if another record already has the value.
    ///   - mergePolicy: The policy for objects that another save changed; if it is `nil`, such an object makes the save
    ///     throw an error.
    ///   - clock: The clock that measures the waits. Tests pass a clock that does not wait.
    ///   - body: The work. It may run several times, so it must not have effects that a rollback cannot undo.
    /// - Returns: The result of `body` in the attempt that was saved.
    /// - Throws: The error of the last attempt, which is one of ``transaction(mergePolicy:_:)``; `CancellationError` if
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
    /// If an import already inserted a row with the new identifier, `make` runs again with the next identifier.
    ///
    /// - Returns: The record at the end of the unit of work, without the changes that hooks of the save make
    ///   afterwards. A later fetch returns the record with these changes.
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

    /// Returns the records that a request selects, with the records of the relationships that it prefetches.
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
    /// If another save changed the record after it was read, the unit of work is repeated with the newly read record.
    ///
    /// - Returns: The record at the end of the unit of work, without the changes that hooks of the save make
    ///   afterwards. A later fetch returns the record with these changes.
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

    /// Returns a sequence of the records that ``fetch(_:)`` returns.
    public func stream<Record: ManagedRecord>(_ request: FetchRequest<Record>) -> RecordSequence<Record> {
        RecordSequence { try await fetch(request) }
    }
}

extension RecordContext {
    /// Creates a record with a new identifier and saves it.
    ///
    /// If a row with the new identifier exists already, `make` runs again with another identifier.
    public func insert<Record: PersistentRecord>(
        _ type: Record.Type, _ make: @Sendable (Record.ID) throws -> Record
    ) async throws -> Record {
        try await insert(into: Record.entity, make)
    }

    /// Changes the record with an identifier and saves it.
    ///
    /// If another save changed the record meanwhile, `change` runs again with the newly read record.
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

/// The limits on repetitions inside a call that is a complete unit of work.
enum RecordRetries {
    /// The maximum number of attempts of an update or a deletion whose object other saves change meanwhile.
    static let attempts = 100
    /// The maximum number of repeated attempts to insert a record if another process inserts the same unique value.
    static let insertions = 5
    /// The maximum number of consecutive identifiers to try that rows have already: the maximum size of a reserved
    /// block.
    static let takenIdentifiers = 4096
}

extension PersistenceError {
    /// Returns a Boolean value that indicates whether this error means that another object of the entity has the
    /// identifier.
    func isTakenIdentifier(of entity: String) -> Bool {
        code == .uniqueness && self.entity == entity && attribute == "id"
    }

    /// Returns the error that is thrown if rows exist for too many consecutive new identifiers.
    static func allTaken(of entity: String) -> PersistenceError {
        PersistenceError(
            .uniqueness, "the next \(RecordRetries.takenIdentifiers) identifiers already exist", entity: entity,
            attribute: "id")
    }
}
