public import Foundation
public import StrataCore
public import StrataStoreKit

/// A store in memory, with the same rules as a SQLite store and without files.
///
/// Its whole state is one value that is copied on write. A copy of a prepared store therefore has no cost until one of
/// the two changes.
///
/// Requests for equality or for a list of values use an index for unique attributes, references, and attributes that
/// the model declares as indexed. All other requests scan all rows of their entity.
public final class InMemoryStore: PersistentStore {
    struct State: Sendable {
        var tables: [String: InMemoryTable]
        var joins: [String: InMemoryJoinTable]
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

    /// Creates an empty store.
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

    /// Returns an independent copy of the store.
    ///
    /// The copy takes O(1), and later changes of one store do not affect the other one.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/closed`` if the store was closed.
    public func copy() throws -> InMemoryStore {
        var state = try withState { $0 }
        state.examined = ScannedRowCount()
        return InMemoryStore(copying: state, model: model)
    }

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
    public func fetch(_ request: ResolvedRequest, _ body: (RowReader) throws -> FetchFlow) throws {
        try select(request).read(body)
    }

    /// Returns the count of rows that a request selects from the current state.
    public func count(_ request: ResolvedRequest) throws -> Int { try select(request.unsorted).count }

    /// Returns a cursor over the rows that a request selects from the current state.
    public func openCursor(_ request: ResolvedRequest) throws -> any RowCursor {
        StoredRowCursor(try select(request)) { [self] in try checkOpen() }
    }

    /// Passes each join row that a request selects to `body`, from the state at the beginning of the call.
    public func joins(_ request: ResolvedJoinRequest, _ body: (JoinRow) throws -> FetchFlow) throws {
        try snapshotState().select(request, body)
    }

    /// Writes a change set; if it throws an error or returns conflicts, nothing is written.
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
    public func metadata(forKey key: String) throws -> String? { try withState { $0.metadata[key] } }

    /// Waits for running writers, closes the store and releases its rows.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if a bulk insert calls it.
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
