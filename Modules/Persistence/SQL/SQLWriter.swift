package import StrataCore

/// Writes a resolved request as one SQL statement with parameters.
package struct SQLWriter {
    /// The entity whose properties are written, or a relationship's destination inside a subquery.
    var entity: EntityDescription
    let layout: SQLLayout
    /// The values of the parameters, in their order.
    package private(set) var values: [StoredValue] = []
    /// The alias of the entity's rows in a subquery; `nil` in the statement itself, whose columns are not qualified.
    var alias: String?
    /// The number of aliases in use, which makes each alias unique.
    var aliasCount = 0

    var dialect: any SQLDialect { layout.dialect }

    /// The maximum count of list values with one parameter each; a longer list of integers or texts is one parameter.
    static let longestListOfParameters = 500

    package init(_ entity: EntityDescription, _ layout: SQLLayout) {
        self.entity = entity
        self.layout = layout
    }

    /// Returns a query for whole rows in the request's order, followed by the values of expressions.
    package mutating func selection(_ request: ResolvedRequest, alongside others: [String] = []) -> String {
        let columns = ([layout.rowColumns(entity)] + others).joined(separator: ", ")
        var sql = "SELECT \(columns) FROM \(layout.table(entity.name))"
        sql += filter(request.condition)
        sql += ordering(request)
        return sql + window(request)
    }

    /// Returns a query for the number of rows, followed by the values of expressions.
    package mutating func count(_ request: ResolvedRequest, alongside others: [String] = []) -> String {
        let table = layout.table(entity.name)
        let columns = (["count(*)"] + others).joined(separator: ", ")
        if request.limit == nil, request.offset == 0 {
            return "SELECT \(columns) FROM \(table)" + filter(request.condition)
        }
        return "SELECT \(columns) FROM (SELECT 1 FROM \(table)" + filter(request.condition) + window(request)
            + ") AS counted"
    }

    /// Returns the `WHERE` clause of a condition with a leading space, or an empty text for all rows.
    mutating func filter(_ condition: ResolvedCondition?) -> String {
        guard let condition else { return "" }
        guard case .all(let conditions) = condition.form, let place = conditions.firstIndex(where: \.mayFail), place > 0
        else { return " WHERE " + sql(condition).text }
        // An index can serve only conditions outside CASE, so the conditions before the first one that may fail are
        // repeated there.
        return " WHERE " + sql(.all(Array(conditions[..<place]))).text + " AND " + sql(condition).text
    }

    private mutating func ordering(_ request: ResolvedRequest) -> String {
        var terms: [String] = []
        for key in request.sort {
            let value = sql(key.operand, as: key.operand.type.kind)
            terms.append(dialect.orderingTerm(value, isDescending: key.isDescending))
            if key.isIdentifier { break }
        }
        if !request.sort.contains(where: \.isIdentifier) { terms.append(layout.idColumn) }
        return " ORDER BY " + terms.joined(separator: ", ")
    }

    private mutating func window(_ request: ResolvedRequest) -> String {
        guard request.limit != nil || request.offset > 0 else { return "" }
        let limit = request.limit.map { bind(.integer(Int64($0))) }
        return dialect.window(limit: limit, offset: request.offset > 0 ? bind(.integer(Int64(request.offset))) : nil)
    }

    mutating func bind(_ value: StoredValue) -> String {
        values.append(value)
        return switch value {
        case .string, .day, .timeOfDay: dialect.textParameter(values.count)
        default: dialect.parameter(values.count)
        }
    }
}

extension ResolvedRequest.Sort {
    fileprivate var isIdentifier: Bool {
        if case .identifier = operand.form { true } else { false }
    }
}
