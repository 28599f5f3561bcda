package import StrataCore
package import StrataStoreKit

extension SQLLayout {
    /// Returns the statement that fetches the rows of a request, with the plan that a closure reads for it.
    package func explanation(
        of request: ResolvedRequest, plan: (_ sql: String, _ values: [StoredValue]) throws -> [String]
    ) rethrows -> StatementExplanation {
        var writer = SQLWriter(request.entity, self)
        let sql = writer.selection(request)
        return StatementExplanation(statement: sql, plan: try plan(sql, writer.values).joined(separator: "\n"))
    }

    /// Returns the statement that reads the values of a selection, with the plan that a closure reads for it.
    package func explanation(
        of selection: ResolvedSelection, plan: (_ sql: String, _ values: [StoredValue]) throws -> [String]
    ) rethrows -> StatementExplanation {
        var writer = SQLWriter(selection.rows.entity, self)
        let sql = writer.selection(selection)
        return StatementExplanation(statement: sql, plan: try plan(sql, writer.values).joined(separator: "\n"))
    }
}
