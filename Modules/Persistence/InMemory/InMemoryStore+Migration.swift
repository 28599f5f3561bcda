import Foundation
public import StrataCore

extension InMemoryStore {
    /// A store of another model with what this one's rows become: as a SQLite store follows it.
    ///
    /// This store stays as it is, so that rows prepared with an earlier model serve many tests of a migration.
    ///
    /// - Parameters:
    ///   - model: The other model.
    ///   - options: What may be dropped, and so on; a ``MigrationOptions/backup`` is nothing that memory has.
    /// - Returns: The store; a copy where the model is the same.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/incompatibleModel``, ``PersistenceError/Code/dataLoss`` or
    ///   ``PersistenceError/Code/validation`` where it cannot follow; `CancellationError`.
    /// - Complexity: O(*n* log *n*) in the rows and pairs.
    public func migrated(
        to model: ManagedObjectModel, options: MigrationOptions = MigrationOptions()
    ) throws -> InMemoryStore {
        guard options.backup == nil else {
            throw PersistenceError(.invalidRequest, "a store in memory has no file of which a copy could be made")
        }
        let state = try snapshotState()
        if try isSame(as: model) { return InMemoryStore(copying: state, model: model) }
        let mapping = ModelMapping(from: self.model, to: model)
        if mapping.isPhysical, options.mode == .refuse {
            throw PersistenceError.needsMigration(mapping.steps, "whoever opened it does not let it follow")
        }
        let reader = InMemoryTransaction(state, self.model)
        try MigrationCheck(mapping, reader: reader, isCancelled: options.isCancelled).run(options)
        return InMemoryStore(copying: try InMemoryMigration(mapping, state, options).state(), model: model)
    }

    /// Whether rows of the store are rows of a model as they stand, in the order of its columns.
    private func isSame(as other: ManagedObjectModel) throws -> Bool {
        let (own, others) = (model.entities, other.entities)
        if own.count == others.count, zip(own, others).allSatisfy({ $0.isSame(as: $1) }) { return true }
        return try model.json() == other.json()
    }

    /// What would happen if the store had to follow another model.
    ///
    /// - Parameter model: The other model.
    /// - Returns: What would happen; no step where the model is the same.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/closed``.
    public func previewMigration(to model: ManagedObjectModel) throws -> MigrationPreview {
        let reader = InMemoryTransaction(try snapshotState(), self.model)
        return try MigrationCheck(ModelMapping(from: self.model, to: model), reader: reader).preview()
    }
}

/// Makes the rows of another model of those of a store.
private struct InMemoryMigration {
    let mapping: ModelMapping
    let old: InMemoryStore.State
    let options: MigrationOptions
    let now = Date()
    private let totalRows: Int
    private var rows = 0

    init(_ mapping: ModelMapping, _ state: InMemoryStore.State, _ options: MigrationOptions) {
        (self.mapping, old, self.options) = (mapping, state, options)
        totalRows = mapping.entities.reduce(0) { $0 + ($1.source.flatMap { state.tables[$0.name] }?.rows.count ?? 0) }
    }

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
        options.progress?(MigrationProgress(rows: totalRows, totalRows: totalRows))
        try options.willCommit()
        return InMemoryStore.State(tables: tables, joins: joins, metadata: old.metadata)
    }

    /// Tells of every so many rows.
    private static let stride = 4096

    private mutating func table(_ mapping: EntityMapping) throws -> InMemoryTable {
        var table = InMemoryTable(mapping.entity)
        guard let source = mapping.source, let before = old.tables[source.name] else { return table }
        let owners = self.owners(mapping)
        table.deferIndexes()
        for row in before.rows {
            rows += 1
            if rows.isMultiple(of: Self.stride) {
                options.progress?(MigrationProgress(rows: rows, totalRows: totalRows))
                if options.isCancelled() { throw CancellationError() }
            }
            let values = mapping.columns.indices.map { value(ofColumn: $0, mapping, source, row, owners) }
            table.insert(StoredRow(id: row.id, version: row.version, values: values))
        }
        table.buildIndexes()
        table.nextID = max(table.nextID, before.nextID)
        return table
    }

    /// Who refers to each row, for the columns that are kept at this side now.
    private func owners(_ mapping: EntityMapping) -> [Int: [Int64: Int64]] {
        var owners: [Int: [Int64: Int64]] = [:]
        for (index, column) in mapping.columns.enumerated() {
            guard case .reversed(let entity, let reference) = column else { continue }
            for row in old.tables[entity]?.rows ?? [] {
                if case .integer(let target) = row.values[reference] { owners[index, default: [:]][target] = row.id }
            }
        }
        return owners
    }

    private func value(
        ofColumn index: Int, _ mapping: EntityMapping, _ source: EntityDescription, _ row: StoredRow,
        _ owners: [Int: [Int64: Int64]]
    ) -> StoredValue {
        let column = mapping.entity.columns[index]
        switch mapping.columns[index] {
        case .added: return filler(column)
        case .reversed: return owners[index]?[row.id].map(StoredValue.integer) ?? .null
        case .copied(let place):
            let before = source.columns[place]
            let value = mapping.conversion(of: index)?.convert(row.values[place]) ?? .null
            return value.isNull && before.isOptional && !column.isOptional ? filler(column) : value
        }
    }

    private func filler(_ column: ColumnDescription) -> StoredValue {
        switch column.attribute?.defaultValue {
        case .constant(let value): value.converted(to: column.type) ?? value
        case .now: .date(now)
        case .newUUID: .uuid(UUID())
        case nil: .null
        }
    }

    // MARK: Pairs

    private func table(_ mapping: JoinMapping) -> InMemoryJoinTable {
        let join = mapping.join
        var table = InMemoryJoinTable(join)
        func add(_ source: Int64, _ target: Int64, _ positions: (Int64?, Int64?)) {
            let pair = JoinPair(source: source, target: target)
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
                    add(target, source, (row.targetPosition, row.sourcePosition))
                } else {
                    add(source, target, (row.sourcePosition, row.targetPosition))
                }
            }
            if before.isSymmetric, !join.isSymmetric {
                for row in rows { add(row.pair.target, row.pair.source, (nil, nil)) }
            }
        case .reference(let entity, let column, let ownsSource, let position):
            for row in old.tables[entity.name]?.rows ?? [] {
                guard case .integer(let target) = row.values[column] else { continue }
                var place: Int64?
                if let position, case .integer(let number) = row.values[position] { place = number }
                if ownsSource { add(row.id, target, (nil, place)) } else { add(target, row.id, (place, nil)) }
            }
        }
        return table
    }
}
