package import StrataCore

/// The statements by which a database follows from one model to the next, inside one transaction.
///
/// A table whose rows stay as they are is renamed and gets columns; every other one is written anew beside the old one, which is dropped when all are filled. References are
/// not checked meanwhile: the connection has that switched off.
package struct SQLMigration {
    /// A statement and what it takes.
    package enum Statement {
        case sql(String, [StoredValue] = [])
        /// Gives a table one more column, whose value in all its rows the definition says.
        case addColumn(table: String, definition: String)
        /// Writes rows that a statement makes of earlier ones.
        case fill(Filling)
        /// Writes rows of which the engine cannot convert a value by itself.
        case convert(Converting)
        /// Whether what other tables say of a table stays as it is when that gets another name; otherwise it follows.
        case keepsReferences(Bool)
        /// From here on the earlier tables have these names, by the model's.
        case setAside([String: String])
        /// Somebody's code makes the rows of an entity.
        case transform(EntityMapping)
        /// Somebody's code has its last word.
        case finish
    }

    let mapping: ModelMapping
    let old: SQLLayout
    let new: SQLLayout
    let now: StoredValue
    /// What the earlier model's tables are called by now that have another name, by their names.
    var names: [String: String] = [:]
    /// What columns of earlier entities are called by now, by their places, where that is another name.
    var renamedColumns: [String: [Int: String]] = [:]
    var statements: [Statement] = []
    private var scratchNames = 0

    /// - Parameters:
    ///   - mapping: What leads from one model to the next.
    ///   - dialect: The engine's.
    ///   - now: The instant that new attributes get whose default is that of their making.
    package init(_ mapping: ModelMapping, dialect: any SQLDialect, now: StoredValue) {
        self.mapping = mapping
        self.now = now
        old = SQLLayout(model: mapping.source, dialect: dialect)
        new = SQLLayout(model: mapping.destination, dialect: dialect)
    }

    /// The statements in their order.
    package static func statements(
        _ stage: MigrationRoute.Stage, dialect: any SQLDialect, now: StoredValue
    ) -> [Statement] {
        var migration = SQLMigration(stage.mapping, dialect: dialect, now: now)
        if stage.isCustom {
            migration.planStaged(stage.rowwiseEntities, finishes: stage.finish != nil)
        } else {
            migration.plan()
        }
        return migration.statements
    }

    /// The earlier entities and many-to-many relationships whose tables are written anew, and so read.
    package static func rewrittenTables(_ stage: MigrationRoute.Stage, dialect: any SQLDialect) -> [String] {
        let mapping = stage.mapping
        let migration = SQLMigration(mapping, dialect: dialect, now: .null)
        let entities = mapping.entities.filter {
            stage.rowwiseEntities.contains($0.entity.name) || migration.change(of: $0) == .rewrite
        }
        let joins = mapping.joins.filter { !migration.isKept($0) }
        return entities.compactMap { $0.source?.name }
            + joins.compactMap { join in
                switch join.source {
                case .none: nil
                case .join(let before, _): before.name
                case .reference(let entity, _, _, _): entity.name
                }
            }
    }

    private mutating func plan() {
        moveAway()
        rename()
        alter()
        let made = rewrite()
        dropLeftovers(made)
        index()
    }

    mutating func run(_ sql: String, _ values: [StoredValue] = []) { statements.append(.sql(sql, values)) }

    /// A name that no table of a model has.
    mutating func scratchName() -> String {
        scratchNames += 1
        return "strata_migration_\(scratchNames)"
    }

    mutating func rename(_ table: String, to name: String) {
        run("ALTER TABLE \(SQLLayout.quoted(table)) RENAME TO \(SQLLayout.quoted(name))")
    }

    /// The name of an earlier table by now.
    func current(_ table: String) -> String { SQLLayout.quoted(names[table] ?? table) }

    // MARK: Names

    /// Gives tables of which no later table is made by renaming names that stand in nobody's way.
    private mutating func moveAway() {
        let kept = Set(mapping.joins.compactMap { keptSource(of: $0)?.name })
        let gone =
            mapping.removedEntities.map(\.name) + mapping.source.joins.map(\.name).filter { !kept.contains($0) }
        if gone.isEmpty { return }
        statements.append(.keepsReferences(true))
        for table in mapping.source.tables where gone.contains(table.name) {
            let name = scratchName()
            dropIndexes(table.indexes, but: [])
            rename(table.name, to: name)
            names[table.name] = name
        }
    }

    /// Gives tables their later names; what refers to them follows.
    private mutating func rename() {
        var moves: [(before: String, now: String)] = mapping.entities.compactMap { mapping in
            mapping.source.map { ($0.name, mapping.entity.name) }
        }
        moves += mapping.joins.compactMap { mapping in keptSource(of: mapping).map { ($0.name, mapping.join.name) } }
        moves.removeAll { $0.before == $0.now }
        statements.append(.keepsReferences(false))
        // Two tables may exchange their names, and a name may change only in its case.
        var between: [String] = []
        for (before, _) in moves {
            between.append(scratchName())
            rename(before, to: between[between.count - 1])
        }
        for (name, move) in zip(between, moves) {
            rename(name, to: move.now)
            names[move.before] = move.now
        }
    }

    // MARK: Tables

    /// What becomes of an entity's table.
    enum TableChange {
        case create
        /// Columns are renamed and added.
        case alter
        case rewrite
    }

    func change(of mapping: EntityMapping) -> TableChange {
        guard let source = mapping.source else { return .create }
        let entity = mapping.entity
        if renumbers(mapping) { return .rewrite }
        let copied = Set(mapping.columns.compactMap { if case .copied(let index) = $0 { index } else { nil } })
        guard source.columns.indices.allSatisfy(copied.contains) else { return .rewrite }
        let names = Set(source.columns.map { $0.name.lowercased() })
        for (index, column) in entity.columns.enumerated() {
            switch mapping.columns[index] {
            case .reversed, .identifier, .lookedUp, .keyValue: return .rewrite
            case .added:
                // A name that a column had which is called otherwise now is in the way.
                if column.isUnique || names.contains(column.name.lowercased()) { return .rewrite }
                switch column.attribute?.defaultValue {
                case .newUUID: return .rewrite
                case nil where !column.isOptional: return .rewrite
                default: break
                }
            case .copied(let place):
                let before = source.columns[place]
                let isKept = ValueConversion(from: before.type, to: column.type).map(old.dialect.keeps) ?? false
                guard isKept, before.isOptional == column.isOptional, before.isUnique == column.isUnique,
                    before.name == column.name || !names.contains(column.name.lowercased())
                else { return .rewrite }
            }
        }
        return .alter
    }

    /// Returns whether identifiers of an entity's rows change, or of rows to which they refer.
    func renumbers(_ mapping: EntityMapping) -> Bool {
        mapping.identifier != nil
            || mapping.entity.columns.contains { column in
                column.destination.flatMap { self.mapping.renumbering(ofEntity: $0) } != nil
            }
    }

    private mutating func alter() {
        for mapping in mapping.joins {
            guard let before = keptSource(of: mapping), before.name != mapping.join.name else { continue }
            dropIndexes(TableDescription(before).indexes, but: [])
        }
        for mapping in mapping.entities {
            guard let source = mapping.source else { continue }
            guard change(of: mapping) == .alter else {
                // A new table may have an old index's name.
                dropIndexes(TableDescription(source, in: self.mapping.source).indexes, but: [])
                continue
            }
            let table = SQLLayout.quoted(mapping.entity.name)
            let (before, now) = (
                TableDescription(source, in: self.mapping.source),
                TableDescription(mapping.entity, in: self.mapping.destination)
            )
            dropIndexes(before.indexes, but: keptIndexes(of: before, in: now, mapping))
            for (index, column) in mapping.entity.columns.enumerated() {
                guard case .copied(let place) = mapping.columns[index], source.columns[place].name != column.name else {
                    continue
                }
                renamedColumns[source.name, default: [:]][place] = column.name
                run(
                    "ALTER TABLE \(table) RENAME COLUMN \(SQLLayout.quoted(source.columns[place].name)) TO "
                        + SQLLayout.quoted(column.name))
            }
            for (index, column) in mapping.entity.columns.enumerated() where mapping.columns[index] == .added {
                statements.append(
                    .addColumn(
                        table: mapping.entity.name, definition: new.definition(ofAdded: column, now: self.now)))
            }
        }
    }

    // MARK: Indexes

    mutating func dropIndexes(_ indexes: [TableDescription.Index], but kept: Set<String>) {
        for index in indexes where !kept.contains(index.name) {
            run("DROP INDEX IF EXISTS \(SQLLayout.quoted(index.name))")
        }
    }

    /// The names of the indexes that stay as they are.
    func keptIndexes(of before: TableDescription, in now: TableDescription, _ mapping: EntityMapping) -> Set<String> {
        func later(_ name: String) -> String? {
            guard let place = mapping.source?.columnIndex(name) else { return name }
            return mapping.columns.firstIndex(of: .copied(place)).map { mapping.entity.columns[$0].name }
        }
        return Set(
            now.indexes.filter { index in
                before.indexes.contains {
                    $0.name == index.name && $0.isUnique == index.isUnique
                        && $0.columns.compactMap(later) == index.columns
                }
            }.map(\.name))
    }

    /// Makes the indexes that are not there.
    private mutating func index() {
        for mapping in mapping.entities {
            let table = TableDescription(mapping.entity, in: self.mapping.destination)
            var kept: Set<String> = []
            if change(of: mapping) == .alter, let source = mapping.source {
                kept = keptIndexes(of: TableDescription(source, in: self.mapping.source), in: table, mapping)
            }
            create(table.indexes.filter { !kept.contains($0.name) }, on: table)
        }
        for join in mapping.joins {
            let table = TableDescription(join.join)
            let isKept = keptSource(of: join)?.name == join.join.name
            create(isKept ? [] : table.indexes, on: table)
        }
    }

    mutating func create(_ indexes: [TableDescription.Index], on table: TableDescription) {
        for index in indexes {
            run("DROP INDEX IF EXISTS \(SQLLayout.quoted(index.name))")
            run(new.creation(of: index, on: table))
        }
    }
}
