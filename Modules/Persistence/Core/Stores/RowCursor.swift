/// An instruction to continue or to stop a fetch.
public enum FetchFlow: Sendable {
    /// Continue with the next row.
    case next
    /// Stop.
    case stop
}

/// A cursor that reads rows one after the other.
public protocol RowCursor: AnyObject {
    /// Passes the next row to `body`; returns `false` at the end.
    ///
    /// - Throws: The error that `body` throws, or ``PersistenceError``.
    func next(_ body: (RowReader) throws -> Void) throws -> Bool

    /// Passes rows to `body` until it returns ``FetchFlow/stop``; returns `false` at the end.
    ///
    /// The read begins after the last row of the previous read.
    ///
    /// - Throws: The error that `body` throws, or ``PersistenceError``.
    func read(_ body: (RowReader) throws -> FetchFlow) throws -> Bool
}

extension RowCursor {
    /// Passes rows to `body` one by one until it returns ``FetchFlow/stop``; returns `false` at the end.
    public func read(_ body: (RowReader) throws -> FetchFlow) throws -> Bool {
        var flow = FetchFlow.next
        while case .next = flow {
            guard try next({ flow = try body($0) }) else { return false }
        }
        return true
    }
}

/// A cursor over an array of rows, for stores in memory.
public final class StoredRowCursor: RowCursor {
    private var rows: ArraySlice<StoredRow>
    private let check: () throws -> Void

    /// Creates a cursor.
    ///
    /// - Parameters:
    ///   - rows: The rows, in their order.
    ///   - check: Throws if the rows must not be read anymore, because their store was closed.
    public init(_ rows: [StoredRow], check: @escaping () throws -> Void) {
        self.rows = rows[...]
        self.check = check
    }

    /// Passes the next row to `body`; returns `false` at the end.
    public func next(_ body: (RowReader) throws -> Void) throws -> Bool {
        try check()
        guard let row = rows.popFirst() else { return false }
        try body(RowReader(ValueRowSource(row)))
        return true
    }
}

extension [StoredRow] {
    /// Passes the rows to `body`, as ``StoreReader/fetch(_:_:)-(ResolvedRequest,_)`` does.
    ///
    /// - Throws: The error that `body` throws.
    public func read(_ body: (RowReader) throws -> FetchFlow) rethrows {
        guard let first else { return }
        let source = ValueRowSource(first)
        let reader = RowReader(source)
        for row in self {
            source.row = row
            if case .stop = try body(reader) { return }
        }
    }
}
