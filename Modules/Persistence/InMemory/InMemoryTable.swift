import StrataCore

/// The rows of one entity, kept in the order of their identifiers.
struct InMemoryTable: Sendable {
    let entity: EntityDescription
    private(set) var rows: [StoredRow] = []
    /// The next identifier nobody was given.
    var nextID: Int64 = 1
    /// For each unique column, who has which value.
    private(set) var owners: [Int: [StoredValue: Int64]] = [:]
    /// Gone through where the owners change: whoever goes through their own keys holds them, and each change copies all.
    private let uniqueColumns: [Int]

    init(_ entity: EntityDescription) {
        self.entity = entity
        uniqueColumns = entity.columns.indices.filter { entity.columns[$0].isUnique }
        for index in uniqueColumns { owners[index] = [:] }
    }

    /// The place of a row; `nil` when there is none.
    ///
    /// O(log n).
    func index(of id: Int64) -> Int? {
        let place = insertionPlace(id)
        return place < rows.count && rows[place].id == id ? place : nil
    }

    func row(_ id: Int64) -> StoredRow? { index(of: id).map { rows[$0] } }

    private func insertionPlace(_ id: Int64) -> Int {
        if let last = rows.last, last.id < id { return rows.count }
        var (low, high) = (0, rows.count)
        while low < high {
            let middle = (low + high) / 2
            if rows[middle].id < id { low = middle + 1 } else { high = middle }
        }
        return low
    }

    mutating func insert(_ row: StoredRow) {
        rows.insert(row, at: insertionPlace(row.id))
        enterUniqueValues(of: row)
        nextID = max(nextID, row.id + 1)
    }

    mutating func replace(_ row: StoredRow) {
        guard let place = index(of: row.id) else { return }
        release(rows[place])
        rows[place] = row
        enterUniqueValues(of: row)
    }

    mutating func remove(_ ids: Set<Int64>) {
        if ids.count == 1, let only = ids.first {
            guard let place = index(of: only) else { return }
            release(rows.remove(at: place))
            return
        }
        for id in ids { if let row = row(id) { release(row) } }
        rows.removeAll { ids.contains($0.id) }
    }

    private mutating func enterUniqueValues(of row: StoredRow) {
        for index in uniqueColumns where !row.values[index].isNull { owners[index]?[row.values[index]] = row.id }
    }

    private mutating func release(_ row: StoredRow) {
        for index in uniqueColumns where owners[index]?[row.values[index]] == row.id {
            owners[index]?[row.values[index]] = nil
        }
    }

    /// The rows a request selects, in its order.
    func select(_ request: ResolvedRequest, _ relatives: any RelatedRows) throws -> [StoredRow] {
        var selected = rows
        if let condition = request.condition {
            let evaluator = try ConditionEvaluator(condition, relatives: relatives)
            let candidates = condition.selectedIdentifiers.map { ids in ids.compactMap(row) } ?? rows
            selected = try candidates.filter { try evaluator.matches(id: $0.id, values: $0.values) }
        }
        if !request.sort.isEmpty {
            let order = try RowOrder(request.sort, of: entity, relatives: relatives)
            selected = try order.sorted(selected) { ($0.id, $0.values) }
        }
        return request.window(selected)
    }
}

extension ResolvedCondition {
    /// The identifiers, ascending, among which every row is that the condition selects; `nil` where it does not say.
    ///
    /// Rows are found by them without a look at the others. The condition's first part must say it: what stands before would be evaluated for every row.
    fileprivate var selectedIdentifiers: [Int64]? {
        switch conjuncts.first?.form {
        case .compare(let left, .equal, let right):
            guard case .identifier = left.form, case .integer(let id)? = right.constant else { return nil }
            return [id]
        case .isIn(let operand, let values):
            // A decimal or a double may equal an identifier too; such a list is left to the evaluator.
            guard case .identifier = operand.form, values.allSatisfy({ $0.integer != nil }) else { return nil }
            return Set(values.compactMap(\.integer)).sorted()
        default: return nil
        }
    }
}

extension StoredValue {
    fileprivate var integer: Int64? {
        if case .integer(let value) = self { value } else { nil }
    }
}
