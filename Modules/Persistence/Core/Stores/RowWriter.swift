/// Takes rows of any entity inside one transaction of a store.
///
/// Given by ``PersistentStore/writeRows(_:)`` for the time of one call; not to be used from several threads at once.
public protocol RowWriter: AnyObject {
    /// Takes the rows of one entity.
    ///
    /// - Parameters:
    ///   - entity: The entity's name.
    ///   - options: What to do about conflicts and missing references.
    /// - Returns: An inserter, valid as long as the writer.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` for a name the model does not have.
    func inserter(of entity: String, _ options: InsertOptions) throws -> any RowInserter

    /// Adds a pair to a many-to-many relationship; one that is there already takes these positions.
    ///
    /// Both ends are checked at the end, like references.
    ///
    /// - Parameters:
    ///   - row: The pair, in the orientation of the join table's source and target.
    ///   - join: The join table's name.
    ///   - location: Where the pair stands in its input, for errors.
    /// - Throws: ``PersistenceError``.
    func insert(_ row: JoinRow, of join: String, location: RowLocation) throws

    /// Takes the pairs of one many-to-many relationship, with what is to happen to those that do not fit.
    ///
    /// Without one of your own a pair that leads nowhere is an error, whatever the options say, and whether one is there already is read, with all that
    /// this costs.
    ///
    /// - Parameters:
    ///   - join: The join table's name.
    ///   - options: What to do about pairs that are there already, and about ends that are not there.
    ///   - owners: The rows in whose columns the pairs stand, so that a pair that leads nowhere is a mistake of its row; `nil` for pairs that are records
    ///     of their own.
    /// - Returns: An inserter, valid as long as the writer.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` for a name the model does not have.
    func pairInserter(of join: String, _ options: InsertOptions, owners: PairOwners?) throws -> any PairInserter

    /// The row of an identifier as it would be stored now.
    ///
    /// Asked while references are checked; without one of your own it is read as ``read(_:)`` gives it.
    ///
    /// - Parameters:
    ///   - id: The identifier.
    ///   - entity: The entity of the row.
    /// - Returns: The row; `nil` where there is none.
    /// - Throws: ``PersistenceError``.
    func row(_ id: Int64, of entity: EntityDescription) throws -> StoredRow?

    /// Writes the rows that wait for unique values of other rows, or refuses them; see ``InsertOptions/onConflict``.
    ///
    /// A caller that looks for rows by unique values when all rows came calls it first. Without it they are written by the check of references.
    ///
    /// - Throws: ``PersistenceError`` for the first row whose unique value another row keeps, unless the options take it.
    func writeWaitingRows() throws

    /// Checks the references of all rows so far, as the end of the transaction will.
    ///
    /// For whoever wants to know and takes the transaction back.
    ///
    /// - Throws: ``PersistenceError`` for the first reference, in the order of the input, that leads nowhere and may not.
    func checkReferences() throws

    /// Gives `body` the rows as they would be stored now, with those written so far; valid for the time of the call.
    ///
    /// Indexes that are to be built last are built before.
    ///
    /// - Parameter body: Reads.
    /// - Throws: What `body` throws, or ``PersistenceError``.
    func read(_ body: (any StoreReader) throws -> Void) throws

    /// The identifier of the row that has the values of a unique key, be it written so far or stored before.
    ///
    /// Asked once for each reference by such values; without one of your own the rows are read as ``read(_:)`` gives them, with all that this costs.
    ///
    /// - Parameters:
    ///   - entity: The entity of the row.
    ///   - key: One of its ``EntityDescription/uniqueKeys``.
    ///   - value: What the row has in the key's columns, in their stored form.
    /// - Returns: The identifier; `nil` where no row has the values.
    /// - Throws: ``PersistenceError``.
    func identifier(of entity: EntityDescription, by key: UniqueKey, _ value: UniqueValue) throws -> Int64?

    /// Gives references of rows that were written another target: those that lead to one of some identifiers.
    ///
    /// What the inserters know of the rows knows the new target then, so that a reference to what is left out is found. Rows keep their versions.
    ///
    /// - Parameters:
    ///   - entity: The entity of the rows.
    ///   - column: The place of the reference among its columns.
    ///   - targets: For each identifier that rows lead to the one that takes its place.
    /// - Returns: For each identifier that stays, as another row has the new one and may not share it, why.
    /// - Throws: ``PersistenceError``; with code ``PersistenceError/Code/invalidRequest`` from a store that has no way to do it.
    func redirectReferences(
        of entity: EntityDescription, column: Int, _ targets: [Int64: Int64]
    ) throws -> [Int64: PersistenceError]

    /// Removes all pairs that a row has in a many-to-many relationship; they come back where the row is put back to what it was.
    ///
    /// - Parameters:
    ///   - id: The identifier of the row.
    ///   - isSource: Whether it is the source of the pairs; of a symmetric relationship it is both.
    ///   - join: The join table's name.
    /// - Throws: ``PersistenceError``; with code ``PersistenceError/Code/invalidRequest`` from a store that has no way to do it.
    func removePairs(of id: Int64, isSource: Bool, join: String) throws

    /// Keeps a text in the store under a key of the user's own, or forgets it.
    ///
    /// It is stored with the rows, or not at all.
    ///
    /// - Throws: ``PersistenceError``.
    func setMetadata(_ value: String?, forKey key: String) throws
}

extension RowWriter {
    /// Refuses: the references of rows that are written are the store's.
    public func redirectReferences(
        of entity: EntityDescription, column: Int, _ targets: [Int64: Int64]
    ) throws -> [Int64: PersistenceError] {
        throw PersistenceError(
            .invalidRequest,
            "the store cannot redirect references while it writes; put what others refer to by keys in front of them",
            entity: entity.name, attribute: entity.columns[column].name)
    }

    /// Does nothing: a store that refuses such a row at once has none that wait.
    public func writeWaitingRows() throws {}

    /// Gives an inserter that adds pairs one by one.
    public func pairInserter(
        of join: String, _ options: InsertOptions, owners: PairOwners?
    ) throws -> any PairInserter {
        CheckedPairInserter(self, join, options, isList: owners != nil)
    }

    /// Looks for the row by a request, which every store answers.
    public func row(_ id: Int64, of entity: EntityDescription) throws -> StoredRow? {
        var found: StoredRow?
        try read { reader in found = try reader.row(id, of: entity) }
        return found
    }

    /// Refuses: the pairs are the store's.
    public func removePairs(of id: Int64, isSource: Bool, join: String) throws {
        throw PersistenceError(.invalidRequest, "the store cannot remove pairs of “\(join)” while it writes")
    }

    /// Looks for the row by a request, which every store answers.
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
    /// The row of an identifier; `nil` where there is none.
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

/// Takes rows of one entity inside a store's transaction.
public protocol RowInserter: AnyObject {
    /// The entity.
    var entity: EntityDescription { get }

    /// What became of the rows so far; references are checked at the end of the transaction only.
    var counts: InsertCounts { get }

    /// The rows that were there and got new values.
    var updated: ChangedIdentifiers { get }

    /// About how many rows a block should have that is filled for the inserter alone; it takes blocks of any size.
    var rowsAtOnce: Int { get }

    /// Writes the rows of a block, whose values passed validation, in their order.
    ///
    /// Rows without an identifier are numbered on from the entity's mark, without gaps, and have their number in the block afterwards.
    ///
    /// - Parameter block: The rows.
    /// - Throws: ``PersistenceError`` with the location of the first row that breaks uniqueness, unless the options take it.
    func insert(_ block: inout RowBlock) throws
}

extension RowInserter {
    /// The usual number, 1024: more in a block gain a store little that is asked for each row, and need memory.
    public var rowsAtOnce: Int { 1024 }

    /// Inserts one row whose values passed validation.
    ///
    /// - Parameters:
    ///   - id: The identifier, or `nil` to number the row.
    ///   - values: The values, in the order of the entity's columns.
    ///   - location: Where the row stands in its input.
    /// - Returns: The row's identifier.
    /// - Throws: ``PersistenceError`` with the location when the identifier or a unique value is taken.
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
