package import StrataCore
package import StrataStoreKit

/// The methods that write queries for the values of rows and for groups of rows.
extension SQLWriter {
    /// Returns a query for the values of a selection, in its order; each result row also contains the values of other
    /// expressions.
    ///
    /// The query for groups has three levels: the columns of rows, their groups, and the condition on groups. Each
    /// expression is therefore written once, and the other levels refer to it by a name.
    package mutating func selection(_ selection: ResolvedSelection, alongside others: [String] = []) -> String {
        let request = selection.rows
        // No attribute has such a name. Without names, an engine could choose the name of an attribute for a column,
        // and sort by that column instead of the attribute.
        let names = selection.columns.indices.map { SQLLayout.quoted("_c\($0)") }
        let columns = zip(selection.columns, names).map { operand, name in "\(column(operand)) AS \(name)" }
        guard let grouping = selection.grouping else {
            var sql = "SELECT \((columns + others).joined(separator: ", ")) FROM \(layout.table(entity.name))"
            sql += filter(request.condition) + ordering(request)
            return sql + window(request)
        }
        var rows = "SELECT \(columns.isEmpty ? "1" : columns.joined(separator: ", ")) FROM \(layout.table(entity.name))"
        rows += filter(request.condition)
        if request.limit != nil || request.offset > 0 { rows += ordering(request) + window(request) }

        let results = grouping.groups.entity.columns.map { layout.column($0.name) }
        var place = grouping.keyCount
        var values = Array(names[..<place])
        for aggregate in grouping.aggregates {
            let end = place + aggregate.operands.count
            values.append(dialect.aggregate(aggregate, of: Array(names[place..<end])))
            place = end
        }
        let aliased = zip(values, results).map { "\($0) AS \($1)" }.joined(separator: ", ")
        let keys = grouping.keyCount == 0 ? "" : " GROUP BY \(names[..<grouping.keyCount].joined(separator: ", "))"
        let groups = "SELECT \(aliased) FROM (\(rows)) AS \(SQLLayout.quoted("_rows"))\(keys)"

        entity = grouping.groups.entity
        var sql =
            "SELECT \((results + others).joined(separator: ", ")) FROM (\(groups)) AS \(SQLLayout.quoted("_groups"))"
        sql += filter(grouping.groups.condition)
        let order = grouping.groups.sort.map { orderingTerm($0) }
        if !order.isEmpty { sql += " ORDER BY \(order.joined(separator: ", "))" }
        return sql + window(grouping.groups)
    }

    /// Returns a recursive query for the edges of a tree request: the identifiers of a row and of its parent.
    ///
    /// `UNION` omits rows that were found before, so that the query ends also if the references form a cycle.
    package mutating func edges(_ request: TreeRequest) -> String {
        let parent = layout.column(entity.columns[request.parentColumn].name)
        let id = layout.idColumn
        let table = layout.table(entity.name)
        // No entity has the names of the recursive query and of its rows.
        let (found, row) = (SQLLayout.quoted("_found"), SQLLayout.quoted("_row"))
        let match = request.isUpward ? "\(row).\(id) = \(found).parent" : "\(row).\(parent) = \(found).child"
        return "WITH RECURSIVE \(found)(child, parent) AS (SELECT \(id), \(parent) FROM \(table)"
            + "\(filter(request.isFirst)) UNION SELECT \(row).\(id), \(row).\(parent) FROM \(table) AS \(row) "
            + "INNER JOIN \(found) ON \(match)) SELECT child, parent FROM \(found) WHERE parent IS NOT NULL"
    }

    /// Returns the expression for an operand as a column of a result, in which all values have the operand's kind.
    mutating func column(_ operand: ResolvedOperand) -> String {
        let value = sql(operand, as: operand.type.kind)
        guard operand.type.kind == .double else { return value }
        if case .column = operand.form { return value }
        return "CAST(\(value) AS double precision)"
    }
}

extension SQLConnection {
    /// Passes the values of each row or group that a selection selects to `body`.
    package func select(
        _ selection: ResolvedSelection, in layout: SQLLayout, _ body: ([StoredValue]) throws -> FetchFlow
    ) throws {
        var writer = SQLWriter(selection.rows.entity, layout)
        let statement = try statement(writer.selection(selection))
        defer { statement.reset() }
        try statement.bind(writer.values)
        let types = selection.columnTypes
        while try statement.step() {
            if case .stop = try body(try statement.values(types, of: selection)) { return }
        }
    }
}

extension SQLConnection {
    /// Returns the references from rows to their parents that are found from some rows, by one statement.
    package func edges(_ request: TreeRequest, in layout: SQLLayout) throws -> [TreeEdge] {
        var writer = SQLWriter(request.entity, layout)
        let statement = try statement(writer.edges(request))
        defer { statement.reset() }
        try statement.bind(writer.values)
        var edges: [TreeEdge] = []
        while try statement.step() {
            edges.append(TreeEdge(child: statement.integer(at: 0), parent: statement.integer(at: 1)))
        }
        return edges
    }
}

extension SQLStatement {
    /// Returns the values of the current row of a selection.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/corrupt`` if a value does not have its type.
    package func values(_ types: [AttributeType], of selection: ResolvedSelection) throws -> [StoredValue] {
        try types.enumerated().map { index, type in
            guard let value = try value(at: Int32(index), as: type) else {
                throw PersistenceError(
                    .corrupt,
                    "a selected value is not a \(type); the store was damaged or changed by another program",
                    entity: selection.rows.entity.name)
            }
            return value
        }
    }
}

extension ResolvedSelection {
    /// The attribute types of the values that a store returns.
    package var columnTypes: [AttributeType] { types.compactMap(\.kind.type) }
}
