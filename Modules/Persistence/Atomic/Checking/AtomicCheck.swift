import Foundation
import StrataCore
import StrataInMemory
import StrataStoreKit

/// A check of a whole store: the file, the rows by the model's rules, references, counts of related objects, and next
/// identifiers.
final class AtomicCheck {
    private let opening: AtomicOpening
    private let options: StoreCheckOptions
    private let report: (StoreFault) throws -> Void
    private var faultCount = 0
    private var rowCount = 0
    private var totalRows = 0

    init(_ opening: AtomicOpening, _ options: StoreCheckOptions, report: @escaping (StoreFault) throws -> Void) {
        (self.opening, self.options, self.report) = (opening, options, report)
    }

    private var model: ManagedObjectModel { opening.model }

    private func found(
        _ kind: StoreFault.Kind, _ message: String, entity: String? = nil, id: Int64? = nil, attribute: String? = nil
    ) throws {
        try found(StoreFault(kind, message, entity: entity, id: id, attribute: attribute))
    }

    private func found(_ fault: StoreFault) throws {
        faultCount += 1
        try report(fault)
    }

    /// Checks the store.
    ///
    /// - Returns: The summary of the check.
    /// - Throws: ``PersistenceError`` if the store cannot be checked, `CancellationError`, or an error of the report
    ///   closure.
    func run() throws -> StoreCheckSummary {
        let bytes = try opening.bytesToRead()
        let store: InMemoryStore
        do { store = try read(bytes) } catch let error as PersistenceError where error.code == .corrupt {
            try found(
                .file, "cannot be read to the end: \(error.message)", entity: error.entity, id: error.id,
                attribute: error.attribute)
            return StoreCheckSummary(faultCount: faultCount, rowCount: 0)
        }
        totalRows = try store.contents().rowCount
        for entity in model.entities { try checkRows(entity, in: store) }
        for join in model.joins {
            try store.joins(JoinRequest(join.name)) { _ in
                try didRead()
                return .next
            }
        }
        for entity in model.entities { try checkCounts(entity, in: store) }
        options.progress(StoreCheckProgress(rows: rowCount, totalRows: rowCount))
        return StoreCheckSummary(faultCount: faultCount, rowCount: rowCount)
    }

    /// Returns a store in memory with those rows of the file that can be read as rows of the model.
    private func read(_ bytes: [UInt8]) throws -> InMemoryStore {
        let stored = try DecodedStore(
            bytes, opening.format, path: opening.location.name, comparedWith: model
        ) { [self] fault in
            let place = opening.format.place(fault.offset, in: bytes)
            try found(
                fault.kind, "\(fault.message) (\(place))", entity: fault.entity, id: fault.id,
                attribute: fault.attribute)
        }
        guard let migration = AtomicMigration(stored, to: model, MigrationOptions()) else { return stored.store() }
        guard migration.need == .takeOver else {
            var error = PersistenceError.needsMigration(migration.mapping.steps, "the store is only inspected")
            error.path = opening.location.name
            throw error
        }
        return InMemoryStore(try migration.contentsToRead(stored), model: model) { _ in }
    }

    private func didRead() throws {
        rowCount += 1
        guard rowCount.isMultiple(of: 1024) else { return }
        if options.isCancelled() { throw CancellationError() }
        options.progress(StoreCheckProgress(rows: rowCount, totalRows: max(rowCount, totalRows)))
    }

    // MARK: Rows

    private func checkRows(_ entity: EntityDescription, in store: InMemoryStore) throws {
        let rows = StoredRowCheck(entity, model.form(of: entity.name))
        for row in try store.contents().rows(of: entity.name) {
            try didRead()
            try rows.check(
                id: row.id, version: row.version,
                cell: { index in
                    let value = row.values[index]
                    // A forbidden null and an invalid value were reported when the row was read.
                    return value.isNull && !entity.columns[index].isOptional ? .reported : .value(value)
                }, found: { try found($0) })
        }
    }

    private func checkCounts(_ entity: EntityDescription, in store: InMemoryStore) throws {
        for rule in entity.relationships.compactMap(CountRule.init) {
            try store.fetchMiscounted(entity, rule) { id, reason in
                try found(.rule, reason, entity: entity.name, id: id, attribute: rule.relationship.name)
            }
        }
    }
}
