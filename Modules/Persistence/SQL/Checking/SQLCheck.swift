package import StrataCore
import StrataStoreKit

/// Checks a whole store on one connection, inside a transaction, so that all results describe a single snapshot.
///
/// Memory use does not depend on the count of rows or faults. Only one thread may use an instance.
package final class SQLCheck<Engine: SQLCheckEngine> {
    package let engine: Engine
    package let layout: SQLLayout
    package let options: StoreCheckOptions
    private let report: (StoreFault) throws -> Void
    /// The repairs of the faults that the check has found.
    private(set) var repairs = SQLRepairs<Engine>()

    package private(set) var faultCount = 0
    package private(set) var rowCount = 0
    private var totalRows = 0
    /// The names of the tables that have all columns of the model and can be queried.
    var usable: Set<String> = []
    /// The columns in which the check found null or a value of a wrong type, in the form `Table.column`.
    ///
    /// The engine's own check uses this property to avoid a second report of the same column.
    package private(set) var columnsWithWrongTypes: Set<String> = []
    /// The greatest identifier of each entity, by the entity's name.
    var greatest: [String: GreatestIdentifier] = [:]
    /// The names of the tables for which a fault reports that not all rows can be read.
    private var unreadable: Set<String> = []
    /// A Boolean value that indicates whether the store's model could be read; otherwise nothing is repaired.
    private(set) var isModelKnown = true
    /// A Boolean value that indicates whether the stored model text is identical to that of the expected model.
    ///
    /// If it is false, the two models may still differ only in details that do not affect stored rows.
    private(set) var isModelCurrent = true
    /// A Boolean value that indicates whether the stored model file is invalid or does not match the stored digests.
    private(set) var isModelFileDamaged = false
    /// A Boolean value that indicates whether the stored model has the same names for files and views as the expected
    /// model.
    private var hasViewsOfModel = false
    /// A Boolean value that indicates whether the whole schema could be read.
    private(set) var isSchemaRead = true
    /// A Boolean value that indicates whether this check runs after the repairs, so that it reports every fault as not
    /// repairable.
    private let isAfterRepair: Bool

    package init(
        _ engine: Engine, _ layout: SQLLayout, _ options: StoreCheckOptions, isAfterRepair: Bool = false,
        report: @escaping (StoreFault) throws -> Void
    ) {
        self.engine = engine
        self.layout = layout
        self.options = options
        self.isAfterRepair = isAfterRepair
        self.report = report
    }

    package var connection: Engine.Connection { engine.connection }
    package var model: ManagedObjectModel { layout.model }

    /// Runs all parts of the check.
    ///
    /// - Parameter round: The count of completed checks and the count of all checks of the same command, for the
    ///   progress.
    /// - Throws: ``PersistenceError`` if the store cannot be checked, `CancellationError`, or an error of the report
    ///   closure.
    package func run(round: (done: Int, all: Int) = (0, 1)) throws {
        try engine.withCancellation(options.isCancelled) {
            try checkModel()
            try guardingSchema { try checkSchema() }
            try countRows(round)
            try checkMetadata()
            for entity in model.entities where usable.contains(entity.name) {
                try guarded(entity.name, reading: [entity.name]) { try checkRows(entity) }
            }
            for join in model.joins where usable.contains(join.name) {
                try guarded(join.sourceEntity, relationship: join.sourceRelationship, reading: [join.name]) {
                    try checkPairs(join)
                }
            }
            for entity in model.entities where usable.contains(entity.name) {
                let tables = try tables(around: entity)
                try guarded(entity.name, reading: tables) { try checkReferences(entity) }
                try guarded(entity.name, reading: [entity.name]) { try checkUniqueness(entity) }
                try guarded(entity.name, reading: tables) { try checkCounts(entity) }
            }
            try checkSequences()
            try checkViews()
            try engine.checkFiles(self)
        }
    }

    /// Compares the views in the database with the views of the model.
    ///
    /// A store of an earlier version gets the views when it is next opened for writing.
    private func checkViews() throws {
        let views = SQLViews(layout, on: connection)
        guard hasViewsOfModel, isSchemaRead, try views.hasTable() else { return }
        for name in try views.differences() {
            try found(StoreFault(.schema, "the view \(name) differs from the model", isRepairable: true), .views)
        }
    }

    // MARK: What is found

    package func found(_ fault: StoreFault, _ repair: SQLRepairs<Engine>.Repair? = nil) throws {
        faultCount += 1
        if fault.kind == .type, let entity = fault.entity, let attribute = fault.attribute {
            columnsWithWrongTypes.insert("\(entity).\(attribute)")
        }
        guard isAfterRepair || !isModelKnown || !isSchemaRead else {
            if let repair { repairs.insert(repair) }
            return try report(fault)
        }
        var left = StoreFault(
            fault.kind, fault.message, entity: fault.entity, id: fault.id, attribute: fault.attribute)
        left.details = fault.details
        try report(left)
    }

    func dropSequenceRepairs() { repairs.removeSequences() }

    /// Throws if the stored model differs from the expected one; reports a fault if the store's own tables are damaged.
    private func checkModel() throws {
        do {
            try engine.checkOwnTables()
            try compareModels()
        } catch let error as PersistenceError where engine.isDamage(error) {
            // Without a readable schema, no check is possible.
            try engine.checkReadability()
            isModelKnown = false
            try foundNoMetadata(error)
        }
    }

    private func compareModels() throws {
        let stored = try SQLStoredModel(on: connection, layout, path: engine.path)
        let (need, mapping) = try stored.need(of: model, path: engine.path)
        guard need != .migration else {
            var error = PersistenceError.needsMigration(mapping?.steps ?? [], "the store is only inspected")
            error.path = engine.path
            throw error
        }
        isModelCurrent = stored.image == (try model.json())
        hasViewsOfModel = try stored.isSame(as: model)
        isModelFileDamaged = try need == .nothing && !stored.isSame(as: model)
    }

    /// Runs a part of the check; if the file is damaged, this part ends and the other parts continue.
    ///
    /// - Parameters:
    ///   - entity: The entity to which a fault about damage refers.
    ///   - relationship: The many-to-many relationship to which a fault about damage refers, if join rows are checked.
    ///   - tables: The tables that the part reads, beginning with the table that it checks. Damage that was reported
    ///     for one of them is not reported again.
    ///   - body: The part of the check.
    /// - Throws: The errors of `body` that do not indicate damage, and the errors of the report closure.
    private func guarded(
        _ entity: String, relationship: String? = nil, reading tables: [String], _ body: () throws -> Void
    ) throws {
        do {
            try body()
        } catch let error as PersistenceError where engine.isDamage(error) {
            guard unreadable.isDisjoint(with: tables) else { return }
            unreadable.formUnion(tables.prefix(1))
            try found(
                StoreFault(
                    .file, "cannot be read to the end: \(error.message)", entity: entity, attribute: relationship))
        } catch let error as PersistenceError where error.code == .corrupt {
            // The check of the single rows has already reported an invalid row.
        }
    }

    private func guardingSchema(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch let error as PersistenceError where error.code == .corrupt {
            (isSchemaRead, repairs) = (false, SQLRepairs())
            try found(StoreFault(.file, "the schema cannot be read to the end: \(error.message)"))
        }
    }

    /// Returns the names of the table of an entity and of the tables of its related entities and join rows.
    private func tables(around entity: EntityDescription) throws -> [String] {
        var tables = [entity.name] + entity.columns.compactMap(\.destination)
        for rule in entity.relationships.compactMap(CountRule.init) {
            let (_, destination, place) = try model.relationship(rule.relationship.name, of: entity)
            tables.append(destination.name)
            if case .join(let join, _) = place { tables.append(join.name) }
        }
        return tables
    }

    // MARK: Progress

    private func countRows(_ round: (done: Int, all: Int)) throws {
        var count = 0
        for table in usable where !SQLLayout.ownColumns.contains(where: { $0.0 == table }) {
            do {
                count += Int(try connection.number("SELECT count(*) FROM \(SQLLayout.quoted(table))") ?? 0)
            } catch let error as PersistenceError where error.code == .corrupt {
                // The check of the rows or of the indexes reports this error.
            }
        }
        (rowCount, totalRows) = (round.done * count, round.all * count)
    }

    /// Counts one row as checked and reports the progress.
    func didRead() throws {
        rowCount += 1
        guard rowCount % 1024 == 0 else { return }
        if options.isCancelled() { throw CancellationError() }
        options.progress(StoreCheckProgress(rows: rowCount, totalRows: max(rowCount, totalRows)))
    }
}
