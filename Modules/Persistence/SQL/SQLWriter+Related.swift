import StrataCore

/// Conditions on related objects, as subqueries of the one statement.
///
/// The rows of a subquery have the aliases `_1`, `_2` and so on. No entity has such a name, so the alias of an entity
/// that references itself is distinct.
extension SQLWriter {
    /// Returns a column of the current rows by its index, qualified inside a subquery.
    func column(_ index: Int) -> String { qualified(layout.column(entity.columns[index].name)) }

    /// Returns a column of the current rows, qualified inside a subquery.
    func qualified(_ column: String) -> String { alias.map { "\($0).\(column)" } ?? column }

    /// Returns a column of the current rows in the form in which a nested subquery refers to it.
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

    /// Returns the value of an operand for the destination of a to-one relationship, or null if there is no such row.
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

    /// Returns the condition that selects the rows of the destination that a relationship references.
    private func match(_ relationship: ResolvedRelationship, named rows: String) -> String {
        switch relationship.storage {
        case .ownColumn(let index): return "\(rows).\(layout.idColumn) = \(outerColumn(index))"
        case .inverseColumn(let index):
            let inverse = layout.column(relationship.destination.columns[index].name)
            return "\(rows).\(inverse) = \(outer(layout.idColumn))"
        // The join rows select the destination rows; see `relatives`.
        case .join: return dialect.truth(true)
        }
    }

    /// Returns the related rows that fulfill a condition, from `FROM` on.
    ///
    /// The engine finds the related rows by the index of the reference or of the join table.
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
            // Both ends of a join row exist, so a query without a condition does not read the destination. The engine
            // reads join rows first.
            from =
                condition.isAlwaysTrue
                ? table
                : "\(table) \(dialect.orderedJoin) \(layout.table(destination.name)) AS \(rows) ON \(rows).\(layout.idColumn) = \(ends.other)"
        }
        if condition.isAlwaysTrue { return "\(from) WHERE \(match)" }
        let test = sql(condition, of: destination, named: rows)
        // Only related rows may cause an error, and `AND` has no defined order.
        return "\(from) WHERE \(match) AND "
            + (condition.mayFail ? "CASE WHEN \(match) THEN \(test) ELSE \(dialect.truth(false)) END" : test)
    }

    /// Returns the condition that selects the join rows of the owner, and the other end of such a join row.
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

    /// Returns a condition on a relationship's destination.
    private mutating func sql(
        _ condition: ResolvedCondition, of destination: EntityDescription, named rows: String
    ) -> String {
        let outer = (entity, alias)
        defer { (entity, alias) = outer }
        (entity, alias) = (destination, rows)
        return sql(condition).text
    }
}
