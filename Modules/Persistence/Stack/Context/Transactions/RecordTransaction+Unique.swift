import StrataCore
import StrataStoreKit

/// The lookup of records by unique values.
extension RecordTransaction {
    /// Returns the record with a value of a unique attribute, or `nil` if no such record exists.
    ///
    /// ```swift
    /// let bill = try unit.find(Bill.self, by: \.numberKey, "2026/7")
    /// ```
    ///
    /// - Parameters:
    ///   - type: The record type.
    ///   - path: An attribute or to-one relationship that is unique without other properties.
    ///   - value: The value of the property.
    /// - Returns: The record, including the changes of this unit of work.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if the property is not unique.
    /// - Complexity: One index lookup.
    public func find<Record: PersistentRecord, Value: AttributeValue>(
        _ type: Record.Type, by path: any KeyPath<Record, Value> & Sendable, _ value: Value
    ) throws -> Record? {
        let entity = Record.entity
        guard let column = entity.column(at: path).flatMap(entity.description.columnIndex),
            entity.description.columns[column].isUnique
        else {
            throw PersistenceError(
                .invalidRequest, "\((path as AnyKeyPath).text) is not a unique property", entity: entity.name)
        }
        var values = [StoredValue](repeating: .null, count: entity.description.columns.count)
        values[column] = try value.storedValue()
        // Rows without a value are not unique.
        if values[column].isNull { return nil }
        return try records(of: entity, by: [column], values).first
    }

    /// Returns the existing record with the unique values of a new record, or inserts the new record.
    ///
    /// ```swift
    /// let (bill, isNew) = try unit.findOrInsert(Bill.self) { Bill(id: $0, year: 2026, number: 7) }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The record type.
    ///   - entity: The entity of the records; `nil` uses the entity that the type declares.
    ///   - make: A closure that creates the new record with an identifier. It runs once for the lookup, with an
    ///     identifier that is not stored. If no record exists, it runs again for the insertion.
    /// - Returns: The existing or new record, and a Boolean value that indicates whether it is new.
    /// - Throws: The error of `make`; ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if the
    ///   new record has no unique value, or ``PersistenceError/Code/uniqueness`` if two existing records each have a
    ///   unique value of the new record.
    @discardableResult
    public func findOrInsert<Record: ManagedRecord>(
        _ type: Record.Type, entity: RecordEntity<Record>? = nil, _ make: (Record.ID) throws -> Record
    ) throws -> (record: Record, isNew: Bool) {
        let entity = try Record.entity(entity)
        guard let first = Record.ID(rawValue: identifierRange.lowerBound) else {
            throw PersistenceError.identifiersExhausted(entity.name)
        }
        let values = try entity.row(of: make(first)).values
        let keys = entity.description.uniqueKeys.filter { $0.value(of: values) != nil }
        guard !keys.isEmpty else {
            throw PersistenceError(
                .invalidRequest, "the new record has no unique value by which another could be found",
                entity: entity.name)
        }
        var found: [Int64: Record] = [:]
        for key in keys {
            for record in try records(of: entity, by: key.columns, values) { found[record.id.rawValue] = record }
        }
        guard found.count < 2 else {
            let ids = found.keys.sorted().map { "\($0)" }.joined(separator: ", ")
            throw PersistenceError(
                .uniqueness, "several objects have unique values of the new record: \(ids)", entity: entity.name)
        }
        if let record = found.values.first { return (record, false) }
        return (try insert(into: entity, make), true)
    }

    /// Returns the records that have the given values in the given columns.
    private func records<Record: ManagedRecord>(
        of entity: RecordEntity<Record>, by columns: [Int], _ values: [StoredValue]
    ) throws -> [Record] {
        let validator = RowValidator(entity.description)
        let terms = columns.map { column -> FetchCondition in
            var value = values[column]
            // No record has a value that breaks a rule.
            _ = validator.validate(&value, column: column)
            return .compare(.property(entity.description.columns[column].name), .equal, .constant(value))
        }
        return try fetch(FetchRequest(entity, .condition(.all(terms))))
    }
}
