package import StrataCore

/// An order of rows by the sort keys of a request; rows with equal keys are ordered by identifier.
package struct RowOrder {
    package typealias Row = (id: Int64, values: [StoredValue])

    /// The column index of each sort key (-1 for the identifier), and whether its order is descending.
    private let keys: [(index: Int, isDescending: Bool)]
    /// The values of sort keys that are paths; they follow the values of a row's columns while rows are sorted.
    private let paths: [ConditionEvaluator.Term]

    /// Prepares the sort keys of a request, and reads the related rows for sort keys that are paths.
    ///
    /// - Parameters:
    ///   - sort: The sort keys, most important first.
    ///   - entity: The entity of the rows.
    ///   - relatives: The source of related rows; `nil` if no sort key is a path.
    /// - Throws: The error of reading the related rows.
    package init(
        _ sort: [ResolvedRequest.Sort], of entity: EntityDescription, relatives: (any RelatedRows)?
    ) throws {
        var paths: [ConditionEvaluator.Term] = []
        keys = try sort.map { key in
            switch key.operand.form {
            case .identifier: return (-1, key.isDescending)
            case .column(let index): return (index, key.isDescending)
            default:
                paths.append(try ConditionEvaluation(relatives: relatives).term(key.operand))
                return (entity.columns.count + paths.count - 1, key.isDescending)
            }
        }
        self.paths = paths
    }

    /// Returns elements in the order of their rows.
    ///
    /// - Throws: The error of evaluating a sort key that is a path.
    package func sorted<Element>(_ elements: [Element], by row: (Element) -> Row) throws -> [Element] {
        if let numbers = numbers(elements, row) { return numbers.map { elements[$0.place] } }
        if paths.isEmpty, Element.self == StoredRow.self { return elements.sorted { precedes(row($0), row($1)) } }
        return try elements.map { ($0, try extended(row($0))) }
            .sorted { precedes($0.1, $1.1) }
            .map(\.0)
    }

    /// Returns the sorted indexes of elements; `nil` unless the first sort key is an integer for each element.
    ///
    /// Comparing only integers takes a tenth of the time.
    private func numbers<Element>(
        _ elements: [Element], _ row: (Element) -> Row
    ) -> [(number: Int64, place: Int)]? {
        guard paths.isEmpty, let first = keys.first, first.index >= 0 else { return nil }
        var numbers: [(number: Int64, place: Int)] = []
        numbers.reserveCapacity(elements.count)
        for (place, element) in elements.enumerated() {
            guard case .integer(let number) = row(element).values[first.index] else { return nil }
            numbers.append((number, place))
        }
        numbers.sort { left, right in
            left.number == right.number
                ? precedes(row(elements[left.place]), row(elements[right.place]))
                : (left.number < right.number) != first.isDescending
        }
        return numbers
    }

    private func extended(_ row: Row) throws -> Row {
        if paths.isEmpty { return row }
        let more = try paths.map { path in try path { $0 < 0 ? .integer(row.id) : row.values[$0] } }
        return (row.id, row.values + more)
    }

    private func precedes(_ left: Row, _ right: Row) -> Bool {
        for key in keys {
            let order =
                key.index < 0 ? Order(left.id, right.id) : left.values[key.index].compare(right.values[key.index])
            switch order {
            case .equal: continue
            case .before: return !key.isDescending
            case .after: return key.isDescending
            }
        }
        return left.id < right.id
    }
}
