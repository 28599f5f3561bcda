/// Judges the rows that a stage's code makes, and numbers those that have no identifier.
package final class StageInserter {
    private let model: ManagedObjectModel
    private var validators: [String: RowValidator] = [:]
    /// The next identifier of each entity, as far as it was asked for.
    package private(set) var next: [String: Int64] = [:]
    private let firstIdentifier: (String) throws -> Int64

    /// - Parameters:
    ///   - model: The later model.
    ///   - firstIdentifier: Gives the next identifier of an entity, above all that are there.
    package init(_ model: ManagedObjectModel, firstIdentifier: @escaping (String) throws -> Int64) {
        self.model = model
        self.firstIdentifier = firstIdentifier
    }

    /// The row as it is stored.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/validation`` for a row that breaks rules, ``PersistenceError/Code/invalidRequest`` for what the
    ///   model does not have.
    package func row(_ values: [StoredValue], of name: String, id: Int64?, version: Int64 = 1) throws -> StoredRow {
        let entity = try model.entity(named: name)
        guard values.count == entity.columns.count else {
            throw PersistenceError(
                .invalidRequest, "a row has \(entity.columns.count) values, and \(values.count) are given", entity: name
            )
        }
        var next = try next[name] ?? firstIdentifier(name)
        let id = id ?? next
        guard identifierRange.contains(id) else { throw PersistenceError.identifiersExhausted(name) }
        next = max(next, id + 1)
        self.next[name] = next
        let validator = validators[name] ?? RowValidator(entity)
        validators[name] = validator
        var values = values
        let failures = validator.validate(&values, id: id)
        guard failures.isEmpty else {
            var error = PersistenceError(
                .validation, "a stage of the migration makes a row that breaks rules of the model:", entity: name)
            error.id = id
            error.failures = failures
            throw error
        }
        return StoredRow(id: id, version: version, values: values)
    }
}

extension MigrationRoute.Stage {
    /// Refuses what a stage's code has left wrong, as far as one row does not show it: how many objects relationships lead to.
    ///
    /// - Parameters:
    ///   - reader: Has the later rows.
    ///   - options: Whether rows that break rules may stay.
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
