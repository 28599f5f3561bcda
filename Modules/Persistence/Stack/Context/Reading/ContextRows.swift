import StrataCore
import StrataStoreKit

/// The rows that a root context reads: those of the store or, while the context is pinned, those of one state of it.
///
/// Each read is reported to the observer of operations. The source is confined to the context's queue.
final class ContextRows {
    let coordinator: PersistentStoreCoordinator
    private let name: String
    private var snapshot: (any StoreSnapshot)?
    /// A Boolean value that indicates whether a save is running.
    private var readsCurrentRows = false

    /// Creates a source of the current rows.
    ///
    /// - Parameters:
    ///   - coordinator: The coordinator of the store.
    ///   - name: The name of the context, for messages.
    init(_ coordinator: PersistentStoreCoordinator, name: String) {
        (self.coordinator, self.name) = (coordinator, name)
    }

    deinit { unpin() }

    private var reader: any StoreReader {
        if let snapshot, !readsCurrentRows { snapshot } else { coordinator.store }
    }

    /// The cache of rows; `nil` if it is off, or if the context is pinned, because the cache may have newer rows.
    var cache: RowCache? { isPinned || coordinator.rowCache.isOff ? nil : coordinator.rowCache }

    // MARK: Query generations

    /// A Boolean value that indicates whether the reads are pinned to one state of the store.
    var isPinned: Bool { snapshot != nil }

    /// Pins all later reads to the current state of the store.
    func pin() throws {
        if isPinned { return try move() }
        try coordinator.generations.begin(ObjectIdentifier(self), name)
        do { snapshot = try coordinator.store.openSnapshots(1).first } catch {
            coordinator.generations.end(ObjectIdentifier(self))
            throw error
        }
    }

    /// Ends the pinning; later reads return the current rows.
    func unpin() {
        guard let snapshot else { return }
        snapshot.close()
        self.snapshot = nil
        coordinator.generations.end(ObjectIdentifier(self))
    }

    /// Pins a pinned context to the current state of the store; does nothing if the context is not pinned.
    func move() throws {
        guard let old = snapshot else { return }
        snapshot = try coordinator.store.openSnapshots(1).first
        old.close()
    }

    /// Pins a pinned context to the current state of the store, or unpins it if the store cannot be read.
    ///
    /// In the second case, the next read reports the error.
    func moveIfPossible() {
        do { try move() } catch { unpin() }
    }

    /// Runs a save, which reads the current rows, and then pins a pinned context to the state after it.
    func saving<Result>(_ save: () throws -> Result) throws -> Result {
        readsCurrentRows = true
        defer { readsCurrentRows = false }
        let result = try save()
        moveIfPossible()
        return result
    }

    // MARK: Reading

    /// Passes the rows that a request selects to `body`, never from the row cache.
    ///
    /// - Parameters:
    ///   - request: The request, whose names are resolved before the store gets it.
    ///   - body: A closure that receives each row and returns whether to continue. It may read the store.
    /// - Throws: ``PersistenceError`` if the request is invalid or the store cannot be read, or the error of `body`.
    func fetch(_ request: StoreRequest, _ body: (RowReader) throws -> FetchFlow) throws {
        let resolved = try request.resolved(in: coordinator.model)
        let explain = { @Sendable [store = coordinator.store] in try store.explanation(of: resolved) }
        try coordinator.operate(.fetch, request.entity, explain: explain) { rows in
            try reader.fetch(resolved) { row in
                rows += 1
                return try body(row)
            }
        }
    }

    /// Passes the row with an identifier to `body`, which is not called if there is no such row.
    func fetchRow(_ id: Int64, of entity: EntityDescription, _ body: (RowReader) throws -> Void) throws {
        try coordinator.operate(.fetch, entity.name) { rows in
            try reader.fetchRow(id, of: entity) { row in
                rows += 1
                try body(row)
            }
        }
    }

    /// Returns the number of rows that a request selects, including its limit and offset.
    func count(_ request: StoreRequest) throws -> Int {
        let resolved = try request.resolved(in: coordinator.model)
        let explain = { @Sendable [store = coordinator.store] in try store.explanation(of: resolved) }
        return try coordinator.operate(.count, request.entity, explain: explain) { _ in try reader.count(resolved) }
    }

    /// Passes the values of each result of a selection to `body`; see `StoreReader`.
    func select(_ selection: StoreSelection, _ body: ([StoredValue]) throws -> FetchFlow) throws {
        let resolved = try selection.resolved(in: coordinator.model)
        let explain = { @Sendable [store = coordinator.store] in try store.explanation(of: resolved) }
        try coordinator.operate(.select, resolved.rows.entity.name, explain: explain) { rows in
            try reader.select(selection) { values in
                rows += 1
                return try body(values)
            }
        }
    }

    /// Returns the references from rows to their parents that are found from some rows; see `StoreReader`.
    func edges(_ request: TreeRequest) throws -> [TreeEdge] {
        try coordinator.operate(.tree, request.entity.name) { rows in
            let edges = try reader.edges(request)
            rows = edges.count
            return edges
        }
    }

    /// Returns the join rows that a request selects; see `StoreReader`.
    func joins(_ request: JoinRequest) throws -> [JoinRow] {
        try coordinator.operate(.join, request.join) { rows in
            let joins = try reader.joins(request)
            rows = joins.count
            return joins
        }
    }
}
