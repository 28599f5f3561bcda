import StrataCore

/// The rows of one entity, sorted by their identifiers, with indexes.
///
/// Unique values have a dictionary of their owners. Every other column that the model declares as indexed, every
/// reference, and every index of several columns has an ``InMemoryIndex``.
struct InMemoryTable: Sendable {
    let entity: EntityDescription
    private(set) var rows: [StoredRow] = []
    /// The rows of a bulk write that must be inserted before stored rows, sorted by identifier, until ``settle()``
    /// merges them.
    private var early: [StoredRow] = []
    /// A Boolean value that indicates whether rows may wait in `early`: no code reads ``rows`` during a bulk write.
    private var isInBulk = false
    /// The maximum count of waiting rows; an insertion then moves at most 100 kB.
    private static let mostEarly = 4096
    /// A number that increases with every change of a row.
    private(set) var edition = 0
    /// The next unused identifier of the entity.
    var nextID: Int64 = 1
    /// The identifier of the row that has each unique value, for each of the entity's unique keys, in their order.
    private(set) var owners: [[UniqueValue: Int64]]
    /// The column indexes of each index: first indexes of a single column, then those of several columns.
    private let indexedColumns: [[Int]]
    /// The indexes for ``indexedColumns``, in the same order; empty while rows are inserted without indexes.
    private var indexes: [InMemoryIndex] = []

    init(_ entity: EntityDescription) {
        self.entity = entity
        owners = entity.uniqueKeys.map { _ in [:] }
        indexedColumns =
            entity.columns.indices.filter { entity.columns[$0].isIndexed && !entity.columns[$0].isUnique }.map { [$0] }
            + entity.indexedKeys
        indexes = indexedColumns.map { _ in InMemoryIndex() }
    }

    /// Returns the position of the row with an identifier; `nil` if there is none.
    ///
    /// - Complexity: O(log *n*).
    func index(of id: Int64) -> Int? {
        let place = insertionPlace(id)
        return place < rows.count && rows[place].id == id ? place : nil
    }

    /// Returns the row with an identifier, also one that waits for a merge; `nil` if there is none.
    func row(_ id: Int64) -> StoredRow? { index(of: id).map { rows[$0] } ?? earlyIndex(of: id).map { early[$0] } }

    /// Returns a Boolean value that indicates whether there is a row with an identifier.
    func contains(_ id: Int64) -> Bool { index(of: id) != nil || earlyIndex(of: id) != nil }

    private func earlyIndex(of id: Int64) -> Int? {
        let place = Self.insertionPlace(id, in: early)
        return place < early.count && early[place].id == id ? place : nil
    }

    private func insertionPlace(_ id: Int64) -> Int { Self.insertionPlace(id, in: rows) }

    private static func insertionPlace(_ id: Int64, in rows: [StoredRow]) -> Int {
        if let last = rows.last, last.id < id { return rows.count }
        var (low, high) = (0, rows.count)
        while low < high {
            let middle = (low + high) / 2
            if rows[middle].id < id { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Inserts a row whose identifier and unique values the table does not contain; the caller has checked this.
    ///
    /// - Complexity: O(log *n*) if the identifier is the greatest; otherwise the rows after it are moved.
    mutating func insert(_ row: StoredRow) {
        edition += 1
        if isInBulk, let last = rows.last, row.id < last.id {
            early.insert(row, at: Self.insertionPlace(row.id, in: early))
            if early.count == Self.mostEarly { settle() }
        } else {
            rows.insert(row, at: insertionPlace(row.id))
        }
        for (place, key) in entity.uniqueKeys.enumerated() {
            if let value = key.value(of: row.values) { owners[place][value] = row.id }
        }
        for place in indexes.indices { indexes[place].insert(entry(of: row, place)) }
        nextID = max(nextID, row.id + 1)
    }

    /// Replaces the row with the same identifier; does nothing if there is none.
    mutating func replace(_ row: StoredRow) {
        let old: StoredRow
        if let place = index(of: row.id) {
            old = rows[place]
            rows[place] = row
        } else if let place = earlyIndex(of: row.id) {
            old = early[place]
            early[place] = row
        } else {
            return
        }
        edition += 1
        for (place, key) in entity.uniqueKeys.enumerated() {
            let (before, now) = (key.value(of: old.values), key.value(of: row.values))
            guard before != now else { continue }
            release(before, of: row.id, place)
            if let now { owners[place][now] = row.id }
        }
        for place in indexes.indices {
            let (before, now) = (entry(of: old, place), entry(of: row, place))
            guard before.key != now.key else { continue }
            indexes[place].remove(before)
            indexes[place].insert(now)
        }
    }

    /// Removes the rows with identifiers; identifiers without a row are ignored.
    ///
    /// - Complexity: O(*n*) in the count of rows, once for all identifiers.
    mutating func remove(_ ids: Set<Int64>) {
        settle()
        let places = ids.compactMap(index).sorted()
        guard let first = places.first else { return }
        edition += 1
        for place in places { leaveIndexes(rows[place]) }
        if places.count == 1 {
            rows.remove(at: first)
            return
        }
        // Move the remaining rows over the removed ones.
        var (end, removedCount) = (first, 0)
        for place in first..<rows.count {
            if removedCount < places.count, places[removedCount] == place {
                removedCount += 1
            } else {
                rows.swapAt(end, place)
                end += 1
            }
        }
        rows.removeLast(removedCount)
    }
}

// MARK: - Bulk

extension InMemoryTable {
    /// Lets rows of a bulk write wait for a common merge, which is linear; single insertions would be quadratic.
    mutating func beginBulk() { isInBulk = true }

    /// Ends the waiting of rows; call ``settle()`` before.
    mutating func endBulk() { isInBulk = false }

    /// Merges the rows of a bulk write that wait in `early` into the table's rows.
    mutating func settle() {
        guard !early.isEmpty else { return }
        // The merge begins at the end, so that each row is moved once.
        var (from, to) = (rows.count - 1, rows.count + early.count - 1)
        rows += early
        while let next = early.last {
            if from >= 0, rows[from].id > next.id {
                rows.swapAt(from, to)
                from -= 1
            } else {
                rows[to] = next
                early.removeLast()
            }
            to -= 1
        }
    }
}

// MARK: - Indexes

extension InMemoryTable {
    /// Defers the indexes of an empty table: rows are inserted into them only by ``buildIndexes()``.
    ///
    /// Sorting many rows is faster than inserting them one by one. The owners of unique values remain current. Until
    /// then, callers must not find rows by other values.
    mutating func deferIndexes() {
        if rows.isEmpty { indexes = [] }
    }

    /// Builds the deferred indexes.
    mutating func buildIndexes() {
        guard indexes.isEmpty, !indexedColumns.isEmpty else { return }
        indexes = indexedColumns.indices.map { place in InMemoryIndex(rows.map { entry(of: $0, place) }) }
    }

    /// Returns the identifiers of the rows whose value in a column is one of a list, ascending, perhaps with others.
    ///
    /// - Parameters:
    ///   - column: The index of the column in the entity.
    ///   - values: The values.
    ///   - limit: The maximum count of identifiers that is useful.
    /// - Returns: The identifiers, or `nil` if there are more than the limit or no index for the column.
    func identifiers(where column: Int, isOneOf values: [StoredValue], limit: Int) -> [Int64]? {
        var ids: [Int64] = []
        if let place = entity.uniqueKeys.firstIndex(where: { $0.columns == [column] }) {
            for value in Set(values) {
                // The dictionary of owners does not contain rows with null.
                if value.isNull { return nil }
                if let owner = owners[place][UniqueValue(value)] { ids.append(owner) }
            }
            guard ids.count <= limit else { return nil }
        } else if let place = indexedColumns.firstIndex(of: [column]), place < indexes.count {
            for key in Set(values.map(\.indexKey)) {
                guard indexes[place].appendIDs(of: key, to: &ids, limit: limit) else { return nil }
            }
        } else {
            return nil
        }
        if values.count > 1 { ids.sort() }
        return ids
    }

    /// Returns the identifiers of the rows that have some values, ascending, perhaps with others.
    ///
    /// The method uses the first index of several columns that all have a given value.
    ///
    /// - Parameters:
    ///   - values: The values by the indexes of their columns.
    ///   - limit: The maximum count of identifiers that is useful.
    /// - Returns: The identifiers, or `nil` if there are more than the limit or no such index.
    func identifiers(whereAll values: [Int: StoredValue], limit: Int) -> [Int64]? {
        for (place, key) in entity.uniqueKeys.enumerated() where key.columns.count > 1 {
            // A row with a null in the key has no owner.
            if let value = key.value({ values[$0] }) { return owners[place][value].map { [$0] } ?? [] }
        }
        for (place, columns) in indexedColumns.enumerated() where columns.count > 1 && place < indexes.count {
            let known = columns.compactMap { values[$0] }
            guard known.count == columns.count else { continue }
            var ids: [Int64] = []
            if indexes[place].appendIDs(of: known.indexKey, to: &ids, limit: limit) { return ids }
        }
        return nil
    }

    /// Returns the ascending identifiers of the rows that reference the row with an identifier in a column.
    func identifiers(referringTo id: Int64, in column: Int) -> [Int64] {
        identifiers(where: column, isOneOf: [.integer(id)], limit: .max) ?? []
    }

    /// Returns the entry of a row in one of the indexes.
    private func entry(of row: StoredRow, _ place: Int) -> InMemoryIndex.IndexEntry {
        let columns = indexedColumns[place]
        let key = columns.count == 1 ? row.values[columns[0]].indexKey : columns.map { row.values[$0] }.indexKey
        return InMemoryIndex.IndexEntry(key: key, id: row.id)
    }

    private mutating func leaveIndexes(_ row: StoredRow) {
        for (place, key) in entity.uniqueKeys.enumerated() { release(key.value(of: row.values), of: row.id, place) }
        for place in indexes.indices { indexes[place].remove(entry(of: row, place)) }
    }

    /// Removes the row with an identifier as the owner of a unique value, unless another row owns the value already.
    private mutating func release(_ value: UniqueValue?, of id: Int64, _ place: Int) {
        if let value, owners[place][value] == id { owners[place][value] = nil }
    }
}
