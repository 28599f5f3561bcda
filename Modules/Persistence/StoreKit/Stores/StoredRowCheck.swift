package import StrataCore

/// A check of an entity's stored rows for faults.
///
/// It checks each value by its type and by the model's rules, and each whole row by creating a record from it.
package struct StoredRowCheck {
    /// The content of a column in a stored row.
    package enum Cell {
        /// A value, or null.
        case value(StoredValue)
        /// Content that is not a value of the column's type.
        case invalid
        /// Content whose fault was already reported.
        case reported
    }

    private let entity: EntityDescription
    private let validator: RowValidator
    private let form: RecordForm?

    /// Creates a check of an entity's rows.
    ///
    /// - Parameters:
    ///   - entity: The entity of the rows.
    ///   - form: The form that creates records from rows; `nil` if only the model's rules are checked.
    package init(_ entity: EntityDescription, _ form: RecordForm?) {
        (self.entity, self.form) = (entity, form)
        validator = RowValidator(entity)
    }

    /// Checks a stored row for faults.
    ///
    /// - Parameters:
    ///   - id: The row's identifier, as it is stored.
    ///   - version: The row's version.
    ///   - isWhole: A Boolean value that indicates whether the identifier is valid, so that a record can be created.
    ///   - cell: A closure that returns the content of a column.
    ///   - found: A closure that receives each fault.
    /// - Throws: The errors that `cell` and `found` throw.
    package func check(
        id: Int64, version: Int64, isWhole: Bool = true, cell: (Int) throws -> Cell, found: (StoreFault) throws -> Void
    ) throws {
        var isWhole = isWhole
        var values: [StoredValue] = []
        for index in entity.columns.indices {
            let value = try value(try cell(index), column: index, id: id, found)
            if value == nil { isWhole = false }
            values.append(value ?? .null)
        }
        guard isWhole, let form else { return }
        let row = StoredRow(id: id, version: version, values: values)
        let differences: [RecordForm.Difference]
        do { differences = try form.differences(from: RowReader(ValueRowSource(row)), validator) } catch {
            let failure = try PersistenceError.failure(error, id: id, of: entity.name)
            var fault = StoreFault(
                .rule, "the initializer of the record type rejects the row", entity: entity.name, id: id,
                attribute: failure.attribute.isEmpty ? nil : failure.attribute)
            fault.details = failure.reason
            try found(fault)
            return
        }
        for difference in differences {
            let column = entity.columns[difference.column]
            let reason =
                column.attribute?.isComputed == true
                ? "is not the value that the record type computes" : "is not the value that its record stores"
            try found(
                StoreFault(.rule, reason, entity: entity.name, id: id, attribute: column.name, isRepairable: true))
        }
    }

    /// Returns the value of a cell if it breaks no rule; otherwise reports a fault and returns `nil`.
    private func value(
        _ cell: Cell, column: Int, id: Int64, _ found: (StoreFault) throws -> Void
    ) throws -> StoredValue? {
        func report(_ kind: StoreFault.Kind, _ message: String) throws {
            try found(
                StoreFault(kind, message, entity: entity.name, id: id, attribute: entity.columns[column].name))
        }
        switch cell {
        case .reported: return nil
        case .invalid:
            try report(.type, "the value is not of type \(entity.columns[column].type.coding.name)")
            return nil
        case .value(.null):
            guard !entity.columns[column].isOptional else { return .null }
            try report(.type, "is mandatory, null is not allowed")
            return nil
        case .value(let stored):
            var value = stored
            let broken = validator.validate(&value, column: column)
            for rule in broken {
                let failure = validator.failure(rule, index: column, value: stored, id: id)
                let kind: StoreFault.Kind =
                    switch rule {
                    case .type: .type
                    case .identifier: .reference
                    default: .rule
                    }
                try report(kind, failure.ruleText)
            }
            guard broken.isEmpty else { return nil }
            // The store always writes a value in the form of its type.
            guard value == stored else {
                try report(.rule, "is not in the form in which values of its type are stored")
                return nil
            }
            return value
        }
    }
}
