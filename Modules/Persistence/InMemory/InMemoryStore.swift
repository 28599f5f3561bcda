import Foundation
public import StrataCore
public import StrataStoreKit

/// A store in memory, with the same rules as a SQLite store and without files.
///
/// Use it for tests, previews, and data that another source can restore. Its rows are lost when the store is closed or
/// released.
///
/// ```swift
/// let container = try PersistentContainer(model: model, .inMemory, mainQueue: .private)
/// ```
///
/// Its whole state is one value that is copied on write. A copy of a prepared store therefore has no cost until one of
/// the two changes. A snapshot has no cost either until the store changes.
///
/// Requests for equality or for a list of values use an index for unique attributes, references, and attributes that
/// the model declares as indexed. All other requests scan all rows of their entity. A fetch, a cursor and a sort hold
/// the selected rows in memory.
///
/// Any thread may call any method; each method blocks until it is done. Writers wait for each other. Readers do not
/// wait for a bulk insert or a transaction: they see the previous state until it ends.
///
/// ## Topics
///
/// ### Creating a store
///
/// - ``init(model:)``
/// - ``init(copyOf:model:)``
/// - ``copy()``
/// - ``model``
/// - ``close()``
///
/// ### Reading rows
///
/// - ``fetch(_:_:)``
/// - ``count(_:)``
/// - ``openCursor(_:)``
/// - ``joins(_:_:)``
/// - ``openSnapshots(_:)``
///
/// ### Writing rows
///
/// - ``save(_:)``
/// - ``writeRows(_:)``
/// - ``transaction(_:)``
/// - ``reserveIdentifiers(_:of:)``
///
/// ### Reading metadata
///
/// - ``information()``
/// - ``metadata(forKey:)``
///
/// ### Migrating to another model
///
/// - ``migrated(to:options:)``
/// - ``previewMigration(to:options:)``
public final class InMemoryStore: PersistentStore {
    /// The contents of a store at one moment.
    ///
    /// A copy shares the memory of the original until one of them changes. Therefore readers copy the state and work
    /// without a lock, and a bulk insert changes a copy that replaces the state at its end.
    struct State: Sendable {
        /// The rows of each entity, by the entity's name.
        var tables: [String: InMemoryTable]
        /// The join rows of each many-to-many relationship, by the name of the join table.
        var joins: [String: InMemoryJoinTable]
        /// The texts that callers have stored, by their keys.
        var metadata: [String: String] = [:]
        var isClosed = false
        /// The counter of the rows that requests of one store have examined; it is not part of the contents.
        var examined = ScannedRowCount()
    }

    /// The model with which the store was created.
    public let model: ManagedObjectModel
    private let identifier = UUID()
    private let state: Guarded<State>
    /// The lock that writers hold for the whole duration of a bulk insert.
    ///
    /// Writers wait for each other; readers do not wait.
    let writing = WriterLock()
    /// A closure that persists a new state before readers see it; `nil` for a store that is in memory only.
    private let keep: (@Sendable (InMemoryContents) throws -> Void)?

    /// Creates an empty store with a new identifier.
    ///
    /// - Parameter model: The model; each entity has an empty table.
    public init(model: ManagedObjectModel) {
        self.model = model
        keep = nil
        state = Guarded(
            State(
                tables: Dictionary(uniqueKeysWithValues: model.entities.map { ($0.name, InMemoryTable($0)) }),
                joins: Dictionary(uniqueKeysWithValues: model.joins.map { ($0.name, InMemoryJoinTable($0)) })))
    }

    init(
        copying state: State, model: ManagedObjectModel,
        keep: (@Sendable (InMemoryContents) throws -> Void)? = nil
    ) {
        self.model = model
        self.keep = keep
        self.state = Guarded(state)
    }

    /// Returns an independent copy of the store, with an identifier of its own.
    ///
    /// The copy takes O(1), and later changes of one store do not affect the other one. For example, prepare a store
    /// once, and copy it for each test.
    ///
    /// - Returns: The copy, which the caller may change while the original is in use.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/closed`` if the store was closed.
    public func copy() throws -> InMemoryStore {
        var state = try withState { $0 }
        state.examined = ScannedRowCount()
        return InMemoryStore(copying: state, model: model)
    }

    /// Runs `body` with the state while no other thread reads or changes it.
    ///
    /// `body` must be short and must not call callers' closures, because all readers wait for it.
    func withState<Result: Sendable>(_ body: (inout State) throws -> Result) throws -> Result {
        try state.withLock { state in
            guard !state.isClosed else { throw PersistenceError(.closed, "the store was closed") }
            return try body(&state)
        }
    }

    /// Returns the current state of the store.
    func snapshotState() throws -> State { try withState { $0 } }

    /// Replaces the state of the store.
    ///
    /// The caller must hold ``writing``, and the new state must originate from the current one. Readers do not wait
    /// while the state is persisted. If the state is persisted, but perhaps not durable, readers see it as well.
    func replace(with new: State) throws {
        if let keep {
            guard try !new.isUnchanged(since: snapshotState()) else { return }
            do { try keep(InMemoryContents(new)) } catch let error as PersistenceError
                where error.code == .unknownOutcome
            {
                try withState { $0 = new }
                throw error
            }
        }
        try withState { $0 = new }
    }

    private func withWriter<Result: Sendable>(_ body: (inout State) throws -> Result) throws -> Result {
        try writing.withLock { try withState(body) }
    }

    /// Returns the rows that a request selects from the current state.
    private func select(_ request: ResolvedRequest) throws -> [StoredRow] { try snapshotState().select(request) }

    /// Returns the kind and identifier of the store.
    public func information() throws -> StoreInformation {
        try withState { _ in StoreInformation(kind: "in-memory", identifier: identifier) }
    }

    /// Passes the rows that a request selects to `body`, from the state at the beginning of the call.
    ///
    /// `body` may call the store, and even change it; it still receives the rows of the earlier state.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - body: A closure that receives each row, in the order of the request; the row is valid only during the call.
    /// - Throws: An error that `body` throws; ``PersistenceError`` with code ``PersistenceError/Code/closed``, or with
    ///   the reason why the condition cannot be evaluated.
    /// - Complexity: O(*n*) in the count of rows that an index finds, or of all rows of the entity; a sort takes O(*k*
    ///   log *k*) for the *k* selected rows.
    public func fetch(_ request: ResolvedRequest, _ body: (RowReader) throws -> FetchFlow) throws {
        try select(request).read(body)
    }

    /// Returns the count of rows that a request selects from the current state, after its offset and limit are applied.
    ///
    /// The order of the request is ignored. The complexity is that of ``fetch(_:_:)`` without a sort.
    public func count(_ request: ResolvedRequest) throws -> Int { try select(request.unsorted).count }

    /// Returns a cursor over the rows that a request selects from the current state.
    ///
    /// The rows are selected at once, so later changes do not affect the cursor. If the store is closed, the cursor
    /// throws an error at its next row.
    public func openCursor(_ request: ResolvedRequest) throws -> any RowCursor {
        StoredRowCursor(try select(request)) { [self] in try checkOpen() }
    }

    /// Passes each join row that a request selects to `body`, from the state at the beginning of the call.
    public func joins(_ request: ResolvedJoinRequest, _ body: (JoinRow) throws -> FetchFlow) throws {
        try snapshotState().select(request, body)
    }

    /// Writes a change set; if it throws an error or returns conflicts, nothing is written.
    ///
    /// Versions, identifiers, unique values and references are checked. Rules of attributes are not checked here: a
    /// context checks them before it saves.
    ///
    /// - Parameter changes: The insertions, updates and deletions, with the versions that the caller expects.
    /// - Returns: A conflict for each updated or deleted row that has another version or does not exist; empty if
    ///   everything was written. A deletion can allow that its row does not exist.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/uniqueness``,
    ///   ``PersistenceError/Code/danglingReference`` or ``PersistenceError/Code/closed``;
    ///   ``PersistenceError/Code/invalidRequest`` inside a closure that writes the store.
    public func save(_ changes: ChangeSet) throws -> [StoreConflict] {
        try model.checkNames(of: changes)
        guard keep != nil else {
            return try withWriter { state in
                try state.save(changes, in: model)
            }
        }
        return try writing.withLock {
            var state = try snapshotState()
            let conflicts = try state.save(changes, in: model)
            if conflicts.isEmpty { try replace(with: state) }
            return conflicts
        }
    }

    /// Reserves the next identifiers of an entity, which are never assigned again.
    ///
    /// - Parameters:
    ///   - count: The count of identifiers, at least 1.
    ///   - entity: The name of the entity.
    /// - Returns: The range of the reserved identifiers.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if the count is less than 1 or
    ///   the model has no such entity; ``PersistenceError/Code/identifiersExhausted`` if an identifier would exceed
    ///   2^53 - 1.
    /// - Complexity: O(1).
    public func reserveIdentifiers(_ count: Int, of entity: String) throws -> ClosedRange<Int64> {
        guard count >= 1 else {
            throw PersistenceError(
                .invalidRequest, "\(count) identifiers were requested; at least 1 is required", entity: entity)
        }
        return try withWriter { state in
            guard let first = state.tables[entity]?.nextID else {
                throw PersistenceError(.invalidRequest, "the model has no entity “\(entity)”")
            }
            let last = first.addingReportingOverflow(Int64(count) - 1)
            guard !last.overflow, identifierRange.contains(first), identifierRange.contains(last.partialValue) else {
                throw PersistenceError.identifiersExhausted(entity)
            }
            state.tables[entity]?.nextID = last.partialValue + 1
            return first...last.partialValue
        }
    }

    /// Writes rows with a closure; if the closure throws an error, none of them is stored.
    ///
    /// The closure writes to a copy of the state. Readers see the previous state until the closure has returned and all
    /// references were checked. The closure may read the store, but must not write to it except through its argument.
    public func writeRows(_ body: (any RowWriter) throws -> Void) throws {
        try writing.withLock {
            // The body runs without the state's lock, because it may read the store.
            var state = try snapshotState()
            let writer = InMemoryRowWriter(model, state)
            defer { writer.end() }
            try body(writer)
            try writer.finish()
            (state.tables, state.joins, state.metadata) = (writer.settledTables(), writer.joins, writer.metadata)
            try replace(with: state)
        }
    }

    /// Returns the text that is stored under a key; `nil` if there is none.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/closed`` if the store was closed.
    public func metadata(forKey key: String) throws -> String? { try withState { $0.metadata[key] } }

    /// Waits for running writers, closes the store and releases its rows.
    ///
    /// A second call does nothing. Copies of the store remain open. Open snapshots and cursors of this store throw an
    /// error when they are used.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if a closure that writes the
    ///   store calls it on the same thread.
    public func close() throws {
        try writing.withLock {
            state.withLock { state in
                state.isClosed = true
                state.tables = [:]
                state.joins = [:]
            }
        }
    }

    /// Throws an error if the store was closed.
    func checkOpen() throws {
        try withState { _ in }
    }
}

extension InMemoryStore.State {
    /// Writes a change set to this state; if it throws an error or returns conflicts, nothing is written.
    mutating func save(_ changes: ChangeSet, in model: ManagedObjectModel) throws -> [StoreConflict] {
        let saving = InMemorySaving(model: model, changes: changes, examined: examined)
        let conflicts = saving.conflicts(in: tables)
        guard conflicts.isEmpty else { return conflicts }
        try saving.check(tables)
        saving.apply(to: &tables)
        saving.apply(to: &joins)
        return []
    }

    /// Returns the table of an entity.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if the model has no such
    ///   entity.
    func table(_ entity: String) throws -> InMemoryTable {
        guard let table = tables[entity] else {
            throw PersistenceError(.invalidRequest, "the model has no entity “\(entity)”")
        }
        return table
    }
}
