package import StrataCore
package import StrataStoreKit
import Synchronization

/// A cursor over the rows of a request, which uses its own connection or the connection of a snapshot.
package final class SQLCursor<Connection: PooledConnection>: RowCursor {
    private let lease: ReadLease<Connection>
    private let rows: any LeasedRows
    /// A Boolean value that indicates whether the cursor has its own connection, which it returns after the last row.
    private let ownsLease: Bool
    /// A closure that throws if the rows that were read may be inconsistent.
    private let check: () throws -> Void
    private var isAtEnd = false

    /// Creates a cursor, or returns `nil` if the leased connection was returned to its pool.
    package init?(
        on lease: ReadLease<Connection>, ownsLease: Bool, check: @escaping () throws -> Void = {},
        _ makeRows: (Connection) throws -> some LeasedRows
    ) throws {
        guard let rows = try lease.start(makeRows) else { return nil }
        (self.lease, self.rows, self.ownsLease, self.check) = (lease, rows, ownsLease, check)
    }

    deinit {
        if ownsLease { lease.end() } else { lease.end(ObjectIdentifier(rows)) }
    }

    package func next(_ body: (RowReader) throws -> Void) throws -> Bool {
        try read { row in
            try body(row)
            return .stop
        }
    }

    package func read(_ body: (RowReader) throws -> FetchFlow) throws -> Bool { try read(continues: false, body) }

    /// Passes all rows to `body` in one call, which continues even if `body` closes the snapshot or the store.
    func fetch(_ body: (RowReader) throws -> FetchFlow) throws { _ = try read(continues: true, body) }

    private func read(continues: Bool, _ body: (RowReader) throws -> FetchFlow) throws -> Bool {
        guard !isAtEnd else { return false }
        let hasMore = try lease.withConnection { _ in
            try rows.read { row in
                let flow = try body(row)
                if !continues, case .next = flow { try lease.checkContinuation() }
                return flow
            }
        }
        guard let hasMore else { throw PersistenceError.snapshotClosed }
        if !hasMore {
            isAtEnd = true
            if ownsLease { lease.end() } else { lease.end(ObjectIdentifier(rows)) }
            try check()
        }
        return hasMore
    }
}

/// A snapshot of a store, which reads in a transaction on its own leased connection.
package final class SQLSnapshot<Connection: PooledConnection & SQLConnection>: StoreSnapshot {
    package typealias MakeCursor = @Sendable (ResolvedRequest, ReadLease<Connection>) throws -> SQLCursor<Connection>?

    private let layout: SQLLayout
    private let lease: ReadLease<Connection>
    private let makeCursor: MakeCursor
    /// A closure that throws if the rows that were read may be inconsistent.
    private let check: @Sendable () throws -> Void
    private let isClosed = Atomic(false)

    package init(
        _ layout: SQLLayout, _ lease: ReadLease<Connection>, check: @escaping @Sendable () throws -> Void = {},
        makeCursor: @escaping MakeCursor
    ) {
        (self.layout, self.lease, self.check, self.makeCursor) = (layout, lease, check, makeCursor)
    }

    package var model: ManagedObjectModel { layout.model }

    /// Runs `body` with the connection of the snapshot.
    ///
    /// - Throws: The error of `body`, or ``PersistenceError`` if the snapshot or the store is closed.
    package func read<Result: Sendable>(_ body: (Connection) throws -> Result) throws -> Result {
        guard !isClosed.load(ordering: .relaxed), let result = try lease.withConnection(body) else {
            throw PersistenceError.snapshotClosed
        }
        try check()
        return result
    }

    package func fetch(_ request: ResolvedRequest, _ body: (RowReader) throws -> FetchFlow) throws {
        try cursor(request).fetch(body)
    }

    package func openCursor(_ request: ResolvedRequest) throws -> any RowCursor { try cursor(request) }

    private func cursor(_ request: ResolvedRequest) throws -> SQLCursor<Connection> {
        guard !isClosed.load(ordering: .relaxed), let cursor = try makeCursor(request, lease) else {
            throw PersistenceError.snapshotClosed
        }
        return cursor
    }

    package func count(_ request: ResolvedRequest) throws -> Int { try read { try $0.count(request, in: layout) } }

    package func select(_ selection: ResolvedSelection, _ body: ([StoredValue]) throws -> FetchFlow) throws {
        try read { try $0.select(selection, in: layout, body) }
    }

    package func edges(_ request: TreeRequest) throws -> [TreeEdge] { try read { try $0.edges(request, in: layout) } }

    package func joins(_ request: ResolvedJoinRequest, _ body: (JoinRow) throws -> FetchFlow) throws {
        try read { try $0.joins(request, in: layout, body) }
    }

    package func close() {
        if !isClosed.exchange(true, ordering: .relaxed) { lease.leave() }
    }

    package func identifierMarks() throws -> [String: Int64] {
        let marks = try read { connection in
            try connection.texts(layout.markedEntities).map { entity in
                (entity, try SQLSequence(entity, in: layout, on: connection).next())
            }
        }
        return Dictionary(marks, uniquingKeysWith: max)
    }

    package func metadata() throws -> [String: String] {
        let prefix = SQLLayout.userKeyPrefix
        let entries = try read { connection in
            try connection.texts(layout.metadataKeys).filter { $0.hasPrefix(prefix) }.map { key in
                let value = try connection.text(layout.metadataSelection, .string(key)) ?? ""
                return (String(key.dropFirst(prefix.count)), value)
            }
        }
        return Dictionary(entries) { first, _ in first }
    }
}
