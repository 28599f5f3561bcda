package import StrataCore

/// Statements that change or delete all rows a condition selects.
extension SQLWriter {
    /// A statement that gives the rows an update selects their new values, and raises the versions of those whose values differ.
    package mutating func update(_ update: ResolvedUpdate) -> String {
        let version = layout.versionColumn
        var assignments: [String] = []
        for assignment in update.assignments {
            assignments.append("\(layout.column(entity.columns[assignment.column].name)) = \(value(assignment))")
        }
        let sql =
            "UPDATE \(layout.table(entity.name)) SET \(assignments.joined(separator: ", ")), \(version) = \(version) + 1"
        return sql + " WHERE " + changed(update)
    }

    /// A statement that deletes the rows a condition selects, one by one: whoever counts them sees each.
    package mutating func deletion(where condition: ResolvedCondition?) -> String {
        let deletion = "DELETE FROM \(layout.table(entity.name))"
        guard let condition else { return deletion + " WHERE \(dialect.truth(true))" }
        return deletion + (condition.traversesRelationships ? " WHERE " + selection(condition) : filter(condition))
    }

    /// A statement that deletes the pairs of the rows a condition selects.
    ///
    /// - Parameters:
    ///   - join: The join table.
    ///   - isSource: Whether the rows are the pairs' sources; otherwise their targets.
    ///   - condition: Which rows; `nil` for all.
    /// - Returns: The statement.
    package mutating func deletion(
        of join: JoinDescription, isSource: Bool, where condition: ResolvedCondition?
    ) -> String {
        let end = isSource ? SQLLayout.sourceColumn : SQLLayout.targetColumn
        let rows = "SELECT \(layout.idColumn) FROM \(layout.table(entity.name))" + filter(condition)
        return "DELETE FROM \(layout.table(join)) WHERE \(end) IN (\(rows))"
    }

    /// A statement that deletes the pairs whose row is gone.
    package func deletionOfOrphans(in join: JoinDescription, isSource: Bool) -> String {
        let end = isSource ? SQLLayout.sourceColumn : SQLLayout.targetColumn
        return "DELETE FROM \(layout.table(join)) WHERE \(end) NOT IN (\(layout.identifiers(entity.name)))"
    }

    /// Which rows the update selects and changes.
    private mutating func changed(_ update: ResolvedUpdate) -> String {
        let mayFail = update.assignments.contains { $0.value.mayFail }
        guard let condition = update.condition else { return difference(update) }
        let filter = selection(condition)
        // AND promises no order, and what a row is given may be an error where the condition does not hold.
        guard mayFail else { return "\(filter) AND \(difference(update))" }
        let again = selection(condition)
        return "\(filter) AND CASE WHEN \(again) THEN \(difference(update)) ELSE \(dialect.truth(false)) END"
    }

    /// What the rows that a statement changes fulfil, as they were before it.
    ///
    /// A condition on related objects is answered for all rows first: those may be rows of the same table, which the statement has changed already.
    private mutating func selection(_ condition: ResolvedCondition) -> String {
        guard condition.traversesRelationships else { return sql(.all([condition])).text }
        let rows = "SELECT \(layout.idColumn) FROM \(layout.table(entity.name))" + filter(condition)
        return "\(layout.idColumn) IN (\(rows))"
    }

    private mutating func difference(_ update: ResolvedUpdate) -> String {
        var differences: [String] = []
        for assignment in update.assignments {
            let column = layout.column(entity.columns[assignment.column].name)
            differences.append(dialect.isDifferent(column, value(assignment)))
        }
        return "(\(differences.joined(separator: " OR ")))"
    }

    private mutating func value(_ assignment: ResolvedUpdate.Assignment) -> String {
        sql(assignment.value, as: OperandType.Kind(entity.columns[assignment.column].type))
    }
}
