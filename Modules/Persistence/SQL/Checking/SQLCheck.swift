package import StrataCore

/// Checks a whole store on one connection, inside a transaction, so that all results describe a single snapshot.
///
/// Memory use does not depend on the count of rows or faults. Do not use an instance from several threads.
package final class SQLCheck<Engine: SQLCheckEngine> {
    package let engine: Engine
    package let layout: SQLLayout
    package let options: StoreCheckOptions
    private let report: (StoreFault) throws -> Void
    /// The repairs for the faults that were found.
    private(set) var repairs = SQLRepairs<Engine>()

    package private(set) var faultCount = 0
    package private(set) var rowCount = 0
    private var totalRows = 0
    /// The tables that have the columns of the model and can be queried.
    package var usable: Set<String> = []
    /// The columns in which null or a wrong type was found, in the form `Table.column`.
    ///
    /// An engine's own check may report the same columns.
    package private(set) var columnsWithWrongTypes: Set<String> = []
    /// The greatest identifier of each entity.
    var greatest: [String: GreatestIdentifier] = [:]
    /// The tables that were reported as not readable to the end.
    private var unreadable: Set<String> = []
    /// A Boolean value that indicates whether the store's model could be read; otherwise nothing is repaired.
    private(set) var isModelKnown = true
    /// A Boolean value that indicates whether the stored model is identical to the model.
    ///
    /// If it is false, the two may still differ only in details that no row depends on.
    private(set) var isModelCurrent = true
    /// A Boolean value that indicates whether the stored model file is invalid or does not match the stored digests.
    private(set) var isModelFileDamaged = false
    /// A Boolean value that indicates whether the store's model has the same names for files and views as the model.
    private var hasViewsOfModel = false
    /// A Boolean value that indicates whether the whole schema could be read.
    private(set) var isSchemaRead = true
    /// A Boolean value that indicates whether repairs were applied, so that remaining faults are not repairable.
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

    /// Runs all checks.
    ///
    /// - Parameter round: The count of completed rounds and of all rounds, for the progress.
    /// - Throws: Errors that prevent the check, and errors of the report closure.
    package func run(round: (done: Int, all: Int) = (0, 1)) throws {
        try engine.withCancellation(options.isCancelled) {
            try checkModel()
            try guardingSchema { try engine.checkSchema(self) }
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

    /// Compares the views with those of the model.
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

    /// Throws if the store has a different model; reports a fault if the store's own tables are damaged.
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
    ///   - entity: The entity whose rows are checked.
    ///   - relationship: The relationship whose join rows are checked.
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

    /// Returns the table of an entity, and the tables that its relationships use.
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

    /// Records that a row of this round was read.
    func didRead() throws {
        rowCount += 1
        guard rowCount % 1024 == 0 else { return }
        if options.isCancelled() { throw CancellationError() }
        options.progress(StoreCheckProgress(rows: rowCount, totalRows: max(rowCount, totalRows)))
    }
}
