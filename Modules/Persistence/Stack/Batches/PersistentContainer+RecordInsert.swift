import StrataCore
public import StrataStoreKit

extension PersistentContainer {
    /// Inserts many records of one entity without creating objects.
    ///
    /// The records are inserted in one transaction of the store, and are validated by the same rules as a save.
    ///
    /// ```swift
    /// try container.batchInsert(papers, records: drafts)
    /// ```
    ///
    /// - Parameters:
    ///   - entity: The entity of a record type, or of records without a Swift type.
    ///   - options: The handling of records whose rows exist already, and of dangling references.
    ///   - records: The records, which contain their identifiers.
    /// - Returns: The number of new rows.
    /// - Throws: ``PersistenceError`` with the number of the first invalid record, counted from 1, in
    ///   ``PersistenceError/location``; or ``ValidationFailure`` if a value has no stored form. If the method throws,
    ///   nothing is stored.
    /// - Complexity: O(*n*) in the number of records; constant memory besides the records.
    @discardableResult
    public func batchInsert<Record: ManagedRecord>(
        _ entity: RecordEntity<Record>, _ options: InsertOptions = InsertOptions(), records: some Sequence<Record>
    ) throws -> Int {
        var count = 0
        try batchWrite { count = try $0.insert(records, into: entity, options) }
        return count
    }
}

/// The insertion of records as the rows of a bulk write.
extension BatchWriter {
    /// Inserts records of a record type as rows of this bulk write.
    ///
    /// ```swift
    /// try container.batchWrite { writer in
    ///     try writer.insert(albums)
    ///     try writer.insert(artists)
    /// }
    /// ```
    ///
    /// - Returns: The number of new rows.
    /// - Throws: The errors of ``insert(_:into:_:)``.
    @discardableResult
    public func insert<Record: PersistentRecord>(
        _ records: some Sequence<Record>, _ options: InsertOptions = InsertOptions()
    ) throws -> Int {
        try insert(records, into: Record.entity, options)
    }

    /// Inserts records of one entity as rows of this bulk write; several calls may insert the entities in any order.
    ///
    /// - Parameters:
    ///   - records: The records, which contain their identifiers.
    ///   - entity: The entity of the records.
    ///   - options: The handling of records whose rows exist already, and of dangling references.
    /// - Returns: The number of new rows.
    /// - Throws: ``PersistenceError`` with the number of the first invalid record, counted from 1, in
    ///   ``PersistenceError/location``; or ``ValidationFailure`` if a value has no stored form.
    /// - Complexity: O(*n*) in the number of records; constant memory besides the records.
    @discardableResult
    public func insert<Record: ManagedRecord>(
        _ records: some Sequence<Record>, into entity: RecordEntity<Record>, _ options: InsertOptions = InsertOptions()
    ) throws -> Int {
        let inserter = try inserter(of: entity.name, options)
        for (index, record) in records.enumerated() {
            let found = record.recordEntity
            let location = RowLocation(line: index + 1, record: index + 1)
            guard found.name == entity.name, found.description.hasSameColumns(as: inserter.entity) else {
                var error = PersistenceError(
                    .invalidRequest, "the record is of \(found.name) of another model, or of another entity",
                    entity: entity.name)
                error.location = location
                throw error
            }
            let row = try found.row(of: record)
            try inserter.insert(id: row.id, values: row.values, location: location)
        }
        return inserter.counts.inserted
    }
}
