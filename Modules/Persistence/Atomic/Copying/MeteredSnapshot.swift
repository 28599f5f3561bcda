import StrataCore

/// A snapshot whose rows and pairs are counted while they are copied.
final class MeteredSnapshot: StoreSnapshot {
    private let snapshot: any StoreSnapshot
    private let count: @Sendable (_ isRow: Bool) throws -> Void

    init(_ snapshot: any StoreSnapshot, count: @escaping @Sendable (_ isRow: Bool) throws -> Void) {
        (self.snapshot, self.count) = (snapshot, count)
    }

    var model: ManagedObjectModel { snapshot.model }

    func fetch(_ request: ResolvedRequest, _ body: (RowReader) throws -> FetchFlow) throws {
        try snapshot.fetch(request) { row in
            try count(true)
            return try body(row)
        }
    }

    func openCursor(_ request: ResolvedRequest) throws -> any RowCursor {
        MeteredCursor(try snapshot.openCursor(request), count: count)
    }

    func count(_ request: ResolvedRequest) throws -> Int { try snapshot.count(request) }

    func joins(_ request: ResolvedJoinRequest, _ body: (JoinRow) throws -> FetchFlow) throws {
        try snapshot.joins(request) { row in
            try count(false)
            return try body(row)
        }
    }

    func identifierMarks() throws -> [String: Int64] { try snapshot.identifierMarks() }
    func metadata() throws -> [String: String] { try snapshot.metadata() }
    func close() { snapshot.close() }
}

/// A cursor whose rows are counted.
private final class MeteredCursor: RowCursor {
    private let cursor: any RowCursor
    private let count: @Sendable (_ isRow: Bool) throws -> Void

    init(_ cursor: any RowCursor, count: @escaping @Sendable (_ isRow: Bool) throws -> Void) {
        (self.cursor, self.count) = (cursor, count)
    }

    func next(_ body: (RowReader) throws -> Void) throws -> Bool {
        try cursor.next { row in
            try count(true)
            try body(row)
        }
    }

    func read(_ body: (RowReader) throws -> FetchFlow) throws -> Bool {
        try cursor.read { row in
            try count(true)
            return try body(row)
        }
    }
}
