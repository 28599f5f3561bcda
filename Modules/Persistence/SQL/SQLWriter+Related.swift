import StrataCore

/// Conditions on related objects: subqueries in the one statement.
///
/// Rows of a subquery are named `_1`, `_2` and so on, which no entity is, so that an entity that leads to itself is told apart from itself.
extension SQLWriter {
    /// A column of the rows that are meant, by its place, qualified inside a subquery.
    func column(_ index: Int) -> String { qualified(layout.column(entity.columns[index].name)) }

    /// A column of the rows that are meant, qualified inside a subquery.
    func qualified(_ column: String) -> String { alias.map { "\($0).\(column)" } ?? column }

    /// The same as it is called from within a subquery.
    private func outer(_ column: String) -> String { "\(alias ?? layout.table(entity.name)).\(column)" }

    private func outerColumn(_ index: Int) -> String { outer(layout.column(entity.columns[index].name)) }

    private mutating func nextAlias() -> String {
        aliasCount += 1
        return SQLLayout.quoted("_\(aliasCount)")
    }

    mutating func related(_ relationship: ResolvedRelationship, _ condition: ResolvedCondition) -> Truth {
        if case .ownColumn(let index) = relationship.storage, !condition.mayFail {
            let reference = column(index)
            if condition.isAlwaysTrue { return Truth(text: "\(reference) IS NOT NULL") }
            let rows = nextAlias()
            let test = sql(condition, of: relationship.destination, named: rows)
            let table = layout.table(relationship.destination.name)
            let ids = "SELECT \(rows).\(layout.idColumn) FROM \(table) AS \(rows)"
            return Truth(text: "\(reference) IN (\(ids) WHERE \(test))", mayBeNull: entity.columns[index].isOptional)
        }
        return Truth(text: "EXISTS (SELECT 1 \(relatives(relationship, condition)))")
    }

    mutating func relatedCount(_ relationship: ResolvedRelationship, _ condition: ResolvedCondition) -> String {
        "(SELECT count(*) \(relatives(relationship, condition)))"
    }

    /// The value of an operand for what a to-one relationship leads to: SQL's null where there is no row.
    mutating func related(
        _ relationship: ResolvedRelationship, _ operand: ResolvedOperand, as kind: OperandType.Kind
    ) -> String {
        let rows = nextAlias()
        let match = match(relationship, named: rows)
        let outer = (entity, alias)
        defer { (entity, alias) = outer }
        (entity, alias) = (relationship.destination, rows)
        let value = sql(operand, as: kind)
        return "(SELECT \(value) FROM \(layout.table(entity.name)) AS \(rows) WHERE \(match))"
    }

    /// Which rows of the destination a reference leads to.
    private func match(_ relationship: ResolvedRelationship, named rows: String) -> String {
        switch relationship.storage {
        case .ownColumn(let index): return "\(rows).\(layout.idColumn) = \(outerColumn(index))"
        case .inverseColumn(let index):
            let inverse = layout.column(relationship.destination.columns[index].name)
            return "\(rows).\(inverse) = \(outer(layout.idColumn))"
        // The pairs say which; see below.
        case .join: return dialect.truth(true)
        }
    }

    /// The related rows that fulfil a condition, from `FROM` on, found by the index of the reference or of the join table.
    private mutating func relatives(_ relationship: ResolvedRelationship, _ condition: ResolvedCondition) -> String {
        let destination = relationship.destination
        let rows = nextAlias()
        var from = "FROM \(layout.table(destination.name)) AS \(rows)"
        var match = match(relationship, named: rows)
        if case .join(let join, let isSource) = relationship.storage {
            let pairs = nextAlias()
            let ends = ends(of: join, isSource: isSource, pairs)
            match = ends.match
            let table = "FROM \(layout.table(join)) AS \(pairs)"
            // A pair's ends exist, so that without a condition the destination need not be read. Pairs first.
            from =
                condition.isAlwaysTrue
                ? table
                : "\(table) \(dialect.orderedJoin) \(layout.table(destination.name)) AS \(rows) ON \(rows).\(layout.idColumn) = \(ends.other)"
        }
        if condition.isAlwaysTrue { return "\(from) WHERE \(match)" }
        let test = sql(condition, of: destination, named: rows)
        // An error is an error of the related rows only; AND promises no order.
        return "\(from) WHERE \(match) AND "
            + (condition.mayFail ? "CASE WHEN \(match) THEN \(test) ELSE \(dialect.truth(false)) END" : test)
    }

    /// Which pairs are the owner's, and the other end of such a pair.
    private func ends(of join: JoinDescription, isSource: Bool, _ pairs: String) -> (match: String, other: String) {
        let owner = outer(layout.idColumn)
        let (source, target) = ("\(pairs).\(SQLLayout.sourceColumn)", "\(pairs).\(SQLLayout.targetColumn)")
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
        _ condition: ResolvedCondition, of destination: EntityDescription, named rows: String
    ) -> String {
        let outer = (entity, alias)
        defer { (entity, alias) = outer }
        (entity, alias) = (destination, rows)
        return sql(condition).text
    }
}
