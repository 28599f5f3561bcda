package import StrataCore
package import StrataStoreKit

/// The statements about the tables of many-to-many relationships.
extension SQLLayout {
    package static let sourceColumn = quoted(TableDescription.ColumnName.source)
    package static let targetColumn = quoted(TableDescription.ColumnName.target)
    static let sourcePositionColumn = quoted(TableDescription.ColumnName.sourcePosition)
    static let targetPositionColumn = quoted(TableDescription.ColumnName.targetPosition)

    package func table(_ join: JoinDescription) -> String { table(join.name) }

    /// Returns a statement that inserts a join row, or updates the positions of the existing join row with the same
    /// ends.
    ///
    /// The parameters are the source, the target, and those positions that the join table has. If `isKept` is true, an
    /// existing join row remains unchanged. If `rows` is not `nil`, the statement has no parameters of its own; it
    /// inserts the rows of the query that the closure returns for a list of columns.
    package func insertion(
        _ join: JoinDescription, isKept: Bool = false, rows: ((String) -> String)? = nil
    ) -> String {
        let positions =
            (join.isSourceOrdered ? [Self.sourcePositionColumn] : [])
            + (join.isTargetOrdered ? [Self.targetPositionColumn] : [])
        let names = [Self.sourceColumn, Self.targetColumn] + positions
        let columns = names.joined(separator: ", ")
        let change =
            positions.isEmpty || isKept
            ? "NOTHING" : "UPDATE SET " + positions.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
        return """
            INSERT INTO \(table(join)) (\(columns)) \(rows?(columns) ?? "VALUES (\(parameters(names.count)))") \
            ON CONFLICT (\(Self.sourceColumn), \(Self.targetColumn)) DO \(change)
            """
    }

    /// Returns a statement that deletes a join row; its parameters are the identifiers of the source and the target.
    package func deletion(_ join: JoinDescription) -> String {
        """
        DELETE FROM \(table(join)) WHERE \(Self.sourceColumn) = \(parameter(1)) AND \(Self.targetColumn) = \(parameter(2))
        """
    }

    /// Returns a statement that deletes all join rows of an entity row; its parameter is that row's identifier.
    package func deletion(_ join: JoinDescription, ofSource isSource: Bool) -> String {
        "DELETE FROM \(table(join)) WHERE \(isSource ? Self.sourceColumn : Self.targetColumn) = \(parameter(1))"
    }

    /// Returns the query for the join rows of a request, in the requested order, and the values of its parameters.
    ///
    /// Each result row contains the source, the target, and the positions, which are null if the join table has none.
    /// One parameter contains all identifiers of the request. Therefore all requests for the same join table and side
    /// have the same SQL text and use the same prepared statement.
    package func selection(_ request: ResolvedJoinRequest) -> (sql: String, values: [StoredValue]) {
        let join = request.join
        let (source, target) = (Self.sourceColumn, Self.targetColumn)
        let positions = [
            join.isSourceOrdered ? Self.sourcePositionColumn : "NULL",
            join.isTargetOrdered ? Self.targetPositionColumn : "NULL",
        ]
        let list = request.ids.map(dialect.list)
        func isMember(_ column: String, _ number: Int) -> String {
            list == nil ? dialect.truth(true) : dialect.isMember(column, ofList: parameter(number))
        }
        if join.isSymmetric {
            let sql = """
                SELECT \(source), \(target), NULL, NULL FROM \(table(join)) WHERE \(isMember(source, 1)) UNION ALL \
                SELECT \(target), \(source), NULL, NULL FROM \(table(join)) WHERE \(isMember(target, 2)) AND \(source) <> \(target) \
                ORDER BY 1, 2
                """
            return (sql, list.map { [$0, $0] } ?? [])
        }
        let (owner, position, other) =
            request.side == .source ? (source, positions[0], target) : (target, positions[1], source)
        // Only the position may be null. The index of the primary key serves the order of the others.
        let places = position == "NULL" ? [] : [dialect.orderingTerm(position, isDescending: false)]
        let order = [owner] + places + [other]
        let sql = """
            SELECT \(([source, target] + positions).joined(separator: ", ")) FROM \(table(join)) \
            WHERE \(isMember(owner, 1)) ORDER BY \(order.joined(separator: ", "))
            """
        return (sql, list.map { [$0] } ?? [])
    }
}

extension JoinRow {
    /// Returns the values of a join row for the columns that its join table has.
    package func values(of join: JoinDescription) -> [StoredValue] {
        var values: [StoredValue] = [.integer(pair.source), .integer(pair.target)]
        if join.isSourceOrdered { values.append(sourcePosition.map(StoredValue.integer) ?? .null) }
        if join.isTargetOrdered { values.append(targetPosition.map(StoredValue.integer) ?? .null) }
        return values
    }
}
