import Foundation
public import StrataCore

/// A store in memory: the same rules as SQLite's, nothing on disk.
///
/// Its whole state is one value that is copied on write, so that a copy of a prepared store costs nothing until one of the two changes.
public final class InMemoryStore: PersistentStore {
    struct State: Sendable {
        var tables: [String: InMemoryTable]
        var joins: [String: InMemoryJoinTable]
        var metadata: [String: String] = [:]
        var isClosed = false
    }

    /// The model the store was made with.
    public let model: ManagedObjectModel
    private let identifier = UUID()
    private let state: Guarded<State>
    /// Held by whoever writes, for as long as a bulk insert lasts: writers wait for each other, readers for nobody.
    let writing = WriterLock()

    /// An empty store.
    public init(model: ManagedObjectModel) {
        self.model = model
        state = Guarded(
            State(
                tables: Dictionary(uniqueKeysWithValues: model.entities.map { ($0.name, InMemoryTable($0)) }),
                joins: Dictionary(uniqueKeysWithValues: model.joins.map { ($0.name, InMemoryJoinTable($0)) })))
    }

    init(copying state: State, model: ManagedObjectModel) {
        self.model = model
        self.state = Guarded(state)
    }

    /// A store of its own with the same rows: O(1), and neither sees what the other does afterwards.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/closed``.
    public func copy() throws -> InMemoryStore {
        InMemoryStore(copying: try withState { $0 }, model: model)
    }

    func withState<Result: Sendable>(_ body: (inout State) throws -> Result) throws -> Result {
        try state.withLock { state in
            guard !state.isClosed else { throw PersistenceError(.closed, "the store was closed") }
            return try body(&state)
        }
    }

    /// The whole state now.
    func snapshotState() throws -> State { try withState { $0 } }

    private func withWriter<Result: Sendable>(_ body: (inout State) throws -> Result) throws -> Result {
        try writing.withLock { try withState(body) }
    }

    private func table(_ entity: String) throws -> InMemoryTable {
        try withState { try $0.table(entity) }
    }

    /// The rows a request selects now.
    private func select(_ request: StoreRequest) throws -> [StoredRow] {
        let state = try withState { $0 }
        return try state.table(request.entity).select(request, in: model, state)
    }

    /// Kind and identifier.
    public func information() throws -> StoreInformation {
        try withState { _ in StoreInformation(kind: "in-memory", identifier: identifier) }
    }

    /// Gives the rows a request selects to `body`, from the state at the beginning.
    public func fetch(_ request: StoreRequest, _ body: (RowReader) throws -> FetchFlow) throws {
        try request.validate(in: model)
        let rows = try select(request)
        guard let first = rows.first else { return }
        let source = ValueRowSource(first)
        let reader = RowReader(source)
        for row in rows {
            source.row = row
            if case .stop = try body(reader) { return }
        }
    }

    /// The number of rows a request selects.
    public func count(_ request: StoreRequest) throws -> Int {
        try request.validate(in: model)
        var unsorted = request
        unsorted.sort = []
        return try select(unsorted).count
    }

    /// A cursor over the rows a request selects now.
    public func openCursor(_ request: StoreRequest) throws -> any RowCursor {
        try request.validate(in: model)
        return InMemoryCursor(try select(request), store: self)
    }

    /// The pairs of a many-to-many relationship.
    public func joins(_ request: JoinRequest) throws -> [JoinRow] {
        let join = try request.validate(in: model)
        let table = try withState { $0.joins[join.name] }
        return table?.select(request) ?? []
    }

    /// Writes a set of changes, all or none.
    public func save(_ changes: ChangeSet) throws -> [StoreConflict] {
        try model.checkNames(of: changes)
        return try withWriter { state in
            try state.save(changes, in: model)
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
            let writer = InMemoryRowWriter(model, try withState { $0 })
            defer { writer.end() }
            try body(writer)
            try writer.finish()
            let (tables, joins, metadata) = (writer.tables, writer.joins, writer.metadata)
            try withState { state in
                state.metadata = metadata
                state.tables = tables
                state.joins = joins
            }
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
        let saving = InMemorySaving(model: model, changes: changes)
        let conflicts = saving.conflicts(in: tables)
        guard conflicts.isEmpty else { return conflicts }
        try saving.check(tables)
        saving.apply(to: &tables)
        saving.apply(to: &joins)
        return []
    }
}

extension InMemoryStore.State: RelatedRows {
    func table(_ entity: String) throws -> InMemoryTable {
        guard let table = tables[entity] else {
            throw PersistenceError(.invalidRequest, "the model has no entity “\(entity)”")
        }
        return table
    }

    func rows(of entity: EntityDescription, where condition: FetchCondition) throws -> [(
        id: Int64, values: [StoredValue]
    )] {
        let rows = try table(entity.name).rows
        if condition == .constant(true) { return rows.map { ($0.id, $0.values) } }
        let evaluator = try ConditionEvaluator(condition, entity: entity)
        return try rows.filter { try evaluator.matches(id: $0.id, values: $0.values) }.map { ($0.id, $0.values) }
    }

    func joins(of join: JoinDescription) throws -> [JoinRow] { joins[join.name]?.rows ?? [] }
}

/// Rows read one after the other from a state that nobody changes.
final class InMemoryCursor: RowCursor {
    private var rows: ArraySlice<StoredRow>
    private let store: InMemoryStore

    init(_ rows: [StoredRow], store: InMemoryStore) {
        self.rows = rows[...]
        self.store = store
    }

    func next(_ body: (RowReader) throws -> Void) throws -> Bool {
        try store.checkOpen()
        guard let row = rows.popFirst() else { return false }
        try body(RowReader(ValueRowSource(row)))
        return true
    }
}
