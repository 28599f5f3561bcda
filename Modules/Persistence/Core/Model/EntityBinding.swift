/// The record type of an entity, as a layer above bound it.
package protocol EntityBinding: Sendable {
    /// The form that the record type gives rows; `nil` if it stores every row that obeys the model as it is.
    var form: RecordForm? { get }
}

/// The form that a record type gives the rows of its entity: it may reject a row, change values, and compute values.
package struct RecordForm: Sendable {
    /// A value that a record stores, and that its row does not have.
    package typealias Difference = (column: Int, value: StoredValue)

    private let values: @Sendable (RowReader) throws -> [StoredValue]

    /// Creates a form.
    ///
    /// - Parameter values: Makes a record from a row, and returns the values that the record stores, not yet in their
    ///   stored form.
    package init(values: @escaping @Sendable (RowReader) throws -> [StoredValue]) { self.values = values }

    /// Makes a record from a row, and returns the values that the record stores and the row does not have.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - validator: Of the entity.
    /// - Returns: The values in their stored form, in the order of the columns.
    /// - Throws: What the initializer throws, or ``ValidationFailure`` for a value that breaks a rule of the model.
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
    /// Returns the model without the computations of entities whose code it does not have.
    ///
    /// A program without the code stores such values as they are given, and a store must not say that it computed them.
    package func withoutMissingCode() throws -> ManagedObjectModel {
        let isMissing = { (entity: EntityDescription) in
            form(of: entity.name) == nil && (entity.computationVersion != nil || !entity.computedColumns.isEmpty)
        }
        guard entities.contains(where: isMissing) else { return self }
        return try ManagedObjectModel(
            entities.map { isMissing($0) ? $0.withoutComputations() : $0 }, bindings: bindings)
    }

    /// Returns the form that the record type of an entity gives rows; `nil` if rows are stored as they are.
    package func form(of entity: String) -> RecordForm? { bindings[entity]?.form }
}
