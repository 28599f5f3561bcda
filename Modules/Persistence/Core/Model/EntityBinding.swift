/// The record type of an entity, bound by a higher layer.
package protocol EntityBinding: Sendable {
    /// The form that the record type applies to rows; `nil` if it stores every valid row unchanged.
    var form: RecordForm? { get }
}

/// The form that a record type applies to the rows of its entity: it may reject, change, or compute values.
package struct RecordForm: Sendable {
    /// A value that a record stores and that differs from the row's value.
    package typealias Difference = (column: Int, value: StoredValue)

    private let values: @Sendable (RowReader) throws -> [StoredValue]

    /// Creates a form.
    ///
    /// - Parameter values: A closure that creates a record from a row and returns the values that the record stores,
    ///   before their conversion to the stored form.
    package init(values: @escaping @Sendable (RowReader) throws -> [StoredValue]) { self.values = values }

    /// Creates a record from a row, and returns the record's values that differ from the row's values.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - validator: The validator of the entity.
    /// - Returns: The values in their stored form, in column order.
    /// - Throws: The error of the record's initializer, or ``ValidationFailure`` for a value that breaks a rule of the
    ///   model.
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
    /// Returns the model without the computations of entities whose code is missing from this program.
    ///
    /// Without that code the program stores such values as given. The store must therefore not record that it computed
    /// them.
    package func withoutMissingCode() throws -> ManagedObjectModel {
        let isMissing = { (entity: EntityDescription) in
            form(of: entity.name) == nil && (entity.computationVersion != nil || !entity.computedColumns.isEmpty)
        }
        guard entities.contains(where: isMissing) else { return self }
        return try ManagedObjectModel(
            entities.map { isMissing($0) ? $0.withoutComputations() : $0 }, bindings: bindings)
    }

    /// Returns the form that an entity's record type applies to rows; `nil` if rows are stored unchanged.
    package func form(of entity: String) -> RecordForm? { bindings[entity]?.form }
}
