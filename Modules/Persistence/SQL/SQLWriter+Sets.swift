package import StrataCore
package import StrataStoreKit

/// The statements that change or delete all rows that a condition selects.
extension SQLWriter {
    /// Returns a statement that applies an update to all rows that the update's condition selects.
    ///
    /// The statement changes only rows of which a value becomes different, and raises their versions.
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

    /// Returns a statement that deletes the rows that a condition selects.
    ///
    /// The statement makes the engine delete the rows one by one, so that a hook that counts deletions is called for
    /// each row.
    package mutating func deletion(where condition: ResolvedCondition?) -> String {
        let deletion = "DELETE FROM \(layout.table(entity.name))"
        guard let condition else { return deletion + " WHERE \(dialect.truth(true))" }
        return deletion + (condition.traversesRelationships ? " WHERE " + selection(condition) : filter(condition))
    }

    /// Returns a statement that deletes all join rows of the entity rows that a condition selects.
    ///
    /// - Parameters:
    ///   - join: The join table.
    ///   - isSource: A Boolean value that indicates whether the entity rows are the sources of the join rows; if false,
    ///     they are the targets.
    ///   - condition: The condition that selects entity rows; `nil` for all rows.
    /// - Returns: The statement.
    package mutating func deletion(
        of join: JoinDescription, isSource: Bool, where condition: ResolvedCondition?
    ) -> String {
        let end = isSource ? SQLLayout.sourceColumn : SQLLayout.targetColumn
        let rows = "SELECT \(layout.idColumn) FROM \(layout.table(entity.name))" + filter(condition)
        return "DELETE FROM \(layout.table(join)) WHERE \(end) IN (\(rows))"
    }

    /// Returns a statement that deletes the join rows whose source row (or target row, if `isSource` is false) does not
    /// exist.
    package func deletionOfOrphans(in join: JoinDescription, isSource: Bool) -> String {
        let end = isSource ? SQLLayout.sourceColumn : SQLLayout.targetColumn
        return "DELETE FROM \(layout.table(join)) WHERE \(end) NOT IN (\(layout.identifiers(entity.name)))"
    }

    /// Returns the condition for the rows that an update's condition selects and of which the update changes a value.
    private mutating func changed(_ update: ResolvedUpdate) -> String {
        let mayFail = update.assignments.contains { $0.value.mayFail }
        guard let condition = update.condition else { return difference(update) }
        let filter = selection(condition)
        // `AND` has no defined order, and the calculation of a new value may fail for a row that the condition
        // excludes.
        guard mayFail else { return "\(filter) AND \(difference(update))" }
        let again = selection(condition)
        return "\(filter) AND CASE WHEN \(again) THEN \(difference(update)) ELSE \(dialect.truth(false)) END"
    }

    /// Returns a condition that selects rows by the values that they have before the statement changes any row.
    ///
    /// If a condition depends on related objects, it is evaluated for all rows first, because the related rows may be
    /// in the same table and the statement may change them.
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
