/// A writer of rows of any entity inside one transaction of a store.
///
/// ``PersistentStore/writeRows(_:)`` passes a writer that is valid during one call. Only one thread at a time may use
/// it.
public protocol RowWriter: AnyObject {
    /// Returns an inserter of the rows of one entity.
    ///
    /// - Parameters:
    ///   - entity: The entity's name.
    ///   - options: The actions for conflicts and dangling references.
    /// - Returns: An inserter, valid as long as the writer.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` for a name that the model does
    ///     not have.
    func inserter(of entity: String, _ options: InsertOptions) throws -> any RowInserter

    /// Adds a join row to a many-to-many relationship; an existing one gets these positions.
    ///
    /// Both ends are checked at the end, like references.
    ///
    /// - Parameters:
    ///   - row: The join row, in the orientation of the join table's source and target.
    ///   - join: The join table's name.
    ///   - location: The location of the join row in its input, for errors.
    /// - Throws: ``PersistenceError``.
    func insert(_ row: JoinRow, of join: String, location: RowLocation) throws

    /// Returns an inserter of the join rows of one many-to-many relationship, with options.
    ///
    /// In the default implementation, a dangling join row is an error regardless of the options. It also reads each
    /// join row to find out whether it exists, which has a cost.
    ///
    /// - Parameters:
    ///   - join: The join table's name.
    ///   - options: The actions for existing join rows and for missing ends.
    ///   - owners: The rows whose list columns contain the join rows, so that a dangling join row is an error of its
    ///       row; `nil` for join rows that are records of their own.
    /// - Returns: An inserter, valid as long as the writer.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` for a name that the model does
    ///     not have.
    func pairInserter(of join: String, _ options: InsertOptions, owners: PairOwners?) throws -> any PairInserter

    /// Returns the row with an identifier as it would be stored now.
    ///
    /// The check of references calls the method. The default implementation reads the row with ``read(_:)``.
    ///
    /// - Parameters:
    ///   - id: The identifier.
    ///   - entity: The entity of the row.
    /// - Returns: The row; `nil` if it does not exist.
    /// - Throws: ``PersistenceError``.
    func row(_ id: Int64, of entity: EntityDescription) throws -> StoredRow?

    /// Writes or rejects the rows that wait for unique values of other rows; see ``InsertOptions/onConflict``.
    ///
    /// A caller that looks for rows by unique values after the last row must call the method first. Otherwise the check
    /// of references writes these rows.
    ///
    /// - Throws: ``PersistenceError`` for the first row whose unique value still belongs to another row, unless the
    ///     options permit it.
    func writeWaitingRows() throws

    /// Checks the references of all rows so far, as at the end of the transaction.
    ///
    /// The method is for callers that need the result and then roll back the transaction.
    ///
    /// - Throws: ``PersistenceError`` for the first dangling reference, in input order, that the options do not permit.
    func checkReferences() throws

    /// Passes a reader of the rows as they would be stored now to `body`; it is valid during the call.
    ///
    /// The reader includes the rows written so far. Indexes that are to be built last are built before.
    ///
    /// - Parameter body: Reads the rows.
    /// - Throws: The error that `body` throws, or ``PersistenceError``.
    func read(_ body: (any StoreReader) throws -> Void) throws

    /// Returns the identifier of the row that has the values of a unique key, among the written and the stored rows.
    ///
    /// The method is called once for each reference by such values. The default implementation reads the rows with
    /// ``read(_:)``, which has a cost.
    ///
    /// - Parameters:
    ///   - entity: The entity of the row.
    ///   - key: One of its ``EntityDescription/uniqueKeys``.
    ///   - value: The values of the row in the key's columns, in their stored form.
    /// - Returns: The identifier; `nil` if no row has the values.
    /// - Throws: ``PersistenceError``.
    func identifier(of entity: EntityDescription, by key: UniqueKey, _ value: UniqueValue) throws -> Int64?

    /// Replaces targets of a reference column in rows that were written.
    ///
    /// The inserters update their own data about the rows, so that the check finds references to rejected rows. The
    /// versions of the rows do not change.
    ///
    /// - Parameters:
    ///   - entity: The entity of the rows.
    ///   - column: The index of the reference column.
    ///   - targets: The new target for each old target.
    /// - Returns: The reason for each old target that was not replaced, because another row already has the new target
    ///     in a unique column.
    /// - Throws: ``PersistenceError``; with code ``PersistenceError/Code/invalidRequest`` from a store that cannot do
    ///     it.
    func redirectReferences(
        of entity: EntityDescription, column: Int, _ targets: [Int64: Int64]
    ) throws -> [Int64: PersistenceError]

    /// Removes all join rows of a row in a many-to-many relationship.
    ///
    /// The store restores them if it restores the row to its earlier state.
    ///
    /// - Parameters:
    ///   - id: The identifier of the row.
    ///   - isSource: Whether the row is the source of the join rows; in a symmetric relationship, it is both ends.
    ///   - join: The join table's name.
    /// - Throws: ``PersistenceError``; with code ``PersistenceError/Code/invalidRequest`` from a store that cannot do
    ///     it.
    func removePairs(of id: Int64, isSource: Bool, join: String) throws

    /// Stores a text under a key of the user, or removes it.
    ///
    /// The text is stored with the rows, or not at all.
    ///
    /// - Throws: ``PersistenceError``.
    func setMetadata(_ value: String?, forKey key: String) throws
}

extension RowWriter {
    /// Throws, because only a store's own implementation can change references of written rows.
    public func redirectReferences(
        of entity: EntityDescription, column: Int, _ targets: [Int64: Int64]
    ) throws -> [Int64: PersistenceError] {
        throw PersistenceError(
            .invalidRequest,
            "the store cannot redirect references while it writes; write the rows that others refer to by keys first",
            entity: entity.name, attribute: entity.columns[column].name)
    }

    /// Does nothing, because a store that rejects such a row at once has no waiting rows.
    public func writeWaitingRows() throws {}

    /// Returns an inserter that adds join rows one by one.
    public func pairInserter(
        of join: String, _ options: InsertOptions, owners: PairOwners?
    ) throws -> any PairInserter {
        CheckedPairInserter(self, join, options, isList: owners != nil)
    }

    /// Looks up the row by a request, which every store supports.
    public func row(_ id: Int64, of entity: EntityDescription) throws -> StoredRow? {
        var found: StoredRow?
        try read { reader in found = try reader.row(id, of: entity) }
        return found
    }

    /// Throws, because only a store's own implementation can remove join rows of written rows.
    public func removePairs(of id: Int64, isSource: Bool, join: String) throws {
        throw PersistenceError(.invalidRequest, "the store cannot remove pairs of “\(join)” while it writes")
    }

    /// Looks up the row by a request, which every store supports.
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

/// An inserter of rows of one entity inside a store's transaction.
public protocol RowInserter: AnyObject {
    /// The entity.
    var entity: EntityDescription { get }

    /// The outcomes of the rows so far; references are checked only at the end of the transaction.
    var counts: InsertCounts { get }

    /// The existing rows that got new values.
    var updated: ChangedIdentifiers { get }

    /// The approximate count of rows that a block for this inserter should have; it accepts blocks of any size.
    var rowsAtOnce: Int { get }

    /// Writes the rows of a block, whose values passed validation, in their order.
    ///
    /// The store numbers rows without an identifier from the entity's next identifier, without gaps, and writes the
    /// numbers to the block.
    ///
    /// - Parameter block: The rows.
    /// - Throws: ``PersistenceError`` with the location of the first row that breaks uniqueness, unless the options
    ///     permit it.
    func insert(_ block: inout RowBlock) throws
}

extension RowInserter {
    /// The usual count, 1024.
    ///
    /// Larger blocks gain little for a store that processes each row separately, and they need memory.
    public var rowsAtOnce: Int { 1024 }

    /// Inserts one row whose values passed validation.
    ///
    /// - Parameters:
    ///   - id: The identifier, or `nil` if the store is to number the row.
    ///   - values: The values, in the order of the entity's columns.
    ///   - location: The location of the row in its input.
    /// - Returns: The row's identifier.
    /// - Throws: ``PersistenceError`` with the location if the identifier or a unique value already exists.
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
