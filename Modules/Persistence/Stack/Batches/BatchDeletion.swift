import StrataCore

/// Deletes the rows that a condition selects, inside a transaction, and does what the delete rules say: as contexts do, without objects.
struct BatchDeletion {
    private let reader: BatchReader
    private let navigator: RelationshipNavigator<BatchReader>
    private var model: ManagedObjectModel { reader.model }
    /// What goes, with its versions, by entity.
    private var deleted: [String: [Int64: Int64]] = [:]
    /// What stays and loses references.
    private var cleared: [String: [Int64: ChangeSet.Update]] = [:]
    private var failures: [ValidationFailure] = []
    private var owners = BatchCounts.Owners()

    init(_ reader: BatchReader) {
        self.reader = reader
        navigator = RelationshipNavigator(reader, keepsOrder: false)
    }

    /// Carries the deletion out.
    ///
    /// - Returns: The identifiers of the rows that the condition selects, ascending, and what was changed.
    mutating func run(
        _ entity: EntityDescription, where condition: FetchCondition?
    ) throws -> (selected: [Int64], changes: SavedChanges) {
        let selected = try reader.versions(StoreRequest(entity.name, where: condition))
        try cascade(from: entity, selected)
        for entity in model.entities {
            guard let ids = deleted[entity.name]?.keys.sorted(), !ids.isEmpty else { continue }
            for chunk in BatchReader.chunks(ids) {
                for relationship in entity.relationships { try obey(relationship, of: entity, chunk) }
                try noteOwners(of: entity, chunk)
            }
        }
        if !failures.isEmpty { throw PersistenceError.broken(failures, entity.name) }
        let changes = changeSet
        guard try reader.transaction.save(changes).isEmpty else {
            throw PersistenceError(.conflict, "a row changed inside its transaction", entity: entity.name)
        }
        let broken = try BatchCounts(reader: reader).failures(owners)
        if !broken.isEmpty { throw PersistenceError.broken(broken, entity.name) }
        return (selected.map(\.id), SavedChanges(changes))
    }

    private var changeSet: ChangeSet {
        var changes = ChangeSet()
        for (entity, rows) in deleted {
            changes[entity].deletions = rows.sorted { $0.key < $1.key }.map {
                .init(id: $0.key, expectedVersion: $0.value)
            }
        }
        for (entity, updates) in cleared { changes[entity].updates = updates.values.sorted { $0.id < $1.id } }
        return changes
    }

    // MARK: Cascades

    /// Marks rows, and all that goes with them, as deleted; each once.
    private mutating func cascade(from entity: EntityDescription, _ rows: [(id: Int64, version: Int64)]) throws {
        var waiting = [(entity: entity, rows: rows)]
        while let (entity, rows) = waiting.popLast() {
            let new = rows.filter { deleted[entity.name]?[$0.id] == nil }
            for row in new { deleted[entity.name, default: [:]][row.id] = row.version }
            for relationship in entity.relationships where relationship.deleteRule == .cascade {
                let destination = try model.entity(named: relationship.destination)
                for chunk in BatchReader.chunks(new.map(\.id)) {
                    let related = try related(relationship, of: entity, chunk).map { ($0.object.id, $0.object.version) }
                    if !related.isEmpty { waiting.append((destination, related)) }
                }
            }
        }
    }

    /// The rows to which a relationship of some rows leads, each with its owner.
    private func related(
        _ relationship: RelationshipDescription, of entity: EntityDescription, _ ids: ArraySlice<Int64>
    ) throws -> [(owner: Int64, object: StoredRow)] {
        let place = try model.relationship(relationship.name, of: entity).place
        return try navigator.related(toIDs: Array(ids), of: entity.name, by: relationship, place)
    }

    // MARK: What stays

    private func isDeleted(_ id: Int64, _ entity: String) -> Bool { deleted[entity]?[id] != nil }

    /// Takes references away, or denies the deletion.
    private mutating func obey(
        _ relationship: RelationshipDescription, of entity: EntityDescription, _ ids: ArraySlice<Int64>
    ) throws {
        switch relationship.deleteRule {
        case .cascade, .noAction: return
        case .deny:
            let remaining = try related(relationship, of: entity, ids)
                .filter { !isDeleted($0.object.id, relationship.destination) }
            let counts = Dictionary(grouping: remaining, by: \.owner).mapValues(\.count)
            for (owner, count) in counts.sorted(by: { $0.key < $1.key }) {
                fail(
                    entity.name, id: owner, attribute: relationship.name, value: .integer(Int64(count)),
                    rule: .deniedDeletion)
            }
        case .nullify:
            guard case .inverseColumn(let column) = try model.relationship(relationship.name, of: entity).place else {
                return
            }
            let destination = try model.entity(named: relationship.destination)
            for (_, row) in try related(relationship, of: entity, ids) where !isDeleted(row.id, destination.name) {
                clear(column, of: row, destination)
            }
        }
    }

    private mutating func clear(_ column: Int, of row: StoredRow, _ entity: EntityDescription) {
        guard entity.columns[column].isOptional else {
            return fail(entity.name, id: row.id, attribute: entity.columns[column].name, value: .null, rule: .mandatory)
        }
        var update =
            cleared[entity.name]?[row.id]
            ?? ChangeSet.Update(id: row.id, expectedVersion: row.version, values: row.values, changedColumns: [])
        guard !update.changedColumns.contains(column) else { return }
        update.values[column] = .null
        update.changedColumns.append(column)
        cleared[entity.name, default: [:]][row.id] = update
    }

    private mutating func fail(
        _ entity: String, id: Int64, attribute: String, value: StoredValue, rule: ValidationFailure.Rule
    ) {
        guard failures.count < PersistenceError.maximumBatchFailures else { return }
        failures.append(ValidationFailure(entity: entity, id: id, attribute: attribute, value: value, rule: rule))
    }

    /// Remembers who loses an object and has to have some.
    private mutating func noteOwners(of entity: EntityDescription, _ ids: ArraySlice<Int64>) throws {
        for relationship in entity.relationships {
            guard let inverse = relationship.inverse,
                BatchCounts.isBounded(inverse, of: relationship.destination, model)
            else { continue }
            let lost = try related(relationship, of: entity, ids).map(\.object.id)
            owners.note(lost, relationship: inverse, entity: relationship.destination, model: model)
        }
    }
}
