package import StrataCore
import StrataStoreKit

/// The checks that involve several rows: references, join rows, unique values, and counts of related objects.
extension SQLCheck {
    func checkReferences(_ entity: EntityDescription) throws {
        let table = layout.table(entity.name)
        for column in entity.columns {
            guard let destination = column.destination, usable.contains(destination) else { continue }
            let sql = """
                SELECT \(table).\(layout.idColumn), \(layout.column(column.name)) FROM \(table)\(engine.withoutIndexes) \
                WHERE \(layout.column(column.name)) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM \
                \(layout.table(destination)) AS destination WHERE destination.\(layout.idColumn) = \
                \(table).\(layout.column(column.name)))
                """
            try engine.forEach(sql) { statement in
                // The check of the rows has already reported values that are not identifiers.
                guard engine.isInteger(statement, at: 1), identifierRange.contains(statement.integer(at: 1)) else {
                    return
                }
                let ids = statement.integers(2)
                try found(
                    StoreFault(
                        .reference, "refers to \(destination) \(ids[1]), which does not exist", entity: entity.name,
                        id: ids[0], attribute: column.name))
            }
        }
    }

    func checkPairs(_ join: JoinDescription) throws {
        let table = layout.table(join)
        func missing(_ column: String, _ entity: String) -> String {
            """
            CASE WHEN EXISTS (SELECT 1 FROM \(layout.table(entity)) AS ends \
            WHERE ends.\(layout.idColumn) = \(table).\(column)) THEN 1 ELSE 0 END
            """
        }
        guard usable.contains(join.sourceEntity), usable.contains(join.targetEntity) else { return }
        let (source, target) = (SQLLayout.sourceColumn, SQLLayout.targetColumn)
        let positions = TableDescription(join).columns.dropFirst(2).map { SQLLayout.quoted($0.name) }
        let columns =
            [source, target, missing(source, join.sourceEntity), missing(target, join.targetEntity)] + positions
        // In the order of the table, so that the engine reads the table and not its index, which also contains both
        // ends.
        let order = "ORDER BY \(source), \(target)"
        try engine.forEach("SELECT \(columns.joined(separator: ", ")) FROM \(table)\(engine.withoutIndexes) \(order)") {
            statement in
            try didRead()
            let ends = statement.integers(4)
            func found(_ kind: StoreFault.Kind, _ message: String) throws {
                try self.found(
                    StoreFault(
                        kind, message, entity: join.sourceEntity, id: ends[0], attribute: join.sourceRelationship))
            }
            guard engine.isInteger(statement, at: 0), engine.isInteger(statement, at: 1),
                identifierRange.contains(ends[0]),
                identifierRange.contains(ends[1])
            else {
                return try found(
                    .type,
                    "the join row with \(join.targetEntity) \(ends[1]) contains a value that is not an identifier")
            }
            if ends[2] == 0 {
                try found(
                    .reference, "\(join.sourceEntity) \(ends[0]), which has a join row with \(ends[1]), does not exist")
            }
            if ends[3] == 0 { try found(.reference, "refers to \(join.targetEntity) \(ends[1]), which does not exist") }
            if join.isSymmetric, ends[0] > ends[1] {
                try found(.rule, "the join row with \(ends[1]) has its greater identifier first")
            }
            for index in positions.indices {
                let column = Int32(index - positions.startIndex) + 4
                switch engine.cell(statement, at: column, of: .integer64) {
                case .value: break
                case .invalid, .reported:
                    try found(.type, "the position among those of \(ends[1]) is not a whole number")
                }
            }
        }
    }

    /// Checks that adjacent entries of each unique index of an entity differ; SQLite's own check verifies that the
    /// index contains all rows.
    func checkUniqueness(_ entity: EntityDescription) throws {
        for key in entity.uniqueKeys {
            let columns = columns(of: key, entity)
            let list = columns.joined(separator: ", ")
            var last: (value: UniqueValue, id: Int64)?
            let sql = """
                SELECT \(layout.idColumn), \(list) FROM \(layout.table(entity.name)) WHERE \(areThere(columns)) ORDER BY \
                \(list)
                """
            let places = Dictionary(uniqueKeysWithValues: zip(key.columns, Int32(1)...))
            try engine.forEach(sql) { statement in
                let value = try key.value { column in
                    try places[column].flatMap { try statement.value(at: $0, as: entity.columns[column].type) }
                }
                guard let value else { return }
                let id = statement.integer(at: 0)
                if let last, last.value == value { try foundTwice(entity, key, id, owner: last.id) }
                last = (value, id)
            }
        }
    }

    /// Checks the uniqueness of a key by its values in the table, because the index of the key is unreliable.
    package func checkUniqueness(_ entity: EntityDescription, of key: UniqueKey) throws {
        let table = layout.table(entity.name)
        let columns = columns(of: key, entity)
        let list = columns.joined(separator: ", ")
        let isSame = columns.map { "other.\($0) = \(table).\($0)" }.joined(separator: " AND ")
        let sql = """
            SELECT \(layout.idColumn), (SELECT min(other.\(layout.idColumn)) FROM \(table) AS other\(engine.withoutIndexes) WHERE \
            \(isSame)) FROM \(table)\(engine.withoutIndexes) WHERE (\(list)) IN (SELECT \(list) FROM \(table)\(engine.withoutIndexes) WHERE \
            \(areThere(columns)) GROUP BY \(list) HAVING count(*) > 1)
            """
        try engine.forEach(sql) { statement in
            let ids = statement.integers(2)
            if ids[0] != ids[1] { try foundTwice(entity, key, ids[0], owner: ids[1]) }
        }
    }

    private func columns(of key: UniqueKey, _ entity: EntityDescription) -> [String] {
        key.columns.map { layout.column(entity.columns[$0].name) }
    }

    /// Returns the condition that excludes rows with null in one of the columns, because null is not equal to any
    /// value.
    private func areThere(_ columns: [String]) -> String {
        columns.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
    }

    private func foundTwice(_ entity: EntityDescription, _ key: UniqueKey, _ id: Int64, owner: Int64) throws {
        let what =
            key.columns.count == 1
            ? "this value too, but the attribute is unique" : "these values too, but the attributes are unique together"
        try found(
            StoreFault(
                .uniqueness, "\(entity.name) \(owner) has \(what)", entity: entity.name, id: id,
                attribute: key.name(in: entity)))
    }

    func checkCounts(_ entity: EntityDescription) throws {
        let reader = SQLTransaction(layout: layout, connection: connection)
        for rule in entity.relationships.compactMap(CountRule.init) {
            let (_, destination, place) = try model.relationship(rule.relationship.name, of: entity)
            guard usable.contains(destination.name) else { continue }
            if case .join(let join, _) = place, !usable.contains(join.name) { continue }
            try reader.fetchMiscounted(entity, rule) { id, reason in
                try found(
                    StoreFault(.rule, reason, entity: entity.name, id: id, attribute: rule.relationship.name))
            }
        }
    }
}
