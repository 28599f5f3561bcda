package import StrataCore
package import StrataStoreKit

/// A writer of a resolved request as one SQL statement with parameters.
package struct SQLWriter {
    /// The entity of the request, or inside a subquery, the destination entity of the relationship.
    var entity: EntityDescription
    let layout: SQLLayout
    /// The values of the statement's parameters, in the order of the parameters.
    package private(set) var values: [StoredValue] = []
    /// The alias of the rows in the current subquery; `nil` outside a subquery, where column names have no prefix.
    var alias: String?
    /// The number of aliases in use, which makes each alias unique.
    var aliasCount = 0

    var dialect: any SQLDialect { layout.dialect }

    /// The maximum count of values in a list for which each value is one parameter; one parameter contains all values
    /// of a longer list of integers or texts.
    static let longestListOfParameters = 500

    package init(_ entity: EntityDescription, _ layout: SQLLayout) {
        self.entity = entity
        self.layout = layout
    }

    /// Returns a query for the rows that a request selects, in the requested order; each result row also contains the
    /// values of other expressions.
    package mutating func selection(_ request: ResolvedRequest, alongside others: [String] = []) -> String {
        let columns = ([layout.rowColumns(entity)] + others).joined(separator: ", ")
        var sql = "SELECT \(columns) FROM \(layout.table(entity.name))"
        sql += filter(request.condition)
        sql += ordering(request)
        return sql + window(request)
    }

    /// Returns a query for the count of rows that a request selects, followed by the values of other expressions.
    package mutating func count(_ request: ResolvedRequest, alongside others: [String] = []) -> String {
        let table = layout.table(entity.name)
        let columns = (["count(*)"] + others).joined(separator: ", ")
        if request.limit == nil, request.offset == 0 {
            return "SELECT \(columns) FROM \(table)" + filter(request.condition)
        }
        return "SELECT \(columns) FROM (SELECT 1 FROM \(table)" + filter(request.condition) + window(request)
            + ") AS counted"
    }

    /// Returns the `WHERE` clause for a condition, with a leading space; an empty text if the condition is `nil`.
    mutating func filter(_ condition: ResolvedCondition?) -> String {
        guard let condition else { return "" }
        guard case .all(let conditions) = condition.form, let place = conditions.firstIndex(where: \.mayFail), place > 0
        else { return " WHERE " + sql(condition).text }
        // An index can serve only conditions outside CASE, so the conditions before the first one that may fail are
        // repeated there.
        return " WHERE " + sql(.all(Array(conditions[..<place]))).text + " AND " + sql(condition).text
    }

    mutating func ordering(_ request: ResolvedRequest) -> String {
        var terms: [String] = []
        for key in request.sort {
            terms.append(orderingTerm(key))
            if key.isIdentifier { break }
        }
        if !request.sort.contains(where: \.isIdentifier) { terms.append(layout.idColumn) }
        return " ORDER BY " + terms.joined(separator: ", ")
    }

    mutating func orderingTerm(_ key: ResolvedRequest.Sort) -> String {
        // An identifier is never null. The index of the primary key serves only the order without a place for null.
        if key.isIdentifier { return layout.idColumn + (key.isDescending ? " DESC" : "") }
        return dialect.orderingTerm(sql(key.operand, as: key.operand.type.kind), isDescending: key.isDescending)
    }

    mutating func window(_ request: ResolvedRequest) -> String {
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
