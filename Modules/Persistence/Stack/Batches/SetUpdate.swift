import StrataCore
import StrataStoreKit

/// A batch update that runs as one set-based statement of the store.
///
/// Constant values are validated once. If new values are calculated, a query finds whether any of them breaks a rule.
struct SetUpdate {
    private let batch: BatchUpdate
    private let resolved: ResolvedUpdate
    /// The conditions for rows with an invalid value; no row may match them after the update.
    private let violations: [FetchCondition]
    private var entity: EntityDescription { batch.entity }

    /// Creates a set-based update from a batch update.
    ///
    /// - Returns: The update, or `nil` if the rows must be processed one by one. The reason is a computed attribute, a
    ///   calculated unique value, a value from a related object, a value that a custom type encodes, or a calculated
    ///   text with rules. Another reason is a constant that breaks a rule, because each row then needs its own failure.
    init?(_ batch: BatchUpdate) {
        self.batch = batch
        guard batch.computedColumns.isEmpty else { return nil }
        let validator = RowValidator(batch.entity)
        let counted = Set(CountedOwners(batch.model).columns(of: batch.entity).map(\.column))
        var assignments: [ResolvedUpdate.Assignment] = []
        var violations: [FetchCondition] = []
        for (column, operand) in batch.values {
            if var value = operand.constant {
                guard validator.validate(&value, column: column).isEmpty else { return nil }
                assignments.append(.init(column: column, value: .constant(value)))
            } else {
                guard !counted.contains(column), !batch.entity.isInUniqueKey(column),
                    let broken = Self.violations(batch.entity.columns[column], by: operand)
                else { return nil }
                violations += broken
                assignments.append(.init(column: column, value: operand))
            }
        }
        self.violations = violations
        resolved = ResolvedUpdate(
            entity: batch.entity, condition: batch.resolvedCondition, assignments: assignments)
    }

    /// Runs the update.
    ///
    /// - Throws: ``FallbackToRows`` if a rule is broken; ``PersistenceError`` if the record's initializer rejects rows,
    ///   or if the store fails.
    func run(in transaction: any SetBasedTransaction) throws -> (selectedCount: Int, updated: [Int64]) {
        let selected = try transaction.count(StoreRequest(entity.name, where: batch.condition))
        if selected == 0 { return (0, []) }
        // Rows that the record's initializer may reject are read again after the update.
        let check = RecordCheck(entity, in: batch.model)
        let owners = try ownersChangingObjects(in: transaction)
        let updated = try transaction.update(resolved)
        if updated.isEmpty { return (selected, []) }
        if !violations.isEmpty {
            let broken = StoreRequest(entity.name, where: .any(violations), limit: 1)
            if try transaction.count(broken) > 0 { throw FallbackToRows() }
        }
        if var check {
            let areSame = try check.validate(updated, in: transaction)
            if let refused = check.error { throw refused }
            if !areSame { throw FallbackToRows() }
        }
        let failures = try CountCheck(transaction).failures(owners)
        if !failures.isEmpty { throw PersistenceError.broken(failures, entity.name) }
        return (selected, updated)
    }

    /// Returns the owners of relationships with count limits that gain or lose an object by this update.
    private func ownersChangingObjects(in reader: any StoreReader) throws -> CountedOwners {
        var owners = CountedOwners(batch.model)
        for (column, key) in owners.columns(of: entity) {
            guard let new = resolved.assignments.first(where: { $0.column == column })?.value.constant else { continue }
            let name = entity.columns[column].name
            let isOther = FetchCondition.compare(.property(name), .notEqual, .constant(new))
            let request = StoreRequest(entity.name, where: batch.condition.map { $0 && isOther } ?? isOther)
            var reading = CancellableReading()
            try reader.fetch(request) { row in
                try reading.next()
                owners.note(try row.value(at: column), key)
                owners.note(new, key)
                return .next
            }
        }
        return owners
    }

    /// Returns the conditions for rows in which the calculated value of a column is invalid.
    ///
    /// The result is `nil` if a query cannot detect all invalid values.
    private static func violations(_ column: ColumnDescription, by operand: ResolvedOperand) -> [FetchCondition]? {
        guard column.attribute?.domain == nil, !operand.traversesRelationships,
            column.isOptional || !operand.type.isNullable, isExact(operand, in: column.type)
        else { return nil }
        func breaks(_ comparison: FetchComparison, _ bound: StoredValue) -> FetchCondition {
            .compare(.property(column.name), comparison, .constant(bound))
        }
        var violations: [FetchCondition] = []
        if let range = column.type.integerRange {
            if range.lowerBound > .min { violations.append(breaks(.less, .integer(range.lowerBound))) }
            if range.upperBound < .max { violations.append(breaks(.greater, .integer(range.upperBound))) }
        }
        for rule in column.attribute?.rules ?? [] {
            switch rule {
            case .minimum(let bound): violations.append(breaks(.less, bound))
            case .maximum(let bound): violations.append(breaks(.greater, bound))
            case .greaterThan(let bound): violations.append(breaks(.lessOrEqual, bound))
            case .lessThan(let bound): violations.append(breaks(.greaterOrEqual, bound))
            case .oneOf, .minimumLength, .maximumLength, .pattern: return nil
            }
        }
        return violations
    }

    /// Returns a Boolean value that indicates whether the store converts every calculated value to a column type
    /// exactly, or fails.
    ///
    /// The conversion must have the same result as ``StoredValue/converted(to:)``.
    private static func isExact(_ operand: ResolvedOperand, in type: AttributeType) -> Bool {
        let (found, wanted) = (operand.type.kind, OperandType.Kind(type))
        switch (found, wanted) {
        case (.integer, .integer), (.double, .double), (.integer, .decimal), (.decimal, .decimal):
            return found.common(with: wanted) == wanted
        default:
            // A column's value already has its stored form; a constant inside a calculation need not have it.
            if case .column = operand.form { return found == wanted } else { return false }
        }
    }
}
