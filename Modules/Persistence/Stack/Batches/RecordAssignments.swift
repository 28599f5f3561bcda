import StrataCore
import StrataStoreKit

/// The assignments of a batch update that is applied to records in memory.
struct RecordAssignments<Record: ManagedRecord> {
    private let entity: RecordEntity<Record>
    private let terms: [(column: Int, term: ConditionEvaluator.Term)]
    /// A Boolean value that indicates whether the record type lets every assigned property be written.
    ///
    /// If it is `false`, each record is rebuilt from its row with the new values.
    private let areWritable: Bool

    /// Creates assignments, and checks that their properties exist and that their values have the correct types.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if a property cannot be set,
    ///   or if a new value is calculated from a related record, which the changed record does not contain.
    init(_ assignments: [BatchAssignment<Record>], of entity: RecordEntity<Record>) throws {
        let values = try BatchUpdate.operands(
            try BatchAssignment.values(assignments, of: entity), of: entity.description,
            entity.description.computedColumns,
            ConditionResolver(entity: entity.description))
        let evaluation = ConditionEvaluation(relatives: nil)
        self.entity = entity
        terms = try values.map { (column: $0.column, term: try evaluation.term($0.operand)) }
        areWritable = terms.allSatisfy { entity.properties[$0.column].assign != nil }
    }

    /// Sets the assigned properties of a record to new values, which are calculated from its current values.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/validation`` if a value is invalid for its
    ///   property or the record's initializer rejects it, or with code ``PersistenceError/Code/arithmetic`` if a
    ///   calculation fails.
    func apply(to record: inout Record) throws {
        let id = record.id.rawValue
        let (values, failures) = entity.encode(record)
        if let failure = failures.first { throw PersistenceError.broken([failure], entity.name) }
        var changed = values
        for (column, term) in terms {
            let value = try calculated(term, id, values)
            guard let converted = value.isNull ? value : value.converted(to: entity.description.columns[column].type)
            else {
                let type = entity.description.columns[column].type
                let failure = ValidationFailure(
                    entity: entity.name, id: id, attribute: entity.description.columns[column].name, value: value,
                    rule: .type(type))
                throw PersistenceError.broken([failure], entity.name)
            }
            changed[column] = converted
        }
        guard changed != values else { return }
        do {
            guard areWritable else {
                record = try entity.record(from: StoredRow(id: id, values: changed))
                return
            }
            for (column, _) in terms { try entity.assign(changed[column], column: column, in: &record) }
        } catch {
            throw PersistenceError.refused(error, id: id, of: entity.description)
        }
    }

    private func calculated(
        _ term: ConditionEvaluator.Term, _ id: Int64, _ values: [StoredValue]
    ) throws -> StoredValue {
        do {
            return try term { $0 < 0 ? .integer(id) : values[$0] }
        } catch var error as PersistenceError where error.code == .arithmetic {
            error.message = "object \(id): the new value overflows or divides by zero"
            error.entity = entity.name
            throw error
        }
    }
}
