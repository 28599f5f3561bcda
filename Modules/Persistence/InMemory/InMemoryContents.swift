package import StrataCore

/// All that a store in memory holds at one moment: for whoever keeps it in another place, and brings it back.
///
/// Taking it costs nothing until the store is written.
package struct InMemoryContents: Sendable {
    let state: InMemoryStore.State

    init(_ state: InMemoryStore.State) { self.state = state }

    /// What a store will hold.
    ///
    /// Nothing is checked: identifiers, unique values and references are as the rules of stores want them, or the store is not one.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - rows: The rows of each entity, by its name, in the order of their identifiers.
    ///   - marks: The next identifier of each entity; it is never less than what follows from the rows.
    ///   - pairs: The pairs of each join table, by its name.
    ///   - metadata: What users keep in the store.
    /// - Complexity: O(*n* log *n*) in the rows and pairs.
    package init(
        _ model: ManagedObjectModel, rows: [String: [StoredRow]], marks: [String: Int64] = [:],
        pairs: [String: [JoinRow]] = [:], metadata: [String: String] = [:]
    ) {
        var tables: [String: InMemoryTable] = [:]
        for entity in model.entities {
            var table = InMemoryTable(entity)
            table.deferIndexes()
            for row in rows[entity.name] ?? [] { table.insert(row) }
            table.buildIndexes()
            table.nextID = max(table.nextID, marks[entity.name] ?? identifierRange.lowerBound)
            tables[entity.name] = table
        }
        var joins: [String: InMemoryJoinTable] = [:]
        for join in model.joins {
            var table = InMemoryJoinTable(join)
            for row in pairs[join.name] ?? [] { table.add(row) }
            joins[join.name] = table
        }
        state = InMemoryStore.State(tables: tables, joins: joins, metadata: metadata)
    }

    /// The rows of an entity, in the order of their identifiers.
    package func rows(of entity: String) -> [StoredRow] { state.tables[entity]?.rows ?? [] }

    /// The next identifier that an entity gives.
    package func nextIdentifier(of entity: String) -> Int64 {
        state.tables[entity]?.nextID ?? identifierRange.lowerBound
    }

    /// The pairs of a join table as they are kept, by source and then by target.
    ///
    /// - Complexity: O(*n* log *n*).
    package func pairs(of join: String) -> [JoinRow] {
        (state.joins[join]?.rows ?? []).sorted {
            ($0.pair.source, $0.pair.target) < ($1.pair.source, $1.pair.target)
        }
    }

    /// What users keep in the store.
    package var metadata: [String: String] { state.metadata }

    /// The number of rows and pairs.
    package var rowCount: Int {
        state.tables.values.reduce(0) { $0 + $1.rows.count } + state.joins.values.reduce(0) { $0 + $1.count }
    }
}

extension InMemoryStore {
    /// A store with what is given, whose writes are kept elsewhere before anybody sees them.
    ///
    /// - Parameters:
    ///   - contents: What it holds at first.
    ///   - model: The model.
    ///   - keep: Called by whoever writes, alone, with what the store will hold; readers see what it held before meanwhile. Where it throws, nothing was
    ///     written, unless with ``PersistenceError/Code/unknownOutcome``, and the error is the writer's. Not called for a write that changes nothing, nor where identifiers are only reserved.
    package convenience init(
        _ contents: InMemoryContents, model: ManagedObjectModel,
        keep: @escaping @Sendable (InMemoryContents) throws -> Void
    ) {
        self.init(copying: contents.state, model: model, keep: keep)
    }

    /// What it holds now.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/closed``.
    package func contents() throws -> InMemoryContents { InMemoryContents(try snapshotState()) }

    /// Runs `body` while nobody writes, with what the store holds.
    ///
    /// - Throws: What `body` throws, ``PersistenceError`` with code ``PersistenceError/Code/closed``.
    package func withoutWriters<Result: Sendable>(_ body: (InMemoryContents) throws -> Result) throws -> Result {
        try writing.withLock { try body(contents()) }
    }
}

extension InMemoryStore.State {
    /// Whether nothing was written since another state, of which this one is a copy that went on.
    func isUnchanged(since other: InMemoryStore.State) -> Bool {
        metadata == other.metadata
            && tables.allSatisfy { name, table in
                other.tables[name].map { $0.edition == table.edition && $0.nextID == table.nextID } ?? false
            }
            && joins.allSatisfy { name, table in other.joins[name]?.edition == table.edition }
    }
}
