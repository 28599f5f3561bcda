/// Looks at rows of an entity as a store has them: their values by types and by the model's rules, and each whole row by what its record type makes of it.
package struct StoredRowCheck {
    /// What a column of a row holds.
    package enum Cell {
        /// A value, or null.
        case value(StoredValue)
        /// What is none of the column's type.
        case invalid
        /// What was reported already.
        case reported
    }

    private let entity: EntityDescription
    private let validator: RowValidator
    private let form: RecordForm?

    /// - Parameters:
    ///   - entity: The rows' entity.
    ///   - form: Makes records of whole rows; `nil` if the model alone decides.
    package init(_ entity: EntityDescription, _ form: RecordForm?) {
        (self.entity, self.form) = (entity, form)
        validator = RowValidator(entity)
    }

    /// Looks at a row.
    ///
    /// - Parameters:
    ///   - id: Its identifier, as it is stored.
    ///   - version: Its version.
    ///   - isWhole: Whether its identifier is one, so that there can be a record of it.
    ///   - cell: What a column holds.
    ///   - found: Gets the faults one by one.
    /// - Throws: What `cell` and `found` throw.
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
                .rule, "the initializer of the record type rejects it", entity: entity.name, id: id,
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

    /// A stored value that breaks no rule; `nil` where it does, which is reported.
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
            try report(.type, "holds what is not a \(entity.columns[column].type.coding.name)")
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
            // What is written is always in the form of its type.
            guard value == stored else {
                try report(.rule, "is not in the form in which values of its type are kept")
                return nil
            }
            return value
        }
    }
}
