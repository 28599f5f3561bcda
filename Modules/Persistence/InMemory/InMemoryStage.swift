import StrataCore
import StrataStoreKit

/// The rows that the code of a migration stage reads and writes in memory.
final class InMemoryStage: StageRows {
    private let stage: MigrationRoute.Stage
    private let later: Later
    private var state: InMemoryStore.State {
        get { later.state }
        _modify { yield &later.state }
    }
    private let inserter: StageInserter
    let old: any StoreReader
    var new: any StoreReader { later }

    /// A reader of the rows that were created so far.
    private final class Later: StoreReader {
        let model: ManagedObjectModel
        var state: InMemoryStore.State

        init(_ state: InMemoryStore.State, _ model: ManagedObjectModel) { (self.state, self.model) = (state, model) }

        func fetch(_ request: ResolvedRequest, _ body: (RowReader) throws -> FetchFlow) throws {
            try state.select(request).read(body)
        }

        func count(_ request: ResolvedRequest) throws -> Int { try state.select(request.unsorted).count }

        func openCursor(_ request: ResolvedRequest) throws -> any RowCursor {
            StoredRowCursor(try state.select(request)) {}
        }

        func joins(_ request: ResolvedJoinRequest, _ body: (JoinRow) throws -> FetchFlow) throws {
            try state.select(request, body)
        }
    }

    init(_ stage: MigrationRoute.Stage, _ options: MigrationOptions, old: InMemoryStore.State, new: InMemoryStore.State)
    {
        self.stage = stage
        later = Later(new, stage.mapping.destination)
        self.old = InMemoryTransaction(old, stage.mapping.source)
        inserter = StageInserter(stage.mapping.destination, options) { new.tables[$0]?.nextID ?? 1 }
    }

    func insert(_ values: [StoredValue], of entity: String, id: Int64?) throws -> Int64 {
        try insert(values, of: try stage.mapping.destination.entity(named: entity), id: id, version: 1)
    }

    @discardableResult
    func insert(
        _ values: [StoredValue], of entity: EntityDescription, id: Int64?, version: Int64, isMapped: Bool = false
    ) throws -> Int64 {
        let row = try inserter.rows(of: entity.name).row(values, id: id, version: version, isMapped: isMapped)
        var table = try state.table(entity.name)
        guard table.index(of: row.id) == nil else { throw PersistenceError.taken(entity, row.id) }
        for (place, key) in entity.uniqueKeys.enumerated() {
            guard let value = key.value(of: row.values), table.owners[place][value] != nil else { continue }
            throw PersistenceError.taken(entity, key: key, value: value, by: row.id)
        }
        // The table is removed from the state while it changes, so that it is not copied.
        state.tables[entity.name] = nil
        table.insert(row)
        state.tables[entity.name] = table
        return row.id
    }

    func insert(_ pair: JoinRow, of join: JoinDescription) throws { state.joins[join.name]?.add(pair) }

    /// Removes the join rows of a row that the code has dropped.
    func dropPairs(of id: Int64, _ entity: EntityDescription) {
        for join in stage.mapping.destination.joins {
            if join.sourceEntity == entity.name { state.joins[join.name]?.removeAll(of: id, isSource: true) }
            if join.targetEntity == entity.name { state.joins[join.name]?.removeAll(of: id, isSource: false) }
        }
    }

    /// Returns the rows if the code has left no errors.
    ///
    /// - Parameter options: The options of the migration.
    /// - Returns: The rows.
    /// - Throws: ``PersistenceError`` for dangling references, and for relationships with too few or too many objects.
    func checked(_ options: MigrationOptions) throws -> InMemoryStore.State {
        let model = stage.mapping.destination
        for entity in model.entities {
            for (index, column) in entity.columns.enumerated() {
                guard let destination = column.destination else { continue }
                for row in state.tables[entity.name]?.rows ?? [] {
                    guard case .integer(let target) = row.values[index],
                        state.tables[destination]?.index(of: target) == nil
                    else { continue }
                    var error = PersistenceError.dangling(entity, index, from: row.id, to: target)
                    error.id = row.id
                    throw error
                }
            }
        }
        for join in model.joins {
            for row in state.joins[join.name]?.rows ?? [] {
                let isTargetMissing = state.tables[join.targetEntity]?.index(of: row.pair.target) == nil
                guard isTargetMissing || state.tables[join.sourceEntity]?.index(of: row.pair.source) == nil else {
                    continue
                }
                throw PersistenceError.dangling(join, row.pair, isTargetMissing: isTargetMissing)
            }
        }
        try stage.checkCounts(in: new, options)
        return state
    }
}
