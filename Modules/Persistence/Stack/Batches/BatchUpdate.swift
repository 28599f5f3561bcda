import StrataCore
import StrataStoreKit

/// The update of all rows that a condition selects, in a store transaction.
struct BatchUpdate {
    let model: ManagedObjectModel
    let entity: EntityDescription
    let condition: FetchCondition?
    let resolvedCondition: ResolvedCondition?
    /// The indexes of the columns whose values are computed from other columns.
    let computedColumns: [Int]
    /// The indexes of the updated columns, each with the operand for its new value, in the order of the columns.
    let values: [(column: Int, operand: ResolvedOperand)]

    /// Creates an update, and checks that the names exist and that the values have the types of their columns.
    ///
    /// - Parameters:
    ///   - model: The model that contains the entity.
    ///   - entity: The name of the entity whose rows are updated.
    ///   - condition: The condition that selects the rows; `nil` selects all rows of the entity.
    ///   - values: The new values, by the names of attributes and to-one relationships.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if a name or type is invalid.
    init(
        _ model: ManagedObjectModel, entity: String, condition: FetchCondition?, values: [String: FetchOperand]
    ) throws {
        self.model = model
        let request = try StoreRequest(entity, where: condition).resolved(in: model)
        let entity = request.entity
        self.entity = entity
        resolvedCondition = request.condition
        let computedColumns = entity.computedColumns
        self.computedColumns = computedColumns
        self.condition = condition
        self.values = try Self.operands(
            values, of: entity, computedColumns, ConditionResolver(entity: entity, model: model))
    }

    /// Creates an update that replaces the values of each row of an entity by the values of the record created from the
    /// row.
    ///
    /// The update does not change a row that the record type rejects.
    init(completing entity: EntityDescription, in model: ManagedObjectModel) {
        (self.model, self.entity, condition, resolvedCondition) = (model, entity, nil, nil)
        (computedColumns, values) = (entity.computedColumns, [])
    }

    /// A Boolean value that indicates whether the update only replaces each row's values by those of its record.
    private var isCompletion: Bool { values.isEmpty }

    /// Checks that the names of updated properties exist and that the new values have the types of their columns.
    ///
    /// - Parameters:
    ///   - values: The new values, by the names of attributes and to-one relationships.
    ///   - entity: The entity whose rows are updated.
    ///   - computedColumns: The indexes of the columns that are computed from other columns and cannot be set.
    ///   - resolver: The resolver of the property names in the values.
    /// - Returns: The indexes of the updated columns, each with its operand, in the order of the columns.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if a name or type is invalid.
    static func operands(
        _ values: [String: FetchOperand], of entity: EntityDescription, _ computedColumns: [Int],
        _ resolver: ConditionResolver
    ) throws -> [(column: Int, operand: ResolvedOperand)] {
        func refusal(_ message: String, _ name: String? = nil) -> PersistenceError {
            PersistenceError(.invalidRequest, message, entity: entity.name, attribute: name)
        }
        guard !values.isEmpty else { throw refusal("a batch update sets no value") }
        return try values.map { name, operand in
            guard name != "id" else { throw refusal("an identifier cannot be changed", name) }
            guard let index = entity.columnIndex(name) else {
                throw refusal("a batch update can set only attributes and to-one relationships with a column", name)
            }
            guard !entity.columns[index].isImmutable else {
                throw refusal("cannot be changed after the insertion", name)
            }
            guard !computedColumns.contains(index) else { throw refusal("is computed from other attributes", name) }
            let operand = try resolver.resolve(operand)
            try ConditionNesting.check(operand, of: entity)
            let (found, wanted) = (operand.type.kind, OperandType.Kind(entity.columns[index].type))
            // A constant is converted. If that fails, the validation reports it with its row.
            if operand.constant != nil { return (index, operand) }
            guard found.isAssignable(to: wanted) else {
                throw refusal("a \(found) cannot be stored in a \(wanted)", name)
            }
            return (index, operand)
        }.sorted { $0.column < $1.column }
    }

    /// Runs the update.
    ///
    /// - Parameters:
    ///   - transaction: The transaction that reads and writes the rows.
    ///   - bySets: A Boolean value that indicates whether the store changes the rows with set-based statements. The
    ///     rows are still changed one by one if the store does not support such statements, or if the record type also
    ///     validates rows.
    /// - Returns: The number of rows that the condition selects, and the identifiers of the changed rows in ascending
    ///   order.
    /// - Throws: ``FallbackToRows`` if the set-based update failed and must be repeated row by row in
    ///   another transaction.
    func run(in transaction: any StoreTransaction, bySets: Bool) throws -> (selectedCount: Int, updated: [Int64]) {
        if bySets, let transaction = transaction as? any SetBasedTransaction, let update = SetUpdate(self) {
            return try FallbackToRows.where { try update.run(in: transaction) }
        }
        let reader = BatchReader(transaction: transaction, model: model)
        let evaluation = ConditionEvaluation(relatives: reader)
        // Values across relationships are read here, before any row changes.
        let terms = try values.map { (column: $0.column, term: try evaluation.term($0.operand)) }
        let request = StoreRequest(entity.name, where: condition)
        let ids = try reader.versions(request).map(\.id)
        var pass = Pass(reader: reader, entity: entity, terms: terms)
        // Unique values may move from one row to another, so these rows are written and checked together. All other
        // rows are written in chunks.
        let isUnique = (values.map(\.column) + computedColumns).contains(where: entity.isInUniqueKey)
        for chunk in isUnique ? [ids[...]] : BatchReader.chunks(ids) where !chunk.isEmpty { try pass.write(chunk) }
        if !pass.failures.isEmpty { throw PersistenceError.broken(pass.failures, entity.name) }
        if let refused = pass.check?.error, !isCompletion { throw refused }
        let failures = try CountCheck(transaction).failures(pass.owners)
        if !failures.isEmpty { throw PersistenceError.broken(failures, entity.name) }
        return (ids.count, pass.updated)
    }
}

/// One pass over the rows of a batch update.
private struct Pass {
    let reader: BatchReader
    let entity: EntityDescription
    let terms: [(column: Int, term: ConditionEvaluator.Term)]
    private let validator: RowValidator
    private(set) var failures: [ValidationFailure] = []
    private(set) var updated: [Int64] = []
    /// The check that creates a record from each row with its new values; `nil` if no record is needed.
    private(set) var check: RecordCheck?
    private(set) var owners: CountedOwners
    /// The relationships with count limits in which a row counts as an object of its owner, by the index of the column
    /// that references the owner.
    private let counted: [Int: CountedOwners.RelationshipKey]
    private var isFull: Bool { failures.count >= PersistenceError.maximumBatchFailures }

    init(reader: BatchReader, entity: EntityDescription, terms: [(column: Int, term: ConditionEvaluator.Term)]) {
        self.reader = reader
        self.entity = entity
        self.terms = terms
        validator = RowValidator(entity)
        check = RecordCheck(entity, in: reader.model)
        owners = CountedOwners(reader.model)
        counted = Dictionary(uniqueKeysWithValues: owners.columns(of: entity).map { ($0.column, $0.key) })
    }

    mutating func write(_ ids: ArraySlice<Int64>) throws {
        if isFull { return }
        var changes = ChangeSet()
        for row in try reader.rows(StoreRequest(entity.name, where: BatchReader.isOne("id", of: ids))) {
            var update = try update(row)
            if update.changedColumns.isEmpty, !terms.isEmpty { continue }
            try check?.complete(&update)
            if !update.changedColumns.isEmpty { changes[entity.name].updates.append(update) }
        }
        guard failures.isEmpty, terms.isEmpty || check?.error == nil, !changes.isEmpty else { return }
        guard try reader.transaction.save(changes).isEmpty else {
            throw PersistenceError(.conflict, "a row changed inside its transaction", entity: entity.name)
        }
        updated += changes[entity.name].updates.map(\.id)
    }

    /// Returns the update that sets a row to its new values.
    private mutating func update(_ row: StoredRow) throws -> ChangeSet.Update {
        var values = row.values
        var changed: [Int] = []
        for (column, term) in terms {
            var value = try calculated(term, row)
            let broken = validator.validate(&value, column: column)
            guard broken.isEmpty else {
                for rule in broken where !isFull {
                    failures.append(validator.failure(rule, index: column, value: value, id: row.id))
                }
                continue
            }
            guard value != row.values[column] else { continue }
            values[column] = value
            changed.append(column)
            guard let key = counted[column] else { continue }
            owners.note(row.values[column], key)
            owners.note(value, key)
        }
        return ChangeSet.Update(id: row.id, expectedVersion: row.version, values: values, changedColumns: changed)
    }

    private func calculated(_ term: ConditionEvaluator.Term, _ row: StoredRow) throws -> StoredValue {
        do {
            return try term { $0 < 0 ? .integer(row.id) : row.values[$0] }
        } catch var error as PersistenceError where error.code == .arithmetic {
            error.message = "object \(row.id): the new value overflows or divides by zero"
            error.entity = entity.name
            throw error
        }
    }
}
