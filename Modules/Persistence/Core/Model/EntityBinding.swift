/// A record type that a higher layer assigns to an entity.
package protocol EntityBinding: Sendable {
    /// The form in which the record type changes or rejects rows; `nil` if it stores every valid row unchanged.
    var form: RecordForm? { get }
}

/// The effect of a record type on the rows of its entity: it may reject a row, change its values, or compute values.
package struct RecordForm: Sendable {
    /// A value that a record stores and that differs from the value in its row, with the index of its column.
    package typealias Difference = (column: Int, value: StoredValue)

    private let values: @Sendable (RowReader) throws -> [StoredValue]

    /// Creates the form of a record type.
    ///
    /// - Parameter values: A closure that creates a record from a row, and returns the values that the record stores,
    ///   before their conversion to the stored form.
    package init(values: @escaping @Sendable (RowReader) throws -> [StoredValue]) { self.values = values }

    /// Creates a record from a row, and returns the record's values that differ from those in the row.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - validator: The validator of the row's entity.
    /// - Returns: The differing values in their stored form, in the order of the entity's columns.
    /// - Throws: The error that the record's initializer throws, or ``ValidationFailure`` for a value that breaks a
    ///   rule of the model.
    package func differences(from row: RowReader, _ validator: RowValidator) throws -> [Difference] {
        var differences: [Difference] = []
        for (column, encoded) in try values(row).enumerated() {
            let stored = try row.value(at: column)
            if encoded == stored { continue }
            var value = encoded
            if let rule = validator.validate(&value, column: column).first {
                throw validator.failure(rule, index: column, value: value, id: row.rawID)
            }
            if value != stored { differences.append((column, value)) }
        }
        return differences
    }
}

extension ManagedObjectModel {
    /// Returns the model without the computed attributes of entities that have no record type in this program.
    ///
    /// Without the record type, the program stores such values unchanged, and the store must not record that they were
    /// computed.
    package func withoutMissingCode() throws -> ManagedObjectModel {
        let isMissing = { (entity: EntityDescription) in
            form(of: entity.name) == nil && (entity.computationVersion != nil || !entity.computedColumns.isEmpty)
        }
        guard entities.contains(where: isMissing) else { return self }
        return try ManagedObjectModel(
            entities.map { isMissing($0) ? $0.withoutComputations() : $0 }, bindings: bindings)
    }

    /// Returns the form of an entity's record type; `nil` if the entity's rows are stored unchanged.
    package func form(of entity: String) -> RecordForm? { bindings[entity]?.form }
}
