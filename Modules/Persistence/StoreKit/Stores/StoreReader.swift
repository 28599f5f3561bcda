public import StrataCore

/// A reader of the rows and join rows of a store: the store itself, a snapshot, or a transaction.
///
/// It implements resolved requests, in which names are columns, operands have a kind, and parts that may fail are
/// marked. Callers use the methods of the extension with a ``StoreRequest`` or a ``JoinRequest``.
///
/// Every read blocks until it is done. A store and each of its snapshots can be read by any thread, a snapshot by one
/// thread at a time; a transaction is read only in its closure. A closure that receives rows runs on the calling
/// thread.
///
/// A fetch passes rows one by one and needs no memory for all of them, if the store can read rows in the requested
/// order. Use a cursor if the caller, and not the store, decides when the next row is read, for example to merge two
/// results.
///
/// ## Topics
///
/// ### Reading rows
///
/// - ``fetch(_:_:)-(StoreRequest,_)``
/// - ``rows(_:)``
/// - ``count(_:)-(StoreRequest)``
/// - ``openCursor(_:)-(StoreRequest)``
/// - ``fetchRow(_:of:_:)``
/// - ``select(_:_:)-(StoreSelection,_)``
/// - ``edges(_:)``
/// - ``FetchFlow``
/// - ``RowReader``
///
/// ### Reading join rows
///
/// - ``joins(_:_:)-(JoinRequest,_)``
/// - ``joins(_:)``
/// - ``JoinRequest``
///
/// ### The model
///
/// - ``model``
///
/// ### Implementing a store
///
/// - ``fetch(_:_:)-(ResolvedRequest,_)``
/// - ``count(_:)-(ResolvedRequest)``
/// - ``openCursor(_:)-(ResolvedRequest)``
/// - ``select(_:_:)-(ResolvedSelection,_)``
/// - ``joins(_:_:)-(ResolvedJoinRequest,_)``
public protocol StoreReader: AnyObject {
    /// The model with which the store was opened.
    var model: ManagedObjectModel { get }

    /// Passes each row that a request selects to `body`, from one consistent state of the store.
    ///
    /// Rows are ordered by the request's sort keys and then by identifier. A row reader is valid only until `body`
    /// returns.
    ///
    /// The state is that at the beginning of the call, also if `body` runs for a long time. A store must release its
    /// resources if `body` returns ``FetchFlow/stop`` or throws.
    ///
    /// - Throws: The error that `body` throws, or ``PersistenceError`` if a row cannot be read.
    func fetch(_ request: ResolvedRequest, _ body: (RowReader) throws -> FetchFlow) throws

    /// Passes the row with an identifier to `body`; does nothing if it does not exist.
    ///
    /// The default implementation uses a request. A store may implement a faster way, because the method is called
    /// often.
    ///
    /// - Parameters:
    ///   - id: The identifier of the row.
    ///   - entity: An entity of ``model``.
    ///   - body: A closure that receives the row, which is valid only until the closure returns.
    /// - Throws: The error that `body` throws, or ``PersistenceError`` if the row cannot be read.
    func fetchRow(_ id: Int64, of entity: EntityDescription, _ body: (RowReader) throws -> Void) throws

    /// Returns the count of rows that a request selects, after its offset and limit are applied.
    ///
    /// Sort keys do not affect the count; see ``ResolvedRequest/unsorted``. Errors of a calculation in the condition
    /// are thrown as in a fetch.
    ///
    /// - Throws: ``PersistenceError`` if the rows cannot be counted.
    func count(_ request: ResolvedRequest) throws -> Int

    /// Returns a cursor over the rows that a request selects, from one consistent state of the store.
    ///
    /// The cursor shows that state until its end, also after later commits. It may occupy a connection of the store
    /// until it is read to its end or released.
    ///
    /// - Throws: ``PersistenceError`` if the rows cannot be read.
    func openCursor(_ request: ResolvedRequest) throws -> any RowCursor

    /// Passes the values of each row or group that a selection selects to `body`, from one consistent state of the
    /// store.
    ///
    /// The values are those that ``ResolvedSelection`` describes. The default implementation fetches whole rows, and
    /// evaluates columns and groups in memory. A database can evaluate them by one query.
    ///
    /// - Throws: The error that `body` throws, or ``PersistenceError``, with code
    ///   ``PersistenceError/Code/arithmetic`` if a sum does not fit in 64 bits.
    func select(_ selection: ResolvedSelection, _ body: ([StoredValue]) throws -> FetchFlow) throws

    /// Returns the references from rows to their parents that are found from some rows, each once, in unspecified
    /// order.
    ///
    /// Downward, an edge for each row below the starts is returned; upward, one for each start with a parent and for
    /// each row above. The search must end also if the references form a cycle. The default implementation reads each
    /// level by one fetch. A database can read all levels by one query.
    ///
    /// - Throws: ``PersistenceError`` if the store cannot be read.
    func edges(_ request: TreeRequest) throws -> [TreeEdge]

    /// Passes each join row that a request selects to `body`; the row at the requested end is its owner.
    ///
    /// Join rows are ordered by owner, then by the position among the owner's join rows (null first), then by the other
    /// end. In a symmetric relationship, the owner is always the source of the join row; a join row whose ends are both
    /// requested is passed twice.
    ///
    /// - Throws: The error that `body` throws, or ``PersistenceError`` if a join row cannot be read.
    func joins(_ request: ResolvedJoinRequest, _ body: (JoinRow) throws -> FetchFlow) throws
}

extension StoreReader {
    /// Passes the row with an identifier to `body`, read by a request; does nothing if it does not exist.
    ///
    /// - Throws: The error that `body` throws, or ``PersistenceError`` if the row cannot be read.
    public func fetchRow(_ id: Int64, of entity: EntityDescription, _ body: (RowReader) throws -> Void) throws {
        try fetch(.row(id, of: entity)) { row in
            try body(row)
            return .stop
        }
    }

    /// Passes each row that a request selects to `body`, from one consistent state of the store.
    ///
    /// Rows are ordered by the request's sort keys and then by identifier. A row reader is valid only until `body`
    /// returns.
    ///
    /// - Parameters:
    ///   - request: The request, which is validated before a row is read.
    ///   - body: A closure that receives each row; it returns ``FetchFlow/stop`` to end the fetch without an error.
    /// - Throws: The error that `body` throws, or ``PersistenceError``, with code
    ///   ``PersistenceError/Code/invalidRequest`` for an invalid request.
    public func fetch(_ request: StoreRequest, _ body: (RowReader) throws -> FetchFlow) throws {
        try fetch(try request.resolved(in: model), body)
    }

    /// Returns the count of rows that a request selects, after its offset and limit are applied.
    ///
    /// - Throws: ``PersistenceError``, with code ``PersistenceError/Code/invalidRequest`` for an invalid request.
    public func count(_ request: StoreRequest) throws -> Int { try count(try request.resolved(in: model)) }

    /// Returns a cursor over the rows that a request selects, from one consistent state of the store.
    ///
    /// - Throws: ``PersistenceError``, with code ``PersistenceError/Code/invalidRequest`` for an invalid request.
    public func openCursor(_ request: StoreRequest) throws -> any RowCursor {
        try openCursor(try request.resolved(in: model))
    }

    /// Passes the join rows of a request to `body`, in the order of ``joins(_:_:)-(ResolvedJoinRequest,_)``.
    ///
    /// - Throws: The error that `body` throws, or ``PersistenceError``, with code
    ///     ``PersistenceError/Code/invalidRequest`` for a name that the model does not have.
    public func joins(_ request: JoinRequest, _ body: (JoinRow) throws -> FetchFlow) throws {
        try joins(try request.resolved(in: model), body)
    }

    /// Returns the join rows of a request, all in memory at the same time.
    ///
    /// - Parameter request: The join table and the identifiers of the owners.
    /// - Returns: The join rows, in the order of the method with a closure.
    /// - Throws: ``PersistenceError``, with code ``PersistenceError/Code/invalidRequest`` for a name that the model
    ///     does not have.
    public func joins(_ request: JoinRequest) throws -> [JoinRow] {
        var rows: [JoinRow] = []
        try joins(request) { row in
            rows.append(row)
            return .next
        }
        return rows
    }

    /// Returns copies of the rows that a request selects.
    ///
    /// Use the method for few rows, because all are in memory at the same time.
    ///
    /// - Parameter request: The request; use a limit if the count of rows is unknown.
    /// - Returns: The rows, in the order of the request.
    /// - Throws: ``PersistenceError``, with code ``PersistenceError/Code/invalidRequest`` for an invalid request.
    /// - Complexity: O(*n*) memory in the count of selected rows.
    public func rows(_ request: StoreRequest) throws -> [StoredRow] {
        let request = try request.resolved(in: model)
        var rows: [StoredRow] = []
        try fetch(request) { row in
            rows.append(try row.stored(request.entity))
            return .next
        }
        return rows
    }
}
