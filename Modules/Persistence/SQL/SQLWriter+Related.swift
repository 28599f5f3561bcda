import StrataCore
import StrataStoreKit

/// The methods that write conditions on related objects as subqueries of the statement.
///
/// The rows of a subquery have the aliases `_1`, `_2` and so on. No entity has such a name, so the alias of an entity
/// that references itself is distinct.
extension SQLWriter {
    /// Returns the SQL name of a column by its index; in a subquery, the alias of the subquery's rows precedes it.
    func column(_ index: Int) -> String { qualified(layout.column(entity.columns[index].name)) }

    /// Returns the SQL name of a column; in a subquery, the alias of the subquery's rows precedes it.
    func qualified(_ column: String) -> String { alias.map { "\($0).\(column)" } ?? column }

    /// Returns the SQL name of a column with the table or alias, by which a nested subquery refers to this query's
    /// rows.
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
        return Truth(text: "EXISTS (SELECT 1 \(relatives(relationship, condition).text))")
    }

    mutating func relatedCount(_ relationship: ResolvedRelationship, _ condition: ResolvedCondition) -> String {
        "(SELECT count(*) \(relatives(relationship, condition).text))"
    }

    /// Returns a subquery for an aggregate over the related rows for which a condition is true.
    ///
    /// The operands are columns of an inner subquery, because a dialect's expression may contain each several times.
    mutating func relatedAggregate(
        _ relationship: ResolvedRelationship, _ aggregate: ResolvedAggregate, _ condition: ResolvedCondition
    ) -> String {
        if aggregate.function == .count { return relatedCount(relationship, condition) }
        let relatives = relatives(relationship, condition, operands: aggregate.operands)
        let names = relatives.operands.indices.map { SQLLayout.quoted("_v\($0)") }
        let columns = zip(relatives.operands, names).map { "\($0) AS \($1)" }.joined(separator: ", ")
        return
            "(SELECT \(dialect.aggregate(aggregate, of: names)) FROM (SELECT \(columns) \(relatives.text)) AS \(SQLLayout.quoted("_r")))"
    }

    /// Returns a subquery for the value of an operand in the row that a to-one relationship references; the result is
    /// null if there is no such row.
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

    /// Returns the condition that selects those rows of the destination entity that are related to the current row.
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

    /// Returns the part of a subquery from `FROM` on that selects the related rows for which a condition is true, and
    /// the expressions for operands on these rows.
    ///
    /// The engine finds the related rows by the index of the reference or of the join table.
    private mutating func relatives(
        _ relationship: ResolvedRelationship, _ condition: ResolvedCondition, operands: [ResolvedOperand] = []
    ) -> (operands: [String], text: String) {
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
                condition.isAlwaysTrue && operands.isEmpty
                ? table
                : "\(table) \(dialect.orderedJoin) \(layout.table(destination.name)) AS \(rows) ON \(rows).\(layout.idColumn) = \(ends.other)"
        }
        let values = columns(operands, of: destination, named: rows)
        if condition.isAlwaysTrue { return (values, "\(from) WHERE \(match)") }
        let test = sql(condition, of: destination, named: rows)
        // Only related rows may cause an error, and `AND` has no defined order.
        let restriction = condition.mayFail ? "CASE WHEN \(match) THEN \(test) ELSE \(dialect.truth(false)) END" : test
        return (values, "\(from) WHERE \(match) AND \(restriction)")
    }

    /// Returns the expressions for operands on the rows of a relationship's destination entity.
    private mutating func columns(
        _ operands: [ResolvedOperand], of destination: EntityDescription, named rows: String
    ) -> [String] {
        let outer = (entity, alias)
        defer { (entity, alias) = outer }
        (entity, alias) = (destination, rows)
        return operands.map { column($0) }
    }

    /// Returns the condition that selects the join rows of the current row, and the column with the other end of a join
    /// row.
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

    /// Returns the text of a condition on the rows of a relationship's destination entity.
    private mutating func sql(
        _ condition: ResolvedCondition, of destination: EntityDescription, named rows: String
    ) -> String {
        let outer = (entity, alias)
        defer { (entity, alias) = outer }
        (entity, alias) = (destination, rows)
        return sql(condition).text
    }
}
