/// Checks the rows of a block by an entity's rules, where they lie: the same rules and the same validator as a save's.
///
/// Not `Sendable`: it keeps compiled patterns. Whoever fills blocks has one.
package final class BlockValidator {
    /// What is asked of one column without making a value of it.
    private struct Column {
        let isOptional: Bool
        /// A row without the column is incomplete.
        let isRequired: Bool
        /// The range of whole numbers that obey the type and all rules; `nil` where more has to be asked.
        let integers: ClosedRange<Int64>?
        /// The kind whose values need no more questions.
        let freeKind: RowBlock.Kind?
        /// Dates without rules are only brought to the nanosecond.
        let isPlainDate: Bool
        /// The value that the record type computes is judged, and not the one that is given.
        let isComputed: Bool
    }

    private let entity: EntityDescription
    private let columns: [Column]
    private let validator: RowValidator

    /// A validator for rows of an entity.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - options: Rows that may update others need not be complete.
    package init(_ entity: EntityDescription, _ options: InsertOptions = InsertOptions()) {
        self.entity = entity
        validator = RowValidator(entity)
        let required = options.onConflict == .update ? [] : Set(entity.requiredColumns)
        columns = entity.columns.enumerated().map { index, column in
            Column(
                isOptional: column.isOptional, isRequired: required.contains(index),
                integers: Self.integers(column), freeKind: Self.freeKind(column),
                isPlainDate: column.type == .date && column.attribute?.rules.isEmpty == true
                    && column.attribute?.domain == nil, isComputed: column.attribute?.isComputed == true)
        }
    }

    /// Checks the last row of a block, and brings its values to their stored form.
    ///
    /// - Parameter block: The block.
    /// - Returns: Every rule the row breaks.
    /// - Complexity: O(*n*) in the columns; allocates nothing where a value obeys.
    package func validateLastRow(of block: inout RowBlock) -> [ValidationFailure] {
        validate(row: block.count - 1, of: &block)
    }

    package func validate(row: Int, of block: inout RowBlock) -> [ValidationFailure] {
        var failures: [ValidationFailure] = []
        if let id = block.id(ofRow: row), !identifierRange.contains(id) {
            failures.append(
                ValidationFailure(entity: entity.name, id: id, attribute: "id", value: .integer(id), rule: .identifier))
        }
        let start = row * block.columnCount
        for index in columns.indices {
            let cell = block.cells[start + index]
            let column = columns[index]
            if column.isComputed { continue }
            switch cell.kind {
            case .absent:
                if column.isRequired {
                    fail(.mandatory, column: index, value: .null, block: block, row: row, into: &failures)
                }
                continue
            case .null:
                if !column.isOptional {
                    fail(.mandatory, column: index, value: .null, block: block, row: row, into: &failures)
                }
                continue
            case .real where column.isPlainDate:
                if cell.real.isFinite {
                    block.cells[start + index] = RowBlock.Cell(dateOf: cell.real)
                    continue
                }
            case .integer:
                if let integers = column.integers, integers.contains(cell.bits) { continue }
            default:
                if cell.kind == column.freeKind { continue }
            }
            guard var value = block.value(row: row, column: index) else { continue }
            let before = value
            let broken = validator.validate(&value, column: index)
            if !broken.isEmpty {
                for rule in broken {
                    fail(rule, column: index, value: value, block: block, row: row, into: &failures)
                }
            } else if value != before || value.kindName != before.kindName {
                block.set(value, row: row, column: index)
            }
        }
        return failures
    }

    /// Checks values, and brings them to their stored form.
    package func validate(_ values: inout [StoredValue], id: Int64?) -> [ValidationFailure] {
        var failures: [ValidationFailure] = []
        for index in values.indices where !columns[index].isComputed {
            for rule in validator.validate(&values[index], column: index) {
                failures.append(validator.failure(rule, index: index, value: values[index], id: id ?? 0))
            }
        }
        if let id, !identifierRange.contains(id) {
            failures.insert(
                ValidationFailure(entity: entity.name, id: id, attribute: "id", value: .integer(id), rule: .identifier),
                at: 0)
        }
        return failures
    }

    /// The error for a row that breaks rules.
    ///
    /// - Parameters:
    ///   - failures: The rules, at least one.
    ///   - location: Where the row stands in its input.
    /// - Returns: An error with code ``PersistenceError/Code/validation``.
    package func error(_ failures: [ValidationFailure], at location: RowLocation) -> PersistenceError {
        var error = PersistenceError(.validation, "a row breaks rules of the model:", entity: entity.name)
        error.failures = failures
        error.location = location
        return error
    }

    private func fail(
        _ rule: ValidationFailure.Rule, column: Int, value: StoredValue, block: RowBlock, row: Int,
        into failures: inout [ValidationFailure]
    ) {
        failures.append(validator.failure(rule, index: column, value: value, id: block.id(ofRow: row) ?? 0))
    }

    /// The range that a column's whole numbers must be in, where type and rules say nothing else.
    private static func integers(_ column: ColumnDescription) -> ClosedRange<Int64>? {
        guard let attribute = column.attribute else { return identifierRange }
        guard attribute.domain == nil else { return nil }
        guard var range = attribute.type.coding.integers else { return nil }
        guard attribute.type.integerRange != nil else { return attribute.rules.isEmpty ? range : nil }
        for rule in attribute.rules {
            switch rule {
            case .minimum(.integer(let minimum)) where minimum <= range.upperBound:
                range = max(range.lowerBound, minimum)...range.upperBound
            case .maximum(.integer(let maximum)) where maximum >= range.lowerBound:
                range = range.lowerBound...min(range.upperBound, maximum)
            default: return nil
            }
        }
        return range
    }

    /// The kind of cell that obeys whatever it holds.
    ///
    /// Texts come checked for U+0000 and UUIDs as UUIDs; dates and doubles have to be looked at, because not every one is finite.
    private static func freeKind(_ column: ColumnDescription) -> RowBlock.Kind? {
        guard let attribute = column.attribute, attribute.domain == nil, attribute.rules.isEmpty else { return nil }
        let coding = attribute.type.coding
        return coding.isAnyCellValid ? RowBlock.Kind(coding.storage) : nil
    }
}
