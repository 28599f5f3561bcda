import StrataCore
import StrataStoreKit

/// The part of a migration that writes the rows of existing tables into new tables.
extension SQLMigration {
    /// A new table that will replace an existing table of the store.
    struct Made {
        let scratch: String
        let name: String
    }

    /// Creates and fills all new tables, including those that replace existing tables.
    ///
    /// - Returns: The new tables that replace existing ones; they still have temporary names.
    mutating func rewrite() -> [Made] {
        var made: [Made] = []
        for mapping in mapping.entities {
            let table = TableDescription(mapping.entity, in: self.mapping.destination)
            switch change(of: mapping) {
            case .alter: continue
            case .create: run(new.creation(of: table))
            case .rewrite:
                let scratch = scratchName()
                run(new.creation(of: table, named: scratch))
                fill(scratch, mapping)
                made.append(Made(scratch: scratch, name: table.name))
            }
        }
        for join in mapping.joins where !isKept(join) {
            run(new.creation(of: TableDescription(join.join)))
            fill(join)
        }
        return made
    }

    /// Drops the old tables that the new model does not need, and gives the replacement tables their final names.
    mutating func dropLeftovers(_ made: [Made]) {
        statements.append(.keepsReferences(true))
        for table in made {
            run("DROP TABLE \(SQLLayout.quoted(table.name))")
            rename(table.scratch, to: table.name)
        }
        let kept = Set(mapping.joins.compactMap { keptSource(of: $0)?.name })
        for table in mapping.removedEntities.map(\.name) + mapping.source.joins.map(\.name)
        where !kept.contains(table) {
            run("DROP TABLE \(current(table))")
        }
        statements.append(.keepsReferences(false))
    }

    // MARK: Rows

    mutating func fill(_ table: String, _ mapping: EntityMapping) {
        guard let source = mapping.source else { return }
        var values: [StoredValue] = []
        let columns = mapping.entity.columns.indices.map { value(ofColumn: $0, mapping, from: source, &values) }
        let key = "t.\(old.idColumn)"
        let expressions =
            [old.dialect.counted(identifier(of: mapping)), "t.\(old.versionColumn)"] + columns.map(\.expression)
        let selection =
            "SELECT \(expressions.joined(separator: ", ")) FROM \(current(source.name)) t\(owners(mapping))"
        let insertion = Insertion(table: SQLLayout.quoted(table), columns: new.rowColumns(mapping.entity))
        if columns.contains(where: { $0.value.conversion != nil }) {
            statements.append(
                .convert(
                    Converting(
                        insertion: insertion, selection: "\(selection) ORDER BY \(key)", values: values,
                        columns: columns.map(\.value), now: now)))
        } else {
            statements.append(
                .fill(
                    Filling(
                        insertion: insertion, selection: selection, condition: nil, ending: " ORDER BY \(key)",
                        key: key,
                        source: current(source.name), values: values, dialect: old.dialect)))
        }
    }

    /// Returns the SQL joins with the tables from which the new columns of an entity take values; each SQL join finds
    /// at most one row for each row of the entity.
    ///
    /// The statement uses SQL joins instead of one query for each row, because the non-unique indexes were dropped
    /// before. For an SQL join, an engine builds a temporary index.
    private func owners(_ mapping: EntityMapping) -> String {
        mapping.columns.enumerated().map { index, column in
            let row = owner(index)
            switch column {
            case .added, .copied, .identifier: return ""
            case .reversed(let other, let reference):
                guard let entity = self.mapping.source[other] else { return "" }
                let name = currentColumn(reference, of: entity)
                return " LEFT JOIN \(current(other)) \(row) ON \(row).\(name) = t.\(old.idColumn)"
            case .lookedUp(let columns, let other, let key):
                guard let entity = self.mapping.source[other], let source = mapping.source else { return "" }
                let keys = key.isEmpty ? [old.idColumn] : key.map { currentColumn($0, of: entity) }
                let matches = zip(columns, keys).map { column, key in
                    "\(row).\(key) = t.\(SQLLayout.quoted(source.columns[column].name))"
                }
                return " LEFT JOIN \(current(other)) \(row) ON \(matches.joined(separator: " AND "))"
            case .keyValue(let reference, let other, _):
                guard let source = mapping.source else { return "" }
                let name = SQLLayout.quoted(source.columns[reference].name)
                return " LEFT JOIN \(current(other)) \(row) ON \(row).\(old.idColumn) = t.\(name)"
            }
        }.joined()
    }

    /// Returns the SQL expression for the new identifier of the row `t` of an entity's old table.
    func identifier(of mapping: EntityMapping) -> String {
        guard let source = mapping.source, let column = mapping.identifier else { return "t.\(old.idColumn)" }
        return "CAST(t.\(currentColumn(column, of: source)) AS BIGINT)"
    }

    /// Returns the SQL expression for the new identifier of a referenced row, where `id` is an SQL expression for the
    /// old one.
    private func renumbered(_ id: String, of entity: String) -> String {
        guard let (source, column) = mapping.renumbering(ofEntity: entity) else { return id }
        let name = currentColumn(column, of: source)
        return "(SELECT numbers.\(name) FROM \(current(source.name)) numbers WHERE numbers.\(old.idColumn) = \(id))"
    }

    private func owner(_ column: Int) -> String { "owner\(column)" }

    /// Returns the SQL expression for the values of a new column, and the conversion that Swift code must perform
    /// because the engine has no expression for it.
    ///
    /// The method appends the parameters of the expression to `values`.
    private func value(
        ofColumn index: Int, _ mapping: EntityMapping, from source: EntityDescription, _ values: inout [StoredValue]
    ) -> (expression: String, value: Converting.Column) {
        let earlier = earlierValue(ofColumn: index, mapping, from: source, &values)
        guard let target = mapping.entity.columns[index].destination else { return earlier }
        return (renumbered(earlier.expression, of: target), earlier.value)
    }

    private func earlierValue(
        ofColumn index: Int, _ mapping: EntityMapping, from source: EntityDescription, _ values: inout [StoredValue]
    ) -> (expression: String, value: Converting.Column) {
        let column = mapping.entity.columns[index]
        func plain(_ expression: String) -> (String, Converting.Column) { (expression, Converting.Column(column.type)) }
        func filler(_ values: inout [StoredValue]) -> String? {
            switch column.attribute?.defaultValue {
            case .constant(let value):
                values.append(value.converted(to: column.type) ?? value)
                return old.parameter(values.count)
            case .now:
                values.append(now)
                return old.parameter(values.count)
            case .newUUID: return old.dialect.newUUID
            case nil: return nil
            }
        }
        switch mapping.columns[index] {
        case .added: return plain(filler(&values) ?? "NULL")
        case .reversed, .lookedUp, .keyValue(_, _, nil): return plain("\(owner(index)).\(old.idColumn)")
        case .keyValue(_, let other, let key?):
            guard let entity = self.mapping.source[other] else { return plain("NULL") }
            return plain("\(owner(index)).\(currentColumn(key, of: entity))")
        case .identifier:
            let name = "t.\(old.idColumn)"
            guard let conversion = mapping.conversion(of: index) else { return plain("NULL") }
            guard let value = old.dialect.keeps(conversion) ? name : old.dialect.converted(name, conversion) else {
                return (name, Converting.Column(.integer64, conversion))
            }
            return plain(value)
        case .copied(let place):
            let before = source.columns[place]
            let name = "t." + SQLLayout.quoted(before.name)
            guard let conversion = ValueConversion(from: before.type, to: column.type) else { return plain("NULL") }
            let isFilled = before.isOptional && !column.isOptional
            guard let value = old.dialect.keeps(conversion) ? name : old.dialect.converted(name, conversion) else {
                let filler = isFilled ? column.attribute?.defaultValue : nil
                return (name, Converting.Column(before.type, conversion, ifNull: filler))
            }
            guard isFilled, let filler = filler(&values) else { return plain(value) }
            return plain("coalesce(\(value), \(filler))")
        }
    }

    /// Returns the current name of an old entity's column, which the migration may have renamed already.
    private func currentColumn(_ column: Int, of entity: EntityDescription) -> String {
        SQLLayout.quoted(renamedColumns[entity.name]?[column] ?? entity.columns[column].name)
    }

    // MARK: Join rows

    /// Returns a Boolean value that indicates whether a new join table is an old one with unchanged rows, and possibly
    /// a new name.
    func isKept(_ join: JoinMapping) -> Bool { keptSource(of: join) != nil }

    /// Returns the old join table that becomes a new join table with unchanged rows, or `nil` if the rows must be
    /// rewritten.
    func keptSource(of mapping: JoinMapping) -> JoinDescription? {
        guard case .join(let before, isSwapped: false) = mapping.source,
            self.mapping.renumbering(ofEntity: mapping.join.sourceEntity) == nil,
            self.mapping.renumbering(ofEntity: mapping.join.targetEntity) == nil,
            before.isSymmetric == mapping.join.isSymmetric, before.isSourceOrdered == mapping.join.isSourceOrdered,
            before.isTargetOrdered == mapping.join.isTargetOrdered
        else { return nil }
        return before
    }

    mutating func fill(_ mapping: JoinMapping) {
        let join = mapping.join
        switch mapping.source {
        case .none: return
        case .join(let before, let isSwapped):
            let ends = (SQLLayout.sourceColumn, SQLLayout.targetColumn)
            let positions = (
                before.isSourceOrdered ? "t." + SQLLayout.sourcePositionColumn : "NULL",
                before.isTargetOrdered ? "t." + SQLLayout.targetPositionColumn : "NULL"
            )
            fill(
                join, from: before.name, ends: isSwapped ? (ends.1, ends.0) : ends,
                positions: isSwapped ? (positions.1, positions.0) : positions)
            // A symmetric relationship stores each join row once, for both directions.
            if before.isSymmetric, !join.isSymmetric {
                fill(join, from: before.name, ends: (ends.1, ends.0), positions: ("NULL", "NULL"))
            }
        case .reference(let entity, let column, let ownsSource, let position):
            let reference = currentColumn(column, of: entity)
            let place = position.map { "t." + currentColumn($0, of: entity) } ?? "NULL"
            fill(
                join, from: entity.name, ends: ownsSource ? (old.idColumn, reference) : (reference, old.idColumn),
                positions: ownsSource ? ("NULL", place) : (place, "NULL"), where: "t.\(reference) IS NOT NULL")
        }
    }

    private mutating func fill(
        _ join: JoinDescription, from table: String, ends: (String, String), positions: (String, String),
        where condition: String = "1 = 1"
    ) {
        let first = renumbered("t." + ends.0, of: join.sourceEntity)
        let second = renumbered("t." + ends.1, of: join.targetEntity)
        var columns = [SQLLayout.sourceColumn, SQLLayout.targetColumn]
        var values =
            join.isSymmetric
            ? [old.dialect.lesser(first, second), old.dialect.greater(first, second)] : [first, second]
        if join.isSourceOrdered {
            columns.append(SQLLayout.sourcePositionColumn)
            values.append(positions.0)
        }
        if join.isTargetOrdered {
            columns.append(SQLLayout.targetPositionColumn)
            values.append(positions.1)
        }
        values[0] = old.dialect.counted(values[0])
        statements.append(
            .fill(
                Filling(
                    insertion: Insertion(
                        table: SQLLayout.quoted(join.name), columns: columns.joined(separator: ", ")),
                    selection: "SELECT \(values.joined(separator: ", ")) FROM \(current(table)) t",
                    condition: condition, ending: " ORDER BY 1, 2 ON CONFLICT DO NOTHING", key: "t." + ends.0,
                    source: current(table), values: [], dialect: old.dialect)))
    }
}
