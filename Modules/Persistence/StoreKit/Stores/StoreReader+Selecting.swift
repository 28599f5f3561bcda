public import StrataCore

extension StoreReader {
    /// Passes the values of each row or group to `body`, evaluated in memory from whole rows.
    ///
    /// - Throws: The error that `body` throws, or ``PersistenceError`` if a row cannot be read or evaluated.
    /// - Complexity: O(*n*) in the count of selected rows, and memory for the groups.
    public func select(_ selection: ResolvedSelection, _ body: ([StoredValue]) throws -> FetchFlow) throws {
        var evaluation = try SelectionEvaluation(selection, relatives: ReaderRows(reader: self))
        try fetch(selection.rows) { row in
            let row = try row.stored(selection.rows.entity)
            guard let result = try evaluation.add(row.id, row.values) else { return .next }
            return try body(result)
        }
        for group in try evaluation.groups() {
            if case .stop = try body(group) { return }
        }
    }

    /// Passes the values of each result of a selection to `body`.
    ///
    /// Results are in the order of the rows or groups of the selection. `body` may return ``FetchFlow/stop`` to end
    /// the selection without an error.
    ///
    /// - Parameters:
    ///   - selection: The selection, which is validated before a row is read.
    ///   - body: A closure that receives the values of each result, in the order of ``StoreSelection/columns``.
    /// - Throws: The error that `body` throws, or ``PersistenceError``, with code
    ///   ``PersistenceError/Code/invalidRequest`` for an invalid selection.
    public func select(_ selection: StoreSelection, _ body: ([StoredValue]) throws -> FetchFlow) throws {
        let resolved = try selection.resolved(in: model)
        let result = try resolved.resultTerms()
        try select(resolved) { try body(try result($0)) }
    }
}

/// The evaluation of a selection in memory, row by row.
package struct SelectionEvaluation {
    private let columns: [ConditionEvaluator.Term]
    private var formed: InMemoryGroups?

    /// Prepares the evaluation of a selection.
    ///
    /// - Parameters:
    ///   - selection: The selection.
    ///   - relatives: The source of related rows; `nil` if the selection traverses no relationship.
    /// - Throws: The errors of reading the related rows.
    package init(_ selection: ResolvedSelection, relatives: (any RelatedRows)?) throws {
        let evaluation = ConditionEvaluation(relatives: relatives)
        columns = try selection.columns.map { try evaluation.column($0) }
        formed = selection.grouping.map(InMemoryGroups.init)
    }

    /// Evaluates a row; the rows must be added in the order of the selection.
    ///
    /// - Returns: The values of the row, or `nil` if the row was added to its group.
    /// - Throws: The error of evaluating an operand.
    package mutating func add(_ id: Int64, _ row: [StoredValue]) throws -> [StoredValue]? {
        let values = try columns.map { column in try column { $0 < 0 ? .integer(id) : row[$0] } }
        guard formed != nil else { return values }
        try formed?.add(values)
        return nil
    }

    /// Returns the keys and aggregates of the selected groups; an empty array for a selection without groups.
    ///
    /// - Throws: The errors of ``InMemoryGroups/results()``.
    package func groups() throws -> [[StoredValue]] { try formed?.results() ?? [] }
}

/// The rows and join rows of a reader, for the evaluation of operands across relationships.
private struct ReaderRows: RelatedRows {
    let reader: any StoreReader

    func rows(
        of entity: EntityDescription, where condition: ResolvedCondition?
    ) throws -> [(id: Int64, values: [StoredValue])] {
        let request = ResolvedRequest(entity: entity, condition: condition, sort: [], limit: nil, offset: 0)
        var rows: [(id: Int64, values: [StoredValue])] = []
        try reader.fetch(request) { row in
            let row = try row.stored(entity)
            rows.append((row.id, row.values))
            return .next
        }
        return rows
    }

    func joins(of join: JoinDescription) throws -> [JoinRow] {
        let rows = try reader.joins(JoinRequest(join.name))
        // A request for all rows returns a symmetric join row from both ends.
        return join.isSymmetric ? Array(Set(rows.map { join.kept($0) })) : rows
    }
}
