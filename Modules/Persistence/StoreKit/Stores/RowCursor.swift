public import StrataCore

/// An instruction to continue or to stop reading rows, returned by a closure that receives each row.
public enum FetchFlow: Sendable {
    /// Continue with the next row.
    case next
    /// Pass no more rows to the closure.
    case stop
}

/// A cursor that reads the rows of a request one after the other.
///
/// Only one thread at a time may use a cursor. It shows the state in which it was opened. After its snapshot or store
/// was closed, a read throws ``PersistenceError/Code/closed``. Release a cursor that is not read to its end, because it
/// may occupy a connection of the store.
///
/// ## Topics
///
/// ### Reading
///
/// - ``next(_:)``
/// - ``read(_:)``
public protocol RowCursor: AnyObject {
    /// Passes the next row to `body`; returns `false` without calling it if there is no next row.
    ///
    /// - Parameter body: A closure that receives the row, which is valid until the closure returns.
    /// - Returns: `false` if there is no next row.
    /// - Throws: The error that `body` throws, or ``PersistenceError`` if the row cannot be read.
    func next(_ body: (RowReader) throws -> Void) throws -> Bool

    /// Passes rows to `body` until it returns ``FetchFlow/stop``; returns `false` if there are no more rows.
    ///
    /// The first row is the one after the last row of the previous read.
    ///
    /// - Throws: The error that `body` throws, or ``PersistenceError`` if a row cannot be read.
    func read(_ body: (RowReader) throws -> FetchFlow) throws -> Bool
}

extension RowCursor {
    /// Passes rows to `body` until it returns ``FetchFlow/stop``; returns `false` if there are no more rows.
    public func read(_ body: (RowReader) throws -> FetchFlow) throws -> Bool {
        var flow = FetchFlow.next
        while case .next = flow {
            guard try next({ flow = try body($0) }) else { return false }
        }
        return true
    }
}

/// A cursor over an array of rows, for stores in memory.
///
/// A store that has rows as values returns it from ``StoreReader/openCursor(_:)-(ResolvedRequest)``. The cursor retains
/// all rows that it has not passed yet.
public final class StoredRowCursor: RowCursor {
    private var rows: ArraySlice<StoredRow>
    private let check: () throws -> Void

    /// Creates a cursor over an array of rows.
    ///
    /// - Parameters:
    ///   - rows: The rows, in the order in which they are read.
    ///   - check: A closure that throws an error if the rows must not be read anymore, because their store was closed.
    public init(_ rows: [StoredRow], check: @escaping () throws -> Void) {
        self.rows = rows[...]
        self.check = check
    }

    /// Passes the next row to `body`; returns `false` without calling it if there is no next row.
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
