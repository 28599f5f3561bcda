import Foundation
import StrataCore
import StrataInMemory

/// Looks at all of a store: its file, every row by the model's rules, what rows have to do with each other, counts and next identifiers.
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
        faultCount += 1
        try report(StoreFault(kind, message, entity: entity, id: id, attribute: attribute))
    }

    /// Looks at everything.
    ///
    /// - Returns: What came of it.
    /// - Throws: What keeps the store from being looked at, `CancellationError`, and what the report throws.
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

    /// Reads the rows, as far as they can be, as rows of the model.
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
            var error = PersistenceError.needsMigration(migration.mapping.steps, "is only looked at")
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
        let validator = RowValidator(entity)
        let rowCheck = options.rowCheck(entity.name)
        for row in try store.contents().rows(of: entity.name) {
            try didRead()
            var isWhole = true
            for (index, stored) in row.values.enumerated() {
                // What null breaks, and what is no value at all, was said when the row was read.
                if stored.isNull {
                    isWhole = isWhole && entity.columns[index].isOptional
                    continue
                }
                var value = stored
                let broken = validator.validate(&value, column: index)
                for rule in broken {
                    let failure = validator.failure(rule, index: index, value: stored, id: row.id)
                    try found(
                        .rule, failure.ruleText, entity: entity.name, id: row.id,
                        attribute: entity.columns[index].name)
                }
                if broken.isEmpty, value != stored {
                    try found(
                        .rule, "is not in the form in which values of its type are kept", entity: entity.name,
                        id: row.id, attribute: entity.columns[index].name)
                }
                isWhole = isWhole && broken.isEmpty
            }
            guard isWhole, let rowCheck else { continue }
            do { try rowCheck(RowReader(ValueRowSource(row))) } catch {
                let failure = try PersistenceError.failure(error, id: row.id, of: entity.name)
                try found(
                    .rule, "the record's initialiser refuses it: \(failure.ruleText)", entity: entity.name, id: row.id,
                    attribute: failure.attribute.isEmpty ? nil : failure.attribute)
            }
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
