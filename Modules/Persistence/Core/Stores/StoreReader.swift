/// Who gives the rows and pairs of one state of a store: the store itself, a snapshot, a transaction.
///
/// Requests are resolved before they come here: names are columns, values have a kind, what may fail is marked. Whoever asks does so with a
/// ``StoreRequest`` or a ``JoinRequest``, by the functions of the extension.
public protocol StoreReader: AnyObject {
    /// The model the store was opened with.
    var model: ManagedObjectModel { get }

    /// Gives the rows a request selects to `body`, one after the other, from one consistent state.
    ///
    /// Rows come by the request's sort keys and then by identifier. What the reader gives is valid during the call only.
    ///
    /// - Throws: What `body` throws, or ``PersistenceError``.
    func fetch(_ request: ResolvedRequest, _ body: (RowReader) throws -> FetchFlow) throws

    /// Gives the row of an identifier to `body`, where there is one; of any store, as a request for it does.
    ///
    /// It is asked so often that a store may have a shorter way for it.
    ///
    /// - Parameters:
    ///   - id: The identifier.
    ///   - entity: An entity of ``model``.
    ///   - body: Gets the row, which is valid during the call only.
    /// - Throws: What `body` throws, or ``PersistenceError``.
    func fetchRow(_ id: Int64, of entity: EntityDescription, _ body: (RowReader) throws -> Void) throws

    /// The number of rows a request selects, its limit and offset included.
    ///
    /// - Throws: ``PersistenceError``.
    func count(_ request: ResolvedRequest) throws -> Int

    /// A cursor over the rows a request selects, all from one consistent state.
    ///
    /// - Throws: ``PersistenceError``.
    func openCursor(_ request: ResolvedRequest) throws -> any RowCursor

    /// Gives the pairs of a many-to-many relationship with one end among the request's identifiers to `body`, each with that end as the owner.
    ///
    /// They come by owner, then by the position among the owner's (null first), then by the other end. Of a symmetric relationship each pair is
    /// given with the owner as its source; it comes twice when both ends are asked for.
    ///
    /// - Throws: What `body` throws, or ``PersistenceError``.
    func joins(_ request: ResolvedJoinRequest, _ body: (JoinRow) throws -> FetchFlow) throws
}

extension StoreReader {
    /// Gives the row of an identifier to `body`, where there is one, by a request for it.
    ///
    /// - Throws: What `body` throws, or ``PersistenceError``.
    public func fetchRow(_ id: Int64, of entity: EntityDescription, _ body: (RowReader) throws -> Void) throws {
        try fetch(.row(id, of: entity)) { row in
            try body(row)
            return .stop
        }
    }

    /// Gives the rows a request selects to `body`, one after the other, from one consistent state.
    ///
    /// Rows come by the request's sort keys and then by identifier. What the reader gives is valid during the call only.
    ///
    /// - Throws: What `body` throws, or ``PersistenceError``, with code ``PersistenceError/Code/invalidRequest`` for what cannot be asked.
    public func fetch(_ request: StoreRequest, _ body: (RowReader) throws -> FetchFlow) throws {
        try fetch(try request.resolved(in: model), body)
    }

    /// The number of rows a request selects, its limit and offset included.
    ///
    /// - Throws: ``PersistenceError``, with code ``PersistenceError/Code/invalidRequest`` for what cannot be asked.
    public func count(_ request: StoreRequest) throws -> Int { try count(try request.resolved(in: model)) }

    /// A cursor over the rows a request selects, all from one consistent state.
    ///
    /// - Throws: ``PersistenceError``, with code ``PersistenceError/Code/invalidRequest`` for what cannot be asked.
    public func openCursor(_ request: StoreRequest) throws -> any RowCursor {
        try openCursor(try request.resolved(in: model))
    }

    /// Gives the pairs that a request asks for to `body`, in the order of ``joins(_:_:)-(ResolvedJoinRequest,_)``.
    ///
    /// - Throws: What `body` throws, or ``PersistenceError``, with code ``PersistenceError/Code/invalidRequest`` for a name the model does not have.
    public func joins(_ request: JoinRequest, _ body: (JoinRow) throws -> FetchFlow) throws {
        try joins(try request.resolved(in: model), body)
    }

    /// The pairs that a request asks for, all in memory at once.
    ///
    /// - Throws: ``PersistenceError``, with code ``PersistenceError/Code/invalidRequest`` for a name the model does not have.
    public func joins(_ request: JoinRequest) throws -> [JoinRow] {
        var rows: [JoinRow] = []
        try joins(request) { row in
            rows.append(row)
            return .next
        }
        return rows
    }

    /// The rows a request selects, by value.
    ///
    /// For few rows: all are in memory at once.
    ///
    /// - Throws: ``PersistenceError``, with code ``PersistenceError/Code/invalidRequest`` for what cannot be asked.
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
