/// A reader of the rows and join rows of one state of a store: the store itself, a snapshot, or a transaction.
///
/// A reader receives resolved requests: names are columns, values have a kind, and operations that may fail are marked.
/// Callers use a ``StoreRequest`` or a ``JoinRequest`` with the functions of the extension.
public protocol StoreReader: AnyObject {
    /// The model the store was opened with.
    var model: ManagedObjectModel { get }

    /// Passes the rows that a request selects to `body`, one after the other, from one consistent state.
    ///
    /// Rows are ordered by the request's sort keys and then by identifier. The row reader is valid only during the
    /// call.
    ///
    /// - Throws: The error that `body` throws, or ``PersistenceError``.
    func fetch(_ request: ResolvedRequest, _ body: (RowReader) throws -> FetchFlow) throws

    /// Passes the row with an identifier to `body`, if it exists.
    ///
    /// The default implementation uses a request. Callers use the method so often that a store may implement a faster
    /// way.
    ///
    /// - Parameters:
    ///   - id: The identifier.
    ///   - entity: An entity of ``model``.
    ///   - body: Receives the row, which is valid only during the call.
    /// - Throws: The error that `body` throws, or ``PersistenceError``.
    func fetchRow(_ id: Int64, of entity: EntityDescription, _ body: (RowReader) throws -> Void) throws

    /// Returns the count of rows that a request selects, with respect to its limit and offset.
    ///
    /// - Throws: ``PersistenceError``.
    func count(_ request: ResolvedRequest) throws -> Int

    /// Returns a cursor over the rows that a request selects, all from one consistent state.
    ///
    /// - Throws: ``PersistenceError``.
    func openCursor(_ request: ResolvedRequest) throws -> any RowCursor

    /// Passes the join rows with one end among the request's identifiers to `body`, each with that end as the owner.
    ///
    /// Join rows are ordered by owner, then by the position among the owner's join rows (null first), then by the other
    /// end. In a symmetric relationship, each join row has the owner as its source; it occurs twice if both ends are
    /// requested.
    ///
    /// - Throws: The error that `body` throws, or ``PersistenceError``.
    func joins(_ request: ResolvedJoinRequest, _ body: (JoinRow) throws -> FetchFlow) throws
}

extension StoreReader {
    /// Passes the row with an identifier to `body`, if it exists, by a request for it.
    ///
    /// - Throws: The error that `body` throws, or ``PersistenceError``.
    public func fetchRow(_ id: Int64, of entity: EntityDescription, _ body: (RowReader) throws -> Void) throws {
        try fetch(.row(id, of: entity)) { row in
            try body(row)
            return .stop
        }
    }

    /// Passes the rows that a request selects to `body`, one after the other, from one consistent state.
    ///
    /// Rows are ordered by the request's sort keys and then by identifier. The row reader is valid only during the
    /// call.
    ///
    /// - Throws: The error that `body` throws, or ``PersistenceError``, with code
    ///     ``PersistenceError/Code/invalidRequest`` for an invalid request.
    public func fetch(_ request: StoreRequest, _ body: (RowReader) throws -> FetchFlow) throws {
        try fetch(try request.resolved(in: model), body)
    }

    /// Returns the count of rows that a request selects, with respect to its limit and offset.
    ///
    /// - Throws: ``PersistenceError``, with code ``PersistenceError/Code/invalidRequest`` for an invalid request.
    public func count(_ request: StoreRequest) throws -> Int { try count(try request.resolved(in: model)) }

    /// Returns a cursor over the rows that a request selects, all from one consistent state.
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
    /// - Throws: ``PersistenceError``, with code ``PersistenceError/Code/invalidRequest`` for an invalid request.
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
