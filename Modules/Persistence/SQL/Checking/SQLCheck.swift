package import StrataCore

/// Looks at all of a store on one connection, inside a transaction, so that everything that is said is about one state.
///
/// Nothing grows with the number of rows or faults. Not to be used from several threads.
package final class SQLCheck<Engine: SQLCheckEngine> {
    package let engine: Engine
    package let layout: SQLLayout
    package let options: StoreCheckOptions
    private let report: (StoreFault) throws -> Void
    /// What to do about what was found.
    private(set) var repairs = SQLRepairs<Engine>()

    package private(set) var faultCount = 0
    package private(set) var rowCount = 0
    private var totalRows = 0
    /// The tables that have what the model says, and can be asked.
    package var usable: Set<String> = []
    /// Where null or another type was found in which column, as an engine's own check names it too: `Table.column`.
    package private(set) var spoiledColumns: Set<String> = []
    /// The greatest identifier of each entity.
    var greatest: [String: GreatestIdentifier] = [:]
    /// The tables of which was said that they cannot be read to the end.
    private var unreadable: Set<String> = []
    /// Whether it could be read that the store was made with the model; nothing is repaired otherwise.
    private(set) var isModelKnown = true
    /// Whether the store says of itself just what the model says, and not only something on which no row depends.
    private(set) var saysTheSame = true
    /// Whether the model file that the store keeps is none of a model, or not the one of its digests.
    private(set) var isModelFileDamaged = false
    /// Whether the store has the views of the model, and not those of one with other words.
    private var hasViewsOfModel = false
    /// Whether the schema could be read to its end.
    private(set) var isSchemaRead = true
    /// Whether what can be repaired was, so that what is left cannot.
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

    /// Looks at everything.
    ///
    /// - Parameter round: How many times everything was looked at before, and will be in all: for the progress.
    /// - Throws: What keeps it from being looked at, and what the report throws.
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
    /// A store of an earlier version gets them when it is next opened to be written.
    private func checkViews() throws {
        let views = SQLViews(layout, on: connection)
        guard hasViewsOfModel, isSchemaRead, try views.hasTable() else { return }
        for name in try views.differences() {
            try found(StoreFault(.schema, "the view \(name) is not the model's", isRepairable: true), .views)
        }
    }

    // MARK: What is found

    package func found(_ fault: StoreFault, _ repair: SQLRepairs<Engine>.Mending? = nil) throws {
        faultCount += 1
        if fault.kind == .type, let entity = fault.entity, let attribute = fault.attribute {
            spoiledColumns.insert("\(entity).\(attribute)")
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

    /// Throws where the store is none of the model; damage of where that stands is a fault like others.
    private func checkModel() throws {
        do {
            try engine.checkOwnTables()
            try compareModels()
        } catch let error as PersistenceError where engine.isDamage(error) {
            // Without a schema there is nothing to look at.
            try engine.checkReadability()
            isModelKnown = false
            try foundNoMetadata(error)
        }
    }

    private func compareModels() throws {
        let stored = try SQLStoredModel(on: connection, layout, path: engine.path)
        let (need, mapping) = try stored.need(of: model, path: engine.path)
        guard need != .migration else {
            var error = PersistenceError.needsMigration(mapping?.steps ?? [], "is only looked at")
            error.path = engine.path
            throw error
        }
        saysTheSame = stored.image == (try model.json())
        hasViewsOfModel = try stored.isSame(as: model)
        isModelFileDamaged = try need == .nothing && !stored.isSame(as: model)
    }

    /// Runs a part; where the file is damaged it ends there, and the others go on.
    ///
    /// - Parameters:
    ///   - entity: Whose rows they are.
    ///   - relationship: Whose pairs they are.
    ///   - tables: What is read, first the table that the part is about; damage of them that was said is not said again.
    ///   - body: The part.
    /// - Throws: What `body` throws and is no damage, and what the report throws.
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
            // A row that cannot be was found when the rows were looked at one by one.
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

    /// The table of an entity, and those that its relationships lead through and to.
    private func tables(around entity: EntityDescription) throws -> [String] {
        var tables = [entity.name] + entity.columns.compactMap(\.destination)
        for rule in entity.relationships.compactMap(CountRule.init) {
            let (_, destination, place) = try model.relationship(rule.relationship.name, of: entity)
            tables.append(destination.name)
            if case .join(let join, _) = place { tables.append(join.name) }
        }
        return tables
    }

    // MARK: How far it is

    private func countRows(_ round: (done: Int, all: Int)) throws {
        var count = 0
        for table in usable where !SQLLayout.ownColumns.contains(where: { $0.0 == table }) {
            do {
                count += Int(try connection.number("SELECT count(*) FROM \(SQLLayout.quoted(table))") ?? 0)
            } catch let error as PersistenceError where error.code == .corrupt {
                // That is said where its rows are looked at, or its indexes.
            }
        }
        (rowCount, totalRows) = (round.done * count, round.all * count)
    }

    /// The rows that were looked at in this round.
    func didRead() throws {
        rowCount += 1
        guard rowCount % 1024 == 0 else { return }
        if options.isCancelled() { throw CancellationError() }
        options.progress(StoreCheckProgress(rows: rowCount, totalRows: max(rowCount, totalRows)))
    }
}
