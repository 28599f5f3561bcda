import StrataCore
import StrataStoreKit

/// The deletion of all rows that a condition selects, in a store transaction and without creating objects.
///
/// The deletion applies the model's delete rules in the same way as the deletions of a context.
struct BatchDeletion {
    private let reader: BatchReader
    private var model: ManagedObjectModel { reader.model }
    private let navigator: RelationshipNavigator<BatchReader>
    /// The versions of the deleted rows, by entity name and row identifier.
    private var deleted: [String: [Int64: Int64]] = [:]
    /// The identifiers of the rows that the condition selects, by entity name; empty after the delete rules are
    /// applied.
    private var roots: [String: [Int64]] = [:]
    /// The updates of the rows that are not deleted but lose a reference to a deleted row.
    private var cleared: [String: [Int64: ChangeSet.Update]] = [:]
    private var failures: [ValidationFailure] = []

    init(_ reader: BatchReader) {
        self.reader = reader
        navigator = RelationshipNavigator(reader, keepsOrder: false)
    }

    /// Runs a deletion.
    ///
    /// - Parameters:
    ///   - entity: The entity whose rows are deleted.
    ///   - condition: The condition that selects the rows; `nil` selects all rows of the entity.
    ///   - transaction: The transaction that reads and writes the rows.
    ///   - bySets: A Boolean value that indicates whether the store deletes the rows with set-based statements. The
    ///     rows are still read one by one if the store does not support such statements, or if a row must be read.
    /// - Returns: The identifiers of the rows that the condition selects, in ascending order, and all rows that were
    ///   changed or deleted.
    /// - Throws: ``FallbackToRows`` if the set-based deletion failed and must be repeated row by row in another
    ///   transaction.
    static func run(
        _ entity: EntityDescription, where condition: FetchCondition?, in transaction: any StoreTransaction,
        bySets: Bool
    ) throws -> (selected: [Int64], touched: TouchedRows) {
        let model = transaction.model
        if bySets, let transaction = transaction as? any SetBasedTransaction,
            let deletion = try SetDeletion(entity, where: condition, in: transaction)
        {
            return try FallbackToRows.where { try deletion.run(in: transaction) }
        }
        var deletion = BatchDeletion(BatchReader(transaction: transaction, model: model))
        return try deletion.run(entity, where: condition)
    }

    private mutating func run(
        _ entity: EntityDescription, where condition: FetchCondition?
    ) throws -> (selected: [Int64], touched: TouchedRows) {
        let request = StoreRequest(entity.name, where: condition)
        let selected = try reader.versions(request)
        for row in selected { mark(row.id, row.version, entity.name) }
        let ids = selected.map(\.id)
        if !ids.isEmpty { roots[entity.name] = ids }
        var rules = DeleteRules(model)
        try rules.carryOut(on: &self)
        if !failures.isEmpty { throw PersistenceError.broken(failures, entity.name) }
        let owners = try ownersLosingObjects()
        try completeCleared()
        let changes = changeSet
        guard try reader.transaction.save(changes).isEmpty else {
            throw PersistenceError(.conflict, "a row changed inside its transaction", entity: entity.name)
        }
        let broken = try CountCheck(reader.transaction).failures(owners)
        if !broken.isEmpty { throw PersistenceError.broken(broken, entity.name) }
        return (
            ids,
            TouchedRows(
                updated: changes.entities.mapValues { $0.updates.map(\.id) }.filter { !$0.value.isEmpty },
                deleted: changes.entities.mapValues { $0.deletions.map(\.id) }.filter { !$0.value.isEmpty })
        )
    }

    /// Creates records from the rows that lost references, and updates the columns that are computed from the records.
    private mutating func completeCleared() throws {
        for entity in model.entities {
            guard let updates = cleared[entity.name], var check = RecordCheck(entity, in: model) else { continue }
            for var update in updates.values.sorted(by: { $0.id < $1.id }) {
                try check.complete(&update)
                cleared[entity.name]?[update.id] = update
            }
            if let refused = check.error { throw refused }
        }
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

    /// Returns the owners of relationships with a minimum count that lose an object by this deletion.
    private func ownersLosingObjects() throws -> CountedOwners {
        var owners = CountedOwners(model)
        for entity in model.entities {
            guard let ids = deleted[entity.name]?.keys.sorted() else { continue }
            for relationship in entity.relationships {
                guard let inverse = relationship.inverse, let key = owners.key(inverse, of: relationship.destination)
                else { continue }
                let place = try model.relationship(relationship.name, of: entity).place
                for chunk in BatchReader.chunks(ids) {
                    let lost = try navigator.related(toIDs: Array(chunk), of: entity.name, by: relationship, place)
                    owners.note(lost.map(\.object.id), key)
                }
            }
        }
        return owners
    }

    // MARK: Rows

    private func isDeleted(_ id: Int64, _ entity: String) -> Bool { deleted[entity]?[id] != nil }

    /// Marks a row as deleted.
    ///
    /// - Returns: `true` if the row is now marked for the first time; `false` if it was already marked.
    @discardableResult
    private mutating func mark(_ id: Int64, _ version: Int64, _ entity: String) -> Bool {
        deleted[entity, default: [:]].updateValue(version, forKey: id) == nil
    }

    private mutating func clear(_ column: Int, of row: StoredRow, _ entity: EntityDescription) {
        guard entity.columns[column].isOptional else {
            return fail(
                ValidationFailure(
                    entity: entity.name, id: row.id, attribute: entity.columns[column].name, value: .null,
                    rule: .mandatory))
        }
        var update =
            cleared[entity.name]?[row.id]
            ?? ChangeSet.Update(id: row.id, expectedVersion: row.version, values: row.values, changedColumns: [])
        guard !update.changedColumns.contains(column) else { return }
        update.values[column] = .null
        update.changedColumns.append(column)
        cleared[entity.name, default: [:]][row.id] = update
    }

    private mutating func fail(_ failure: ValidationFailure) {
        if failures.count < PersistenceError.maximumBatchFailures { failures.append(failure) }
    }
}

extension BatchDeletion: DeletionTarget {
    typealias Object = StoredRow

    mutating func takeRoots() -> [String: [Int64]] {
        defer { roots = [:] }
        return roots
    }

    func chunks(_ owners: [Int64]) -> [[Int64]] { BatchReader.chunks(owners.sorted()).map(Array.init) }

    func related(to owners: [Int64], by edge: DeleteEdge) throws -> Related {
        try navigator.related(toIDs: owners, of: edge.entity.name, by: edge.relationship, edge.place)
    }

    mutating func cascade(_ related: Related, from owners: [Int64], by edge: DeleteEdge) -> [Int64] {
        var new: [Int64] = []
        for (_, row) in related where mark(row.id, row.version, edge.relationship.destination) { new.append(row.id) }
        return new
    }

    mutating func nullify(_ related: Related, column: Int, from owners: [Int64], by edge: DeleteEdge) {
        guard let destination = model[edge.relationship.destination] else { return }
        for (_, row) in related where !isDeleted(row.id, destination.name) { clear(column, of: row, destination) }
    }

    mutating func deny(_ related: Related, from owners: [Int64], by edge: DeleteEdge) {
        var counts: [Int64: Int] = [:]
        for (owner, row) in related where !isDeleted(row.id, edge.relationship.destination) {
            counts[owner, default: 0] += 1
        }
        for (owner, count) in counts.sorted(by: { $0.key < $1.key }) { fail(edge.denial(of: owner, count: count)) }
    }

    mutating func deleteReached() {
        // Rows are marked when they are reached. No observers exist, and the store deletes all rows at once.
    }
}
