import Foundation
import StrataCore
import StrataStoreKit

/// A migration of an in-memory store's rows to another model.
///
/// The migration creates a new state and leaves the old one unchanged, so that an error needs no rollback. Entities
/// without code are copied with deferred indexes. Entities with code are written row by row, after the tables of all
/// other entities exist, because the code may read them. The caller has checked before that no data is lost.
struct InMemoryMigration {
    let stage: MigrationRoute.Stage
    var mapping: ModelMapping { stage.mapping }
    let old: InMemoryStore.State
    let options: MigrationOptions
    let now = Date()
    private let totalRows: Int
    private var rows = 0

    init(_ stage: MigrationRoute.Stage, of state: InMemoryStore.State, _ options: MigrationOptions) {
        (self.stage, old, self.options) = (stage, state, options)
        totalRows = stage.mapping.entities.reduce(0) {
            $0 + ($1.source.flatMap { state.tables[$0.name] }?.rows.count ?? 0)
        }
    }

    /// Returns the migrated state.
    func state() throws -> InMemoryStore.State {
        var migration = self
        return try migration.make()
    }

    private mutating func make() throws -> InMemoryStore.State {
        options.progress?(MigrationProgress(rows: 0, totalRows: totalRows))
        var tables: [String: InMemoryTable] = [:]
        for mapping in mapping.entities { tables[mapping.entity.name] = try table(mapping) }
        var joins: [String: InMemoryJoinTable] = [:]
        for mapping in mapping.joins { joins[mapping.join.name] = table(mapping) }
        var state = InMemoryStore.State(tables: tables, joins: joins, metadata: old.metadata)
        if stage.isCustom { state = try runCode(state) }
        options.progress?(MigrationProgress(rows: totalRows, totalRows: totalRows))
        return state
    }

    /// The count of rows between two progress reports.
    private static let stride = 4096

    /// Counts a row, reports the progress, and throws an error if the migration is canceled.
    private mutating func count() throws {
        rows += 1
        guard rows.isMultiple(of: Self.stride) else { return }
        options.progress?(MigrationProgress(rows: rows, totalRows: totalRows))
        if options.isCancelled() { throw CancellationError() }
    }

    /// Runs the code of a stage, which creates rows.
    private mutating func runCode(_ state: InMemoryStore.State) throws -> InMemoryStore.State {
        let code = InMemoryStage(stage, options, old: old, new: state)
        var dropped: [(Int64, EntityDescription)] = []
        for mapping in mapping.entities {
            guard stage.rowwiseEntities.contains(mapping.entity.name), let source = mapping.source,
                let mapper = mapper(mapping)
            else { continue }
            let transform = try stage.transforms[mapping.entity.name]?(code)
            for row in old.tables[source.name]?.rows ?? [] {
                try count()
                var values = mapper.values(of: row)
                if let transform, try !transform(row, &values) {
                    dropped.append((mapper.identifier(of: row), mapping.entity))
                    continue
                }
                try code.insert(
                    values, of: mapping.entity, id: mapper.identifier(of: row), version: row.version,
                    isMapped: transform == nil)
            }
        }
        for (id, entity) in dropped { code.dropPairs(of: id, entity) }
        try stage.finish?(code)
        return try code.checked(options)
    }

    /// Returns the conversion of an entity's rows to the later model; `nil` if no rows are converted.
    private func mapper(_ mapping: EntityMapping) -> RowMapper? {
        RowMapper(mapping, in: self.mapping, now: now) { entity, columns, body in
            for row in old.tables[entity]?.rows ?? [] { body(row.id, columns.map { row.values[$0] }) }
        }
    }

    /// Returns the migrated table of an entity, or a table with only its next identifier if code creates the rows.
    private mutating func table(_ mapping: EntityMapping) throws -> InMemoryTable {
        var table = InMemoryTable(mapping.entity)
        guard let mapper = mapper(mapping), let source = mapping.source, let before = old.tables[source.name] else {
            return table
        }
        table.nextID = max(table.nextID, before.nextID)
        if stage.rowwiseEntities.contains(mapping.entity.name) { return table }
        table.deferIndexes()
        table.beginBulk()
        for row in before.rows {
            try count()
            let id = mapper.identifier(of: row)
            table.insert(StoredRow(id: id, version: row.version, values: mapper.values(of: row)))
        }
        table.settle()
        table.endBulk()
        table.buildIndexes()
        return table
    }

    // MARK: Join rows

    /// Returns the new identifiers of an entity's rows by the previous ones, or `nil` if they do not change.
    private func numbers(of entity: String) -> [Int64: Int64]? {
        mapping.renumbering(ofEntity: entity).map { source, column in
            (old.tables[source.name]?.rows ?? []).reduce(into: [:]) { $0[$1.id] = $1.values[column].integerValue }
        }
    }

    private func table(_ mapping: JoinMapping) -> InMemoryJoinTable {
        let join = mapping.join
        var table = InMemoryJoinTable(join)
        let ends = (numbers(of: join.sourceEntity), numbers(of: join.targetEntity))
        func add(_ source: Int64, _ target: Int64, at positions: (Int64?, Int64?)) {
            let pair = JoinPair(source: ends.0?[source] ?? source, target: ends.1?[target] ?? target)
            guard !table.contains(join.kept(pair)) else { return }
            table.add(JoinRow(pair, sourcePosition: positions.0, targetPosition: positions.1))
        }
        switch mapping.source {
        case .none: break
        case .join(let before, let isSwapped):
            let rows = old.joins[before.name]?.rows ?? []
            for row in rows {
                let (source, target) = (row.pair.source, row.pair.target)
                if isSwapped {
                    add(target, source, at: (row.targetPosition, row.sourcePosition))
                } else {
                    add(source, target, at: (row.sourcePosition, row.targetPosition))
                }
            }
            if before.isSymmetric, !join.isSymmetric {
                for row in rows { add(row.pair.target, row.pair.source, at: (nil, nil)) }
            }
        case .reference(let entity, let column, let ownsSource, let position):
            for row in old.tables[entity.name]?.rows ?? [] {
                guard case .integer(let target) = row.values[column] else { continue }
                var place: Int64?
                if let position, case .integer(let number) = row.values[position] { place = number }
                if ownsSource { add(row.id, target, at: (nil, place)) } else { add(target, row.id, at: (place, nil)) }
            }
        }
        return table
    }
}
