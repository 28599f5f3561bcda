package import StrataCore

/// A validator that checks the rows of a block in place by the rules of an entity.
///
/// It uses the same rules and the same row validator as a save. It is not `Sendable` because it keeps compiled
/// patterns: each thread that fills blocks needs its own.
package final class BlockValidator {
    /// The checks of one column that are done without a ``StoredValue``.
    private struct Column {
        let isOptional: Bool
        /// A Boolean value that indicates whether a new row must have a value in the column.
        let isRequired: Bool
        /// The range of integers that satisfy the column's type and all of its rules; `nil` if more checks are
        /// necessary.
        let integers: ClosedRange<Int64>?
        /// The kind of cell whose values are valid in the column without a further check; `nil` if there is none.
        let freeKind: RowBlock.Kind?
        /// A Boolean value that indicates whether the column contains dates and has no rules.
        ///
        /// Its dates are only rounded to the nanosecond.
        let isPlainDate: Bool
        /// A Boolean value that indicates whether the record type computes the column's values.
        ///
        /// The computed value is checked instead of the value in the block.
        let isComputed: Bool
    }

    private let entity: EntityDescription
    private let columns: [Column]
    private let validator: RowValidator

    /// Creates a validator for rows of an entity.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - options: The options of the insert; with ``InsertOptions/ConflictAction/update``, rows may be incomplete.
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

    /// Checks the last row of a block, and converts its values to their stored form.
    ///
    /// - Parameter block: The block.
    /// - Returns: A failure for every rule that the row breaks.
    /// - Complexity: O(*n*) in the count of columns; allocates nothing for values that satisfy the rules.
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

    /// Checks the values of a row, converts them to their stored form, and returns a failure for every broken rule.
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

    /// Returns the error for a row that breaks rules.
    ///
    /// - Parameters:
    ///   - failures: The failures of the row, at least one.
    ///   - location: The location of the row in its input.
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

    /// Returns the range of valid integers in a column; `nil` if a range does not describe all valid integers.
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

    /// Returns the kind of cell whose every value is valid in a column; `nil` if there is none.
    ///
    /// Texts are already checked for U+0000, and UUIDs are already parsed, when they are put in a block. Dates and
    /// doubles need a check, because they may not be finite.
    private static func freeKind(_ column: ColumnDescription) -> RowBlock.Kind? {
        guard let attribute = column.attribute, attribute.domain == nil, attribute.rules.isEmpty else { return nil }
        let coding = attribute.type.coding
        return coding.isAnyCellValid ? RowBlock.Kind(coding.storage) : nil
    }
}
