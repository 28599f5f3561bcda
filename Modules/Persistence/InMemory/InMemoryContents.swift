package import StrataCore
import StrataStoreKit

/// The contents of an in-memory store at one moment, which a caller can store elsewhere and restore.
///
/// The copy has no cost until the store is changed.
package struct InMemoryContents: Sendable {
    let state: InMemoryStore.State

    init(_ state: InMemoryStore.State) { self.state = state }

    /// Creates the contents of a store.
    ///
    /// Nothing is validated: the caller must make sure that identifiers, unique values and references follow the rules
    /// of stores.
    ///
    /// - Parameters:
    ///   - model: The model of the store.
    ///   - rows: The rows of each entity, by the entity's name, in the order of their identifiers.
    ///   - marks: The next identifier of each entity; it is increased if a row has the same or a greater identifier.
    ///   - pairs: The join rows of each join table, by the join table's name.
    ///   - metadata: The texts that callers have stored, by their keys.
    /// - Complexity: O(*n* log *n*) in the count of rows and join rows.
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

    /// Returns the rows of an entity, in the order of their identifiers.
    package func rows(of entity: String) -> [StoredRow] { state.tables[entity]?.rows ?? [] }

    /// Returns the next identifier of an entity.
    package func nextIdentifier(of entity: String) -> Int64 {
        state.tables[entity]?.nextID ?? identifierRange.lowerBound
    }

    /// Returns the join rows of a join table in their stored form, ordered by source and then by target.
    ///
    /// - Complexity: O(*n* log *n*) in the count of join rows.
    package func pairs(of join: String) -> [JoinRow] {
        (state.joins[join]?.rows ?? []).sorted {
            ($0.pair.source, $0.pair.target) < ($1.pair.source, $1.pair.target)
        }
    }

    /// The texts that callers have stored in the store, by their keys.
    package var metadata: [String: String] { state.metadata }

    /// The count of rows and join rows in the contents.
    package var rowCount: Int {
        state.tables.values.reduce(0) { $0 + $1.rows.count } + state.joins.values.reduce(0) { $0 + $1.count }
    }
}

extension InMemoryStore {
    /// Creates a store with contents, whose changes are persisted by a closure before readers see them.
    ///
    /// - Parameters:
    ///   - contents: The initial contents.
    ///   - model: The model.
    ///   - keep: A closure that each writer calls with the new contents, while no other writer runs; readers see the
    ///     previous contents meanwhile. If the closure throws, the writer throws the same error and nothing is written,
    ///     except with ``PersistenceError/Code/unknownOutcome``. The closure is not called if a write changes nothing,
    ///     or if identifiers are only reserved.
    package convenience init(
        _ contents: InMemoryContents, model: ManagedObjectModel,
        keep: @escaping @Sendable (InMemoryContents) throws -> Void
    ) {
        self.init(copying: contents.state, model: model, keep: keep)
    }

    /// Returns the current contents of the store.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/closed`` if the store was closed.
    package func contents() throws -> InMemoryContents { InMemoryContents(try snapshotState()) }

    /// Runs `body` with the contents of the store while all writers wait.
    ///
    /// - Throws: The error that `body` throws, or ``PersistenceError`` with code ``PersistenceError/Code/closed`` if
    ///   the store was closed.
    package func withoutWriters<Result: Sendable>(_ body: (InMemoryContents) throws -> Result) throws -> Result {
        try writing.withLock { try body(contents()) }
    }
}

extension InMemoryStore.State {
    /// Returns a Boolean value that indicates whether the state equals another state from which it was copied.
    func isUnchanged(since other: InMemoryStore.State) -> Bool {
        metadata == other.metadata
            && tables.allSatisfy { name, table in
                other.tables[name].map { $0.edition == table.edition && $0.nextID == table.nextID } ?? false
            }
            && joins.allSatisfy { name, table in other.joins[name]?.edition == table.edition }
    }
}
