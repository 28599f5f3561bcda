/// Whether a fetch goes on.
public enum FetchFlow: Sendable {
    /// With the next row.
    case next
    /// No further.
    case stop
}

/// Rows read one after the other.
public protocol RowCursor: AnyObject {
    /// Gives the next row to `body`; false at the end.
    ///
    /// - Throws: What `body` throws, or ``PersistenceError``.
    func next(_ body: (RowReader) throws -> Void) throws -> Bool

    /// Gives rows to `body` until it says stop, from where the last reading ended; false at the end.
    ///
    /// - Throws: What `body` throws, or ``PersistenceError``.
    func read(_ body: (RowReader) throws -> FetchFlow) throws -> Bool
}

extension RowCursor {
    /// Gives rows to `body` one by one until it says stop; false at the end.
    public func read(_ body: (RowReader) throws -> FetchFlow) throws -> Bool {
        var flow = FetchFlow.next
        while case .next = flow {
            guard try next({ flow = try body($0) }) else { return false }
        }
        return true
    }
}

/// A cursor over rows by value, which are all there: for stores in memory.
public final class StoredRowCursor: RowCursor {
    private var rows: ArraySlice<StoredRow>
    private let check: () throws -> Void

    /// A cursor.
    ///
    /// - Parameters:
    ///   - rows: The rows, in their order.
    ///   - check: Throws when the rows may not be read any more, because their store was closed.
    public init(_ rows: [StoredRow], check: @escaping () throws -> Void) {
        self.rows = rows[...]
        self.check = check
    }

    /// Gives the next row to `body`; false at the end.
    public func next(_ body: (RowReader) throws -> Void) throws -> Bool {
        try check()
        guard let row = rows.popFirst() else { return false }
        try body(RowReader(ValueRowSource(row)))
        return true
    }
}

extension [StoredRow] {
    /// Gives the rows to `body`, as ``StoreReader/fetch(_:_:)-(ResolvedRequest,_)`` does.
    ///
    /// - Throws: What `body` throws.
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
