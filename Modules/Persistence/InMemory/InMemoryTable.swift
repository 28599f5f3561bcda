import StrataCore

/// The rows of one entity, kept in the order of their identifiers, with indexes.
///
/// Unique columns are looked up by their owners; every other column for which the model wants an index, references above all, has an ``InMemoryIndex``.
struct InMemoryTable: Sendable {
    let entity: EntityDescription
    private(set) var rows: [StoredRow] = []
    /// The next identifier nobody was given.
    var nextID: Int64 = 1
    /// For each unique column, who has which value; null has no owner.
    private(set) var owners: [Int: [StoredValue: Int64]] = [:]
    /// Gone through where the owners change: whoever goes through their own keys holds them, and each change copies all.
    private let uniqueColumns: [Int]
    /// The other columns that have an index.
    private let indexedColumns: [Int]
    /// Their indexes, in the same order; none while rows are entered without.
    private var indexes: [InMemoryIndex] = []

    init(_ entity: EntityDescription) {
        self.entity = entity
        uniqueColumns = entity.columns.indices.filter { entity.columns[$0].isUnique }
        indexedColumns = entity.columns.indices.filter { entity.columns[$0].isIndexed && !entity.columns[$0].isUnique }
        for index in uniqueColumns { owners[index] = [:] }
        indexes = indexedColumns.map { _ in InMemoryIndex() }
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
        for index in uniqueColumns where !row.values[index].isNull { owners[index]?[row.values[index]] = row.id }
        for place in indexes.indices { indexes[place].insert(entry(of: row, place)) }
        nextID = max(nextID, row.id + 1)
    }

    mutating func replace(_ row: StoredRow) {
        guard let place = index(of: row.id) else { return }
        let old = rows[place]
        rows[place] = row
        for index in uniqueColumns where old.values[index] != row.values[index] {
            release(old, index)
            if !row.values[index].isNull { owners[index]?[row.values[index]] = row.id }
        }
        for place in indexes.indices {
            let (before, now) = (entry(of: old, place), entry(of: row, place))
            guard before.key != now.key else { continue }
            indexes[place].remove(before)
            indexes[place].insert(now)
        }
    }

    mutating func remove(_ ids: Set<Int64>) {
        let places = ids.compactMap(index).sorted()
        guard let first = places.first else { return }
        for place in places { leaveIndexes(rows[place]) }
        if places.count == 1 {
            rows.remove(at: first)
            return
        }
        // Those that stay move up past those that go.
        var (end, gone) = (first, 0)
        for place in first..<rows.count {
            if gone < places.count, places[gone] == place {
                gone += 1
            } else {
                rows.swapAt(end, place)
                end += 1
            }
        }
        rows.removeLast(gone)
    }
}

// MARK: - Indexes

extension InMemoryTable {
    /// Enters no row in an index until ``buildIndexes()``, when the table is empty: many rows are sorted faster than entered one by one.
    ///
    /// Owners of unique values are known at any time. Nothing may be looked up by another value meanwhile.
    mutating func deferIndexes() {
        if rows.isEmpty { indexes = [] }
    }

    /// Makes the indexes that were put off.
    mutating func buildIndexes() {
        guard indexes.isEmpty, !indexedColumns.isEmpty else { return }
        indexes = indexedColumns.indices.map { place in InMemoryIndex(rows.map { entry(of: $0, place) }) }
    }

    /// The identifiers of the rows whose value in a column is one of a list, ascending, perhaps with others.
    ///
    /// - Parameters:
    ///   - column: The column's place in the entity.
    ///   - values: The values.
    ///   - limit: The most identifiers that are of use.
    /// - Returns: The identifiers, or `nil` when there are more than the limit or no index tells.
    func identifiers(where column: Int, isOneOf values: [StoredValue], limit: Int) -> [Int64]? {
        var ids: [Int64] = []
        if let owners = owners[column] {
            for value in Set(values) {
                // The rows without a value are in no list.
                if value.isNull { return nil }
                if let owner = owners[value] { ids.append(owner) }
            }
            guard ids.count <= limit else { return nil }
        } else if let place = indexedColumns.firstIndex(of: column), place < indexes.count {
            for key in Set(values.map(\.indexKey)) {
                guard indexes[place].appendIDs(of: key, to: &ids, limit: limit) else { return nil }
            }
        } else {
            return nil
        }
        if values.count > 1 { ids.sort() }
        return ids
    }

    /// The identifiers of the rows that refer to another row in a column, ascending.
    func identifiers(referringTo id: Int64, in column: Int) -> [Int64] {
        identifiers(where: column, isOneOf: [.integer(id)], limit: .max) ?? []
    }

    /// Where a row stands in one of the indexes.
    private func entry(of row: StoredRow, _ place: Int) -> InMemoryIndex.IndexEntry {
        InMemoryIndex.IndexEntry(key: row.values[indexedColumns[place]].indexKey, id: row.id)
    }

    private mutating func leaveIndexes(_ row: StoredRow) {
        for index in uniqueColumns { release(row, index) }
        for place in indexes.indices { indexes[place].remove(entry(of: row, place)) }
    }

    /// Gives a unique value free, unless another row has taken it.
    private mutating func release(_ row: StoredRow, _ column: Int) {
        if owners[column]?[row.values[column]] == row.id { owners[column]?[row.values[column]] = nil }
    }
}
