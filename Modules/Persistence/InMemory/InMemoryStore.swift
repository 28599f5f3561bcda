import Foundation
public import StrataCore

/// A store in memory: the same rules as SQLite's, nothing on disk.
///
/// Its whole state is one value that is copied on write, so that a copy of a prepared store costs nothing until one of the two changes.
///
/// Unique values, references and attributes that the model wants an index for are found without a look at every row, where a request asks for equality
/// or for a list of values. Every other request looks at all rows of its entity.
public final class InMemoryStore: PersistentStore {
    struct State: Sendable {
        var tables: [String: InMemoryTable]
        var joins: [String: InMemoryJoinTable]
        var metadata: [String: String] = [:]
        var isClosed = false
        /// What the requests of one store have looked at; no part of the state.
        var examined = ExaminedRows()
    }

    /// The model the store was made with.
    public let model: ManagedObjectModel
    private let identifier = UUID()
    private let state: Guarded<State>
    /// Held by whoever writes, for as long as a bulk insert lasts: writers wait for each other, readers for nobody.
    let writing = WriterLock()
    /// Keeps a new state elsewhere before it is seen; `nil` for a store that is in memory only.
    private let keep: (@Sendable (InMemoryContents) throws -> Void)?

    /// An empty store.
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

    /// A store of its own with the same rows: O(1), and neither sees what the other does afterwards.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/closed``.
    public func copy() throws -> InMemoryStore {
        var state = try withState { $0 }
        state.examined = ExaminedRows()
        return InMemoryStore(copying: state, model: model)
    }

    func withState<Result: Sendable>(_ body: (inout State) throws -> Result) throws -> Result {
        try state.withLock { state in
            guard !state.isClosed else { throw PersistenceError(.closed, "the store was closed") }
            return try body(&state)
        }
    }

    /// The whole state now.
    func snapshotState() throws -> State { try withState { $0 } }

    /// Makes a state the store's; called by whoever holds ``writing``, and began with the state that the store has.
    ///
    /// Readers do not wait for what is kept elsewhere. Where it is kept, and may not last, readers see it as well.
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

    /// The rows a request selects now.
    private func select(_ request: ResolvedRequest) throws -> [StoredRow] { try snapshotState().select(request) }

    /// Kind and identifier.
    public func information() throws -> StoreInformation {
        try withState { _ in StoreInformation(kind: "in-memory", identifier: identifier) }
    }

    /// Gives the rows a request selects to `body`, from the state at the beginning.
    public func fetch(_ request: ResolvedRequest, _ body: (RowReader) throws -> FetchFlow) throws {
        try select(request).read(body)
    }

    /// The number of rows a request selects.
    public func count(_ request: ResolvedRequest) throws -> Int { try select(request.unsorted).count }

    /// A cursor over the rows a request selects now.
    public func openCursor(_ request: ResolvedRequest) throws -> any RowCursor {
        StoredRowCursor(try select(request)) { [self] in try checkOpen() }
    }

    /// Gives the pairs of a many-to-many relationship to `body`.
    public func joins(_ request: ResolvedJoinRequest, _ body: (JoinRow) throws -> FetchFlow) throws {
        try snapshotState().select(request, body)
    }

    /// Writes a set of changes, all or none.
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

    /// Takes the next identifiers.
    public func reserveIdentifiers(_ count: Int, of entity: String) throws -> ClosedRange<Int64> {
        guard count >= 1 else {
            throw PersistenceError(.invalidRequest, "\(count) identifiers asked for; at least 1", entity: entity)
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

    /// Writes rows, all or none.
    public func writeRows(_ body: (any RowWriter) throws -> Void) throws {
        try writing.withLock {
            // The body runs outside the state's lock: it may read the store.
            var state = try snapshotState()
            let writer = InMemoryRowWriter(model, state)
            defer { writer.end() }
            try body(writer)
            try writer.finish()
            (state.tables, state.joins, state.metadata) = (writer.settledTables(), writer.joins, writer.metadata)
            try replace(with: state)
        }
    }

    /// The text that was kept under a key.
    public func metadata(forKey key: String) throws -> String? { try withState { $0.metadata[key] } }

    /// Waits for writers under way, closes the store and forgets its rows.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` from inside a bulk insert.
    public func close() throws {
        try writing.withLock {
            state.withLock { state in
                state.isClosed = true
                state.tables = [:]
                state.joins = [:]
            }
        }
    }

    /// Throws when the store was closed.
    func checkOpen() throws {
        try withState { _ in }
    }
}

extension InMemoryStore.State {
    /// Writes a set of changes, all or none.
    mutating func save(_ changes: ChangeSet, in model: ManagedObjectModel) throws -> [StoreConflict] {
        let saving = InMemorySaving(model: model, changes: changes, examined: examined)
        let conflicts = saving.conflicts(in: tables)
        guard conflicts.isEmpty else { return conflicts }
        try saving.check(tables)
        saving.apply(to: &tables)
        saving.apply(to: &joins)
        return []
    }

    /// The table of an entity.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` when the model has none of that name.
    func table(_ entity: String) throws -> InMemoryTable {
        guard let table = tables[entity] else {
            throw PersistenceError(.invalidRequest, "the model has no entity “\(entity)”")
        }
        return table
    }
}
