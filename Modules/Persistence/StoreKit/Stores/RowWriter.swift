public import StrataCore

/// A writer of rows of any entity inside one transaction of a store.
///
/// ```swift
/// try store.writeRows { writer in
///     let nodes = try writer.inserter(of: "Node", InsertOptions())
///     try nodes.insert(id: 1, values: [.string("a"), .null], location: Self.place)
///     try nodes.insert(id: 2, values: [.string("b"), .null], location: Self.place)
/// }
/// ```
///
/// ``PersistentStore/writeRows(_:)`` passes a writer to its closure; the writer is valid until the closure returns.
/// Only one thread at a time may use it. A later call throws ``PersistenceError/transactionIsOver``.
///
/// The rows must be valid by the rules of the model: a writer checks uniqueness and references, but no rules and no
/// counts of related objects. A ``BatchWriter`` checks them, too. Rows may reference rows that are written later,
/// because references are checked at the end.
///
/// If a method throws, rethrow the error, so that the transaction is rolled back. Errors of single rows do not throw if
/// the options of the inserter have ``InsertOptions/onFailure``.
///
/// ## Topics
///
/// ### Writing rows
///
/// - ``inserter(of:_:)``
/// - ``RowInserter``
/// - ``InsertOptions``
///
/// ### Writing join rows
///
/// - ``insert(_:of:location:)``
/// - ``pairInserter(of:_:owners:)``
/// - ``removePairs(of:isSource:join:)``
///
/// ### Reading
///
/// - ``read(_:)``
/// - ``row(_:of:)``
/// - ``identifier(of:by:_:)``
///
/// ### Checking and completing
///
/// - ``checkReferences()``
/// - ``writeWaitingRows()``
/// - ``redirectReferences(of:column:_:)``
///
/// ### Metadata
///
/// - ``setMetadata(_:forKey:)``
public protocol RowWriter: AnyObject {
    /// Returns an inserter of the rows of one entity.
    ///
    /// Request one inserter for each entity and keep it: an inserter prepares statements and remembers the rows that it
    /// has written.
    ///
    /// - Parameters:
    ///   - entity: The entity's name.
    ///   - options: The actions for rows that exist already and for dangling references.
    /// - Returns: An inserter, valid as long as the writer.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if the model has no such
    ///   entity.
    func inserter(of entity: String, _ options: InsertOptions) throws -> any RowInserter

    /// Inserts a join row of a many-to-many relationship; if it exists already, it gets the new positions.
    ///
    /// The existence of both ends is checked at the end of the transaction.
    ///
    /// - Parameters:
    ///   - row: The join row, with the source and target of the join table.
    ///   - join: The join table's name.
    ///   - location: The location of the join row in its input, for errors.
    /// - Throws: ``PersistenceError`` if the join table does not exist or the store cannot be written.
    func insert(_ row: JoinRow, of join: String, location: RowLocation) throws

    /// Returns an inserter of the join rows of one many-to-many relationship, with options.
    ///
    /// The default implementation reads the store for each join row to find out whether it exists, which has a cost.
    /// With it, a dangling join row fails the transaction regardless of the options.
    ///
    /// - Parameters:
    ///   - join: The join table's name.
    ///   - options: The actions for join rows that exist already and for dangling join rows.
    ///   - owners: The rows whose list columns contain the join rows, to which errors of join rows are attributed;
    ///     `nil` if each join row is a record in its input.
    /// - Returns: An inserter, valid as long as the writer.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if the model has no such join
    ///   table.
    func pairInserter(of join: String, _ options: InsertOptions, owners: PairOwners?) throws -> any PairInserter

    /// Returns the row with an identifier, as the transaction would store it now.
    ///
    /// The check of references calls the method. The default implementation reads the row with ``read(_:)``.
    ///
    /// - Parameters:
    ///   - id: The identifier of the row.
    ///   - entity: The entity of the row.
    /// - Returns: The row; `nil` if it does not exist.
    /// - Throws: ``PersistenceError`` if the store cannot be read.
    func row(_ id: Int64, of entity: EntityDescription) throws -> StoredRow?

    /// Writes or rejects the rows that wait for unique values of other rows; see ``InsertOptions/onConflict``.
    ///
    /// If a caller finds rows by unique values after the last input row, it must call this method first. Otherwise the
    /// check of references writes the waiting rows.
    ///
    /// - Throws: ``PersistenceError`` for the first row whose unique value still belongs to another row, unless the
    ///   options permit it.
    func writeWaitingRows() throws

    /// Checks the references of all rows so far, as at the end of the transaction.
    ///
    /// The method is for callers that need the result of the check and then roll back the transaction.
    ///
    /// - Throws: ``PersistenceError`` for the first dangling reference, in input order, that the options do not permit.
    func checkReferences() throws

    /// Passes a reader of the rows, as the transaction would store them now, to `body`.
    ///
    /// The rows written so far are included. Indexes that would be built last are built before the call. The reader is
    /// valid until `body` returns.
    ///
    /// - Parameter body: A closure that reads rows.
    /// - Throws: The error that `body` throws, or ``PersistenceError`` if the store cannot be read.
    func read(_ body: (any StoreReader) throws -> Void) throws

    /// Returns the identifier of the written or stored row that has some values in a unique key.
    ///
    /// The method is called once for each reference that input identifies by such values. The default implementation
    /// reads the rows with ``read(_:)``, which has a cost.
    ///
    /// - Parameters:
    ///   - entity: The entity of the row.
    ///   - key: One of the entity's ``EntityDescription/uniqueKeys``.
    ///   - value: The values of the row in the key's columns, in their stored form.
    /// - Returns: The identifier; `nil` if no row has the values.
    /// - Throws: ``PersistenceError`` if the store cannot be read.
    func identifier(of entity: EntityDescription, by key: UniqueKey, _ value: UniqueValue) throws -> Int64?

    /// Replaces the targets of a reference column in the rows that were written.
    ///
    /// The inserters update their records of the written rows, so that the check of references finds references to
    /// rejected rows. The versions of the rows do not change.
    ///
    /// - Parameters:
    ///   - entity: The entity of the written rows.
    ///   - column: The index of the reference column.
    ///   - targets: The new target for each old target.
    /// - Returns: For each old target that was not replaced, the reason: another row already has the new target in a
    ///   unique column.
    /// - Throws: ``PersistenceError``; its code is ``PersistenceError/Code/invalidRequest`` if the store does not
    ///   support the method.
    func redirectReferences(
        of entity: EntityDescription, column: Int, _ targets: [Int64: Int64]
    ) throws -> [Int64: PersistenceError]

    /// Removes all join rows of a row in a many-to-many relationship.
    ///
    /// If the store later restores the row to its earlier state, it also restores the join rows.
    ///
    /// - Parameters:
    ///   - id: The identifier of the row.
    ///   - isSource: `true` if the row is the source of the join rows; ignored in a symmetric relationship.
    ///   - join: The join table's name.
    /// - Throws: ``PersistenceError``; its code is ``PersistenceError/Code/invalidRequest`` if the store does not
    ///   support the method.
    func removePairs(of id: Int64, isSource: Bool, join: String) throws

    /// Stores a text under a key of the caller, or removes it if `value` is `nil`.
    ///
    /// The text is committed or rolled back together with the rows.
    ///
    /// The text is part of the store's metadata and of every copy. Keys have no meaning for the store; use a prefix of
    /// your own.
    ///
    /// - Throws: ``PersistenceError`` if the store cannot be written.
    func setMetadata(_ value: String?, forKey key: String) throws
}

extension RowWriter {
    /// Throws a ``PersistenceError``, because only a store's own implementation can replace targets in written rows.
    public func redirectReferences(
        of entity: EntityDescription, column: Int, _ targets: [Int64: Int64]
    ) throws -> [Int64: PersistenceError] {
        throw PersistenceError(
            .invalidRequest,
            "the store cannot redirect references while it writes; write the rows that others refer to by keys first",
            entity: entity.name, attribute: entity.columns[column].name)
    }

    /// Does nothing, because such a store rejects a row with a duplicate unique value at once and has no waiting rows.
    public func writeWaitingRows() throws {}

    /// Returns an inserter of join rows that writes them one by one.
    public func pairInserter(
        of join: String, _ options: InsertOptions, owners: PairOwners?
    ) throws -> any PairInserter {
        CheckedPairInserter(self, join, options, isList: owners != nil)
    }

    /// Returns the row with an identifier, read by a request, which every store supports.
    public func row(_ id: Int64, of entity: EntityDescription) throws -> StoredRow? {
        var found: StoredRow?
        try read { reader in found = try reader.row(id, of: entity) }
        return found
    }

    /// Throws a ``PersistenceError``, because only a store's own implementation can remove join rows of written rows.
    public func removePairs(of id: Int64, isSource: Bool, join: String) throws {
        throw PersistenceError(.invalidRequest, "the store cannot remove pairs of “\(join)” while it writes")
    }

    /// Returns the identifier of the row with some values in a unique key, read by a request, which every store
    /// supports.
    public func identifier(of entity: EntityDescription, by key: UniqueKey, _ value: UniqueValue) throws -> Int64? {
        let terms = zip(key.columns, value.parts).map { column, part in
            FetchCondition.compare(.property(entity.columns[column].name), .equal, .constant(part))
        }
        var found: Int64?
        try read { reader in
            try reader.fetch(StoreRequest(entity.name, where: .all(terms), limit: 1)) { row in
                found = row.rawID
                return .stop
            }
        }
        return found
    }
}

extension StoreReader {
    /// Returns the row with an identifier; `nil` if it does not exist.
    package func row(_ id: Int64, of entity: EntityDescription) throws -> StoredRow? {
        var found: StoredRow?
        let isMeant = FetchCondition.compare(.property("id"), .equal, .constant(.integer(id)))
        try fetch(StoreRequest(entity.name, where: isMeant, limit: 1)) { row in
            let values = try entity.columns.indices.map { try row.value(at: $0) }
            found = StoredRow(id: row.rawID, version: row.version, values: values)
            return .stop
        }
        return found
    }
}

/// An inserter of one entity's rows inside a store's transaction.
///
/// An inserter applies the ``InsertOptions`` with which it was requested: they decide about rows that exist already,
/// about dangling references, and about errors of single rows. It is valid until the closure of its writer returns.
///
/// A caller that inserts many rows fills a ``RowBlock`` and passes it to ``insert(_:)``; the method that inserts a
/// single row creates a block for it.
///
/// ## Topics
///
/// ### Inserting
///
/// - ``insert(_:)``
/// - ``insert(id:values:location:)``
/// - ``rowsAtOnce``
///
/// ### Results
///
/// - ``counts``
/// - ``updated``
/// - ``entity``
public protocol RowInserter: AnyObject {
    /// The entity of the inserted rows.
    var entity: EntityDescription { get }

    /// The counts of the rows so far, by their outcome; dangling references are found only at the end of the
    /// transaction.
    var counts: InsertCounts { get }

    /// The identifiers of the stored rows that got new values.
    var updated: ChangedIdentifiers { get }

    /// The recommended count of rows in a block for this inserter, which accepts blocks of any size.
    var rowsAtOnce: Int { get }

    /// Writes the rows of a block, whose values must have passed validation, in their order.
    ///
    /// The store assigns identifiers to rows without one, beginning with the entity's next identifier, without gaps,
    /// and writes them to the block.
    ///
    /// - Parameter block: The rows; afterwards, the block contains the identifiers that the store assigned.
    /// - Throws: ``PersistenceError`` with the location of the first row that breaks uniqueness, unless the options
    ///   permit it.
    func insert(_ block: inout RowBlock) throws
}

extension RowInserter {
    /// The default recommended count of rows in a block: 1024.
    ///
    /// Larger blocks bring little benefit to a store that processes each row separately, and they need memory.
    public var rowsAtOnce: Int { 1024 }

    /// Inserts one row, whose values must have passed validation.
    ///
    /// - Parameters:
    ///   - id: The identifier; `nil` if the store is to assign it.
    ///   - values: The values of the row, in the order of the entity's columns.
    ///   - location: The location of the row in its input.
    /// - Returns: The row's identifier.
    /// - Throws: ``PersistenceError`` with the location if the identifier or a unique value exists already.
    @discardableResult
    public func insert(id: Int64?, values: [StoredValue], location: RowLocation) throws -> Int64 {
        guard values.count == entity.columns.count else {
            throw PersistenceError.miscounted(values.count, entity, id: id)
        }
        var block = RowBlock(of: entity)
        block.beginRow(id: id, location: location)
        for (column, value) in values.enumerated() where column != entity.positionColumn || !value.isNull {
            block.set(value, column: column)
        }
        try insert(&block)
        return block.ids.first ?? 0
    }
}
