import StrataCore

/// Conditions on related objects: subqueries in the one statement.
///
/// Rows of a subquery are named `_1`, `_2` and so on, which no entity is, so that an entity that leads to itself is told apart from itself.
extension SQLiteTranslator {
    /// A column of the rows that are meant, qualified inside a subquery.
    func column(_ name: String) -> String {
        alias.map { "\($0).\(layout.column(name))" } ?? layout.column(name)
    }

    /// A column as it is called from within a subquery.
    private func outerColumn(_ name: String) -> String {
        "\(alias ?? layout.table(entity.name)).\(layout.column(name))"
    }

    private mutating func nextAlias() -> String {
        aliasCount += 1
        return SQLiteLayout.quoted("_\(aliasCount)")
    }

    mutating func related(_ name: String, _ condition: FetchCondition) throws -> Truth {
        let (_, destination, place) = try layout.model.relationship(name, of: entity)
        if case .ownColumn(let index) = place, try !typing.destination(name).mayFail(condition) {
            let reference = column(name)
            if condition == .constant(true) { return Truth(text: "\(reference) IS NOT NULL") }
            let rows = nextAlias()
            let test = try sql(condition, of: destination, named: rows)
            let ids = "SELECT \(rows).\(layout.idColumn) FROM \(layout.table(destination.name)) AS \(rows)"
            return Truth(text: "\(reference) IN (\(ids) WHERE \(test))", mayBeNull: entity.columns[index].isOptional)
        }
        return Truth(text: "EXISTS (SELECT 1 \(try relatives(name, condition)))")
    }

    mutating func relatedCount(_ name: String, _ condition: FetchCondition) throws -> String {
        "(SELECT count(*) \(try relatives(name, condition)))"
    }

    /// The value of an operand for what a to-one relationship leads to: SQL's null where there is no row.
    mutating func related(_ name: String, _ operand: FetchOperand, as kind: OperandType.Kind) throws -> String {
        let (relationship, destination, place) = try layout.model.relationship(name, of: entity)
        let rows = nextAlias()
        let match: String
        if case .ownColumn = place {
            match = "\(rows).\(layout.idColumn) = \(outerColumn(name))"
        } else {
            match = "\(rows).\(layout.column(relationship.inverse ?? "")) = \(outerColumn("id"))"
        }
        let outer = (entity, alias)
        defer { (entity, alias) = outer }
        (entity, alias) = (destination, rows)
        let value = try sql(operand, as: kind)
        return "(SELECT \(value) FROM \(layout.table(destination.name)) AS \(rows) WHERE \(match))"
    }

    /// The related rows that fulfil a condition, from `FROM` on, found by the index of the reference or of the join table.
    private mutating func relatives(_ name: String, _ condition: FetchCondition) throws -> String {
        let (relationship, destination, place) = try layout.model.relationship(name, of: entity)
        let mayFail = try typing.destination(name).mayFail(condition)
        let rows = nextAlias()
        var from = "FROM \(layout.table(destination.name)) AS \(rows)"
        let match: String
        switch place {
        case .ownColumn: match = "\(rows).\(layout.idColumn) = \(outerColumn(name))"
        case .inverseColumn:
            match = "\(rows).\(layout.column(relationship.inverse ?? "")) = \(outerColumn("id"))"
        case .join(let join, let isSource):
            let pairs = nextAlias()
            let ends = ends(of: join, isSource: isSource, pairs)
            match = ends.match
            let table = "FROM \(layout.table(join)) AS \(pairs)"
            // A pair's ends exist, so that without a condition the destination need not be read. The order of a CROSS JOIN is kept: pairs first.
            from =
                condition == .constant(true)
                ? table
                : "\(table) CROSS JOIN \(layout.table(destination.name)) AS \(rows) ON \(rows).\(layout.idColumn) = \(ends.other)"
        }
        if condition == .constant(true) { return "\(from) WHERE \(match)" }
        let test = try sql(condition, of: destination, named: rows)
        // An error is an error of the related rows only; AND promises no order.
        return "\(from) WHERE \(match) AND " + (mayFail ? "CASE WHEN \(match) THEN \(test) ELSE 0 END" : test)
    }

    /// Which pairs are the owner's, and the other end of such a pair.
    private func ends(of join: JoinDescription, isSource: Bool, _ pairs: String) -> (match: String, other: String) {
        let owner = outerColumn("id")
        let (source, target) = ("\(pairs).\(SQLiteLayout.sourceColumn)", "\(pairs).\(SQLiteLayout.targetColumn)")
        if join.isSymmetric {
            return (
                "(\(source) = \(owner) OR \(target) = \(owner))",
                "CASE WHEN \(source) = \(owner) THEN \(target) ELSE \(source) END"
            )
        }
        return isSource ? ("\(source) = \(owner)", target) : ("\(target) = \(owner)", source)
    }

    /// A condition on a relationship's destination.
    private mutating func sql(
        _ condition: FetchCondition, of destination: EntityDescription, named rows: String
    ) throws -> String {
        let outer = (entity, alias)
        defer { (entity, alias) = outer }
        (entity, alias) = (destination, rows)
        return try sql(condition).text
    }
}
