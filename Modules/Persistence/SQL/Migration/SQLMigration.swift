package import StrataCore
package import StrataStoreKit

/// The statements that migrate a database from one model to the next, inside one transaction.
///
/// If the rows of a table remain unchanged, the table is renamed and its new columns are added. Every other table is
/// rewritten: a new table is filled from the old one, and the old table is dropped after all new tables are filled. The
/// connection does not check references during the migration.
package struct SQLMigration {
    /// A statement and its parameters.
    package enum Statement {
        case sql(String, [StoredValue] = [])
        /// Adds a column to a table; the definition contains the column's value for all existing rows.
        case addColumn(table: String, definition: String)
        /// Writes new rows by an SQL statement that derives them from old rows.
        case fill(Filling)
        /// Writes new rows with values that only Swift code can convert.
        case convert(Converting)
        /// Defines whether the references in other tables keep the old name of a table that the next statements rename.
        ///
        /// If the value is false, the references are changed to the new name.
        case keepsReferences(Bool)
        /// Provides the temporary names of the old tables to the user code, by the model's names.
        case setAside([String: String])
        /// Runs user code that creates the rows of an entity.
        case transform(EntityMapping)
        /// Runs the user code that a stage calls after all entities are transformed.
        case finish
    }

    let mapping: ModelMapping
    let old: SQLLayout
    let new: SQLLayout
    let now: StoredValue
    /// The current names of the old model's tables that were renamed, by their original names.
    var names: [String: String] = [:]
    /// The current names of old columns that were renamed, by the entity's name and the column's index.
    var renamedColumns: [String: [Int: String]] = [:]
    var statements: [Statement] = []
    private var scratchNames = 0

    /// Creates a migration.
    ///
    /// - Parameters:
    ///   - mapping: The mapping from the old model to the new one.
    ///   - dialect: The engine's dialect.
    ///   - now: The instant for new attributes whose default is the creation time.
    package init(_ mapping: ModelMapping, dialect: any SQLDialect, now: StoredValue) {
        self.mapping = mapping
        self.now = now
        old = SQLLayout(model: mapping.source, dialect: dialect)
        new = SQLLayout(model: mapping.destination, dialect: dialect)
    }

    /// Returns the statements of a migration stage in the order of their execution.
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

    /// Returns the names of the old entities and many-to-many relationships whose tables the stage rewrites.
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

    /// Returns a temporary table name that neither the old nor the new model uses.
    mutating func scratchName() -> String {
        scratchNames += 1
        return "strata_migration_\(scratchNames)"
    }

    mutating func rename(_ table: String, to name: String) {
        run("ALTER TABLE \(SQLLayout.quoted(table)) RENAME TO \(SQLLayout.quoted(name))")
    }

    /// Returns the current quoted name of a table of the old model.
    func current(_ table: String) -> String { SQLLayout.quoted(names[table] ?? table) }

    // MARK: Names

    /// Gives temporary names to the old tables that will be dropped, so that new tables can have the original names.
    private mutating func moveAway() {
        let kept = Set(mapping.joins.compactMap { keptSource(of: $0)?.name })
        let deleted =
            mapping.removedEntities.map(\.name) + mapping.source.joins.map(\.name).filter { !kept.contains($0) }
        if deleted.isEmpty { return }
        statements.append(.keepsReferences(true))
        for table in mapping.source.tables where deleted.contains(table.name) {
            let name = scratchName()
            dropIndexes(table.indexes, but: [])
            rename(table.name, to: name)
            names[table.name] = name
        }
    }

    /// Gives unchanged tables their new names; references to them are changed, too.
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

    /// The way in which the table of an entity is migrated.
    enum TableChange {
        case create
        /// The table remains, and columns are renamed and added.
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
                // The new name conflicts with the old name of a renamed column.
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

    /// Returns a Boolean value that indicates whether the identifiers of an entity's rows, or of the rows that they
    /// reference, change.
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
                // A new table may use the name of an old index.
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

    /// Returns the names of a table's indexes that remain unchanged during the migration.
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

    /// Plans the creation of the indexes that the new model has and the database lacks.
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
