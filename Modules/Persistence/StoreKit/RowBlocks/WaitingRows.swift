package import StrataCore

/// The rows of a bulk write that wait because their unique values still belong to other rows.
///
/// An input may exchange unique values between rows, or pass them from row to row. Such a row waits until the end of
/// the input. It is then written, or rejected with the error that made it wait. Each waiting row takes memory.
package struct WaitingRows {
    /// A row that waits until the end of the input.
    package struct Row {
        package let id: Int64
        /// The index of the inserter that received the row, among the inserters of its writer.
        package let inserter: Int
        /// A Boolean value that indicates whether the row is to be inserted; if it is `false`, a stored row is to be
        /// updated.
        package let isNew: Bool
        /// The values of the row, in the order of the entity's columns; `nil` keeps the stored row's value.
        fileprivate(set) var values: [StoredValue?]
        /// The error due to which the row was deferred: one of its unique values belongs to another row.
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

    /// The outcome for all waiting rows.
    package struct Settlement {
        /// The rows to write, in the order of the input.
        ///
        /// If some of them are stored already, the store must delete all of those before it writes any row.
        package var written: [StoredRow] = []
        /// The rows to reject, because their unique values still belong to other rows; in the order of the input.
        package var refused: [Row] = []
    }

    private let entity: EntityDescription
    private var rows: [Row] = []
    private var errors: [Int64: PersistenceError] = [:]
    /// The unique values that the waiting rows will get, for each unique key of the entity.
    private var wanted: [Set<UniqueValue>]

    package init(_ entity: EntityDescription) {
        self.entity = entity
        wanted = Array(repeating: [], count: entity.uniqueKeys.count)
    }

    /// Returns the error that made the row with an identifier wait; `nil` if the row does not wait.
    package func error(of id: Int64) -> PersistenceError? { errors[id] }

    package mutating func append(_ row: Row) {
        rows.append(row)
        if errors[row.id] == nil { errors[row.id] = row.error }
        for (place, key) in entity.uniqueKeys.enumerated() {
            if let value = key.value({ row.values[$0] }) { wanted[place].insert(value) }
        }
    }

    /// Returns a Boolean value that indicates whether a unique value may belong to another row after the rows are
    /// written.
    ///
    /// - Parameters:
    ///   - value: The unique value.
    ///   - key: The unique key of the value.
    ///   - owner: The identifier of the row that has the value; `nil` if no row has it.
    /// - Returns: `true` if a waiting row will get the value or has it.
    package func mayMove(_ value: UniqueValue, of key: UniqueKey, from owner: Int64?) -> Bool {
        if let owner, errors[owner] != nil { return true }
        return entity.uniqueKeys.firstIndex(of: key).map { wanted[$0].contains(value) } ?? false
    }

    /// Replaces targets in a reference column of the waiting rows: each old target with its new target.
    package mutating func redirect(_ column: Int, _ targets: [Int64: Int64]) {
        for index in rows.indices {
            guard case .integer(let old) = rows[index].values[column], let new = targets[old] else { continue }
            rows[index].values[column] = .integer(new)
        }
    }

    /// Decides which waiting rows are written with their new unique values, and removes all rows from the waiting rows.
    ///
    /// - Parameters:
    ///   - version: The version of new rows.
    ///   - stored: A closure that returns the stored row with an identifier.
    ///   - owner: A closure that returns the identifier of the stored row with a unique value.
    /// - Returns: The rows to write, and the rows to reject.
    /// - Throws: The errors that `stored` and `owner` throw.
    /// - Complexity: O(n) in the count of waiting rows, with one query to the store for each row and for each new
    ///   unique value.
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

    /// A waiting row before and after it gets its new values.
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

    /// The assignment of unique values to waiting rows, by the unique keys of the entity.
    private struct Claims {
        let keys: [UniqueKey]
        let changes: [Int64: Change]
        private(set) var refused: Set<Int64> = []
        private var claimants: [[UniqueValue: Int64]]

        init(keys: [UniqueKey], changes: [Int64: Change]) {
            (self.keys, self.changes) = (keys, changes)
            claimants = Array(repeating: [:], count: keys.count)
        }

        /// Assigns its new unique values to a row, or rejects the row if another row keeps one of them.
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

        /// Rejects a row, and all rows that would get its current unique values.
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
