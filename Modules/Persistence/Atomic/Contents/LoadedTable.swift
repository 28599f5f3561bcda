import StrataCore

/// The rows of one entity in the order of the file, with their offsets in the file.
struct LoadedTable {
    private(set) var rows: [StoredRow] = []
    private var offsets: [Int] = []
    private var isSorted = true

    mutating func add(_ row: StoredRow, at offset: Int) {
        if let last = rows.last, last.id >= row.id { isSorted = false }
        rows.append(row)
        offsets.append(offset)
    }

    /// Returns the offset in the file of the row with an index.
    func offset(_ index: Int) -> Int { offsets[index] }

    /// Sorts the rows by their identifiers, and removes rows with the identifier of an earlier row.
    ///
    /// - Returns: The identifiers and offsets of the removed rows.
    mutating func sort() -> [(id: Int64, offset: Int)] {
        guard !isSorted else { return [] }
        let order = rows.indices.sorted { (rows[$0].id, offsets[$0]) < (rows[$1].id, offsets[$1]) }
        var (sorted, places): ([StoredRow], [Int]) = ([], [])
        var doubles: [(id: Int64, offset: Int)] = []
        for index in order {
            if sorted.last?.id == rows[index].id {
                doubles.append((rows[index].id, offsets[index]))
            } else {
                sorted.append(rows[index])
                places.append(offsets[index])
            }
        }
        (rows, offsets, isSorted) = (sorted, places, true)
        return doubles
    }

    /// Returns a Boolean value that indicates whether a row has an identifier; call ``sort()`` before.
    func contains(_ id: Int64) -> Bool {
        var (low, high) = (0, rows.count)
        while low < high {
            let middle = (low + high) / 2
            if rows[middle].id < id { low = middle + 1 } else { high = middle }
        }
        return low < rows.count && rows[low].id == id
    }
}
