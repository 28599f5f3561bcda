package import StrataCore

/// An inserter that validates the rows that the code of a stage creates, computes values, and assigns identifiers.
///
/// A store writes the rows that it returns. Rows that the mapping has created are not validated again; rows that the
/// code of a stage inserts are validated like those of a save.
package final class StageInserter {
    /// The state of an inserter for the rows of one entity.
    ///
    /// It is a class, so that the state is not looked up for each row.
    package final class Rows {
        package let entity: EntityDescription
        private let validator: RowValidator
        private let form: RecordForm?
        private let keepsRowsThatBreakRules: Bool
        /// The next unused identifier of the entity.
        package private(set) var next: Int64

        fileprivate init(_ entity: EntityDescription, _ form: RecordForm?, keepsRowsThatBreakRules: Bool, next: Int64) {
            (self.entity, self.form, self.next) = (entity, form, next)
            self.keepsRowsThatBreakRules = keepsRowsThatBreakRules
            validator = RowValidator(entity)
        }

        /// Returns a new row in its stored form.
        ///
        /// - Parameters:
        ///   - values: The values of the row, in the order of the entity's columns.
        ///   - id: The identifier; `nil` for the next unused identifier.
        ///   - version: The version of the row.
        ///   - isMapped: A Boolean value that indicates whether the mapping created the values from an earlier row,
        ///     which was already validated.
        /// - Returns: The row, with the values that its record type computes.
        /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/validation`` if the row breaks rules, or
        ///   ``PersistenceError/Code/invalidRequest`` if the count of values differs from the count of columns.
        package func row(
            _ values: consuming [StoredValue], id: Int64?, version: Int64 = 1, isMapped: Bool = false
        ) throws -> StoredRow {
            let count = entity.columns.count
            guard values.count == count else {
                throw PersistenceError(
                    .invalidRequest, "a row has \(count) values, but \(values.count) are given", entity: entity.name)
            }
            let given = id
            let id = id ?? next
            guard identifierRange.contains(id) else { throw PersistenceError.identifiersExhausted(entity.name) }
            next = max(next, id + 1)
            if let position = entity.positionColumn, values[position].isNull {
                values[position] = .integer(given == nil ? id : next)
                if given != nil { next = min(next + 1, identifierRange.upperBound + 1) }
            }
            var failures: [ValidationFailure] = []
            for column in values.indices where !isMapped && entity.columns[column].attribute?.isComputed != true {
                for rule in validator.validate(&values[column], column: column) {
                    failures.append(validator.failure(rule, index: column, value: values[column], id: id))
                }
            }
            guard failures.isEmpty else {
                var error = PersistenceError(
                    .validation, "a stage of the migration makes a row that breaks rules of the model:",
                    entity: entity.name)
                error.id = id
                error.failures = failures
                throw error
            }
            let row = StoredRow(id: id, version: version, values: values)
            return try form.map { try completed(row, by: $0, mayStay: isMapped) } ?? row
        }

        private func completed(_ row: StoredRow, by form: RecordForm, mayStay: Bool) throws -> StoredRow {
            do {
                var values = row.values
                for difference in try form.differences(from: RowReader(ValueRowSource(row)), validator) {
                    values[difference.column] = difference.value
                }
                return StoredRow(id: row.id, version: row.version, values: values)
            } catch {
                let failure = try PersistenceError.failure(error, id: row.id, of: entity.name)
                let hasValues = zip(entity.columns, row.values).allSatisfy { $0.isOptional || !$1.isNull }
                if mayStay, keepsRowsThatBreakRules, hasValues { return row }
                throw PersistenceError.refused([failure], by: entity.name, error.cause)
            }
        }
    }

    private let model: ManagedObjectModel
    private let options: MigrationOptions
    private var entities: [String: Rows] = [:]
    private let firstIdentifier: (String) throws -> Int64

    /// Creates an inserter for rows of a model.
    ///
    /// - Parameters:
    ///   - model: The later model.
    ///   - options: The options of the migration, which determine whether rows that break rules are retained.
    ///   - firstIdentifier: A closure that returns an identifier of an entity that is greater than all existing ones.
    package init(
        _ model: ManagedObjectModel, _ options: MigrationOptions,
        firstIdentifier: @escaping (String) throws -> Int64
    ) {
        (self.model, self.options) = (model, options)
        self.firstIdentifier = firstIdentifier
    }

    /// The next unused identifier of each entity for which ``rows(of:)`` was called, by the entity's name.
    package var next: [String: Int64] { entities.mapValues(\.next) }

    /// Returns the state of the inserter for the rows of an entity.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if the model does not contain
    ///   the entity.
    package func rows(of name: String) throws -> Rows {
        if let rows = entities[name] { return rows }
        let rows = Rows(
            try model.entity(named: name), model.form(of: name),
            keepsRowsThatBreakRules: options.keepsRowsThatBreakRules, next: try firstIdentifier(name))
        entities[name] = rows
        return rows
    }
}

extension MigrationRoute.Stage {
    /// Throws an error if rows that the code of a stage created have too few or too many related objects.
    ///
    /// - Parameters:
    ///   - reader: The reader of the later rows.
    ///   - options: The options of the migration, which determine whether rows that break rules are retained.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/validation``.
    package func checkCounts(in reader: any StoreReader, _ options: MigrationOptions) throws {
        if options.keepsRowsThatBreakRules { return }
        var violations: [MigrationViolation] = []
        for entity in mapping.destination.entities {
            for relationship in entity.relationships {
                guard let rule = CountRule(relationship) else { continue }
                for (broken, condition) in rule.breaches {
                    violations += try MigrationViolation.counted(
                        broken, of: relationship.name, in: entity.name,
                        among: StoreRequest(entity.name, where: condition), reader)
                }
            }
        }
        guard violations.isEmpty else { throw PersistenceError.brokenByRows(violations) }
    }
}
