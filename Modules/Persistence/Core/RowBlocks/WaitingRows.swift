/// The rows of a bulk write whose unique values still belong to other rows.
///
/// One input may exchange unique values between rows, or pass them from row to row. Such a row waits until the end of
/// the input. Then it is written, or it is rejected with the first error that it caused. Each waiting row takes memory.
package struct WaitingRows {
    /// A waiting row.
    package struct Row {
        package let id: Int64
        /// The number of the inserter that received the row, among the inserters of its writer.
        package let inserter: Int
        /// A Boolean value that indicates whether the row is to be inserted; otherwise a stored row is updated.
        package let isNew: Bool
        /// The values in the order of the entity's columns; `nil` keeps the stored value.
        fileprivate(set) var values: [StoredValue?]
        /// The reason why the row waits.
        package let error: PersistenceError
        package let location: RowLocation
        package let note: [UInt8]

        package init(
            id: Int64, inserter: Int, isNew: Bool, values: [StoredValue?], error: PersistenceError,
            location: RowLocation, note: [UInt8]
        ) {
            (self.id, self.inserter, self.isNew, self.values, self.error) = (id, inserter, isNew, values, error)
            (self.location, self.note) = (location, note)
        }
    }

    /// The outcome of the rows that waited.
    package struct Settlement {
        /// The rows to write, in the order of the input.
        ///
        /// Before the store writes them, it must delete all of them that are stored.
        package var written: [StoredRow] = []
        /// The rows whose unique values still belong to other rows, in the order of the input.
        package var refused: [Row] = []
    }

    private let entity: EntityDescription
    private var rows: [Row] = []
    private var errors: [Int64: PersistenceError] = [:]
    /// The unique values that the rows want, by the index of their keys.
    private var wanted: [Set<UniqueValue>]

    package init(_ entity: EntityDescription) {
        self.entity = entity
        wanted = Array(repeating: [], count: entity.uniqueKeys.count)
    }

    /// Returns the reason why the row with an identifier waits; `nil` if it does not wait.
    package func error(of id: Int64) -> PersistenceError? { errors[id] }

    package mutating func append(_ row: Row) {
        rows.append(row)
        if errors[row.id] == nil { errors[row.id] = row.error }
        for (place, key) in entity.uniqueKeys.enumerated() {
            if let value = key.value({ row.values[$0] }) { wanted[place].insert(value) }
        }
    }

    /// Returns a Boolean value that indicates whether a unique value may move to another row when the rows are written.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - key: The unique key of the value.
    ///   - owner: The row that has the value; `nil` if no row has it.
    /// - Returns: `true` if a waiting row wants the value or has it.
    package func mayMove(_ value: UniqueValue, of key: UniqueKey, from owner: Int64?) -> Bool {
        if let owner, errors[owner] != nil { return true }
        return entity.uniqueKeys.firstIndex(of: key).map { wanted[$0].contains(value) } ?? false
    }

    /// Replaces targets of a reference column in the rows.
    package mutating func redirect(_ column: Int, _ targets: [Int64: Int64]) {
        for index in rows.indices {
            guard case .integer(let old) = rows[index].values[column], let new = targets[old] else { continue }
            rows[index].values[column] = .integer(new)
        }
    }

    /// Decides which rows get the values they want, and ends their wait.
    ///
    /// - Parameters:
    ///   - version: The version of new rows.
    ///   - stored: Returns the stored row with an identifier.
    ///   - owner: Returns the identifier of the stored row with a unique value.
    /// - Returns: The rows to write, and the rows that are rejected.
    /// - Throws: The errors of `stored` and `owner`.
    /// - Complexity: O(n) in the number of waiting rows, with one query to the store for each row and for each new
    ///     unique value.
    package mutating func settle(
        version: Int64, stored: (Int64) throws -> StoredRow?, owner: (UniqueKey, UniqueValue) throws -> Int64?
    ) throws -> Settlement {
        defer { (rows, errors) = ([], [:]) }
        var changes: [Int64: Change] = [:]
        var order: [Int64] = []
        for row in rows {
            if changes[row.id] == nil {
                changes[row.id] = Change(before: try stored(row.id), of: row, version: version)
                order.append(row.id)
            }
            for (column, value) in row.values.enumerated() {
                if let value { changes[row.id]?.after.values[column] = value }
            }
        }
        var claims = Claims(keys: entity.uniqueKeys, changes: changes)
        for id in order { try claims.claim(id, owner: owner) }
        return Settlement(
            written: order.filter { !claims.refused.contains($0) }.compactMap { changes[$0]?.after },
            refused: rows.filter { claims.refused.contains($0.id) })
    }

    /// A row before and after it gets its values.
    private struct Change {
        let before: StoredRow?
        var after: StoredRow

        init(before: StoredRow?, of row: Row, version: Int64) {
            self.before = before
            after = StoredRow(
                id: row.id, version: before.map { $0.version + 1 } ?? version,
                values: before?.values ?? row.values.map { $0 ?? .null })
        }
    }

    /// The assignment of unique values to rows.
    private struct Claims {
        let keys: [UniqueKey]
        let changes: [Int64: Change]
        private(set) var refused: Set<Int64> = []
        private var claimants: [[UniqueValue: Int64]]

        init(keys: [UniqueKey], changes: [Int64: Change]) {
            (self.keys, self.changes) = (keys, changes)
            claimants = Array(repeating: [:], count: keys.count)
        }

        /// Assigns a row its new unique values, or rejects it if another row keeps one of them.
        mutating func claim(_ id: Int64, owner: (UniqueKey, UniqueValue) throws -> Int64?) throws {
            guard let change = changes[id] else { return }
            for (place, key) in keys.enumerated() {
                guard let value = key.value(of: change.after.values),
                    value != change.before.flatMap({ key.value(of: $0.values) })
                else { continue }
                let owner = try owner(key, value)
                let isKept = owner.map { $0 != id && !releases($0, value, key) } ?? false
                let first = claimants[place][value] ?? id
                guard !isKept, first == id || refused.contains(first), !refused.contains(id) else {
                    refuse(id)
                    return
                }
                claimants[place][value] = id
            }
        }

        private func releases(_ id: Int64, _ value: UniqueValue, _ key: UniqueKey) -> Bool {
            guard let change = changes[id], !refused.contains(id) else { return false }
            return key.value(of: change.after.values) != value
        }

        /// Rejects a row, and the rows that wanted its current unique values.
        private mutating func refuse(_ id: Int64) {
            var next = [id]
            while let id = next.popLast() {
                guard refused.insert(id).inserted, let before = changes[id]?.before else { continue }
                for (place, key) in keys.enumerated() {
                    guard let value = key.value(of: before.values), let claimant = claimants[place][value],
                        claimant != id
                    else { continue }
                    next.append(claimant)
                }
            }
        }
    }
}
