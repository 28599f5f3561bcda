/// The rows of a bulk write that want unique values which other rows still have.
///
/// One input may exchange unique values between rows, or hand them on from row to row. Such a row waits until all rows of the input came,
/// and is then written or refused with the error that it met first. Each waiting row takes memory.
package struct WaitingRows {
    /// A row that waits.
    package struct Row {
        package let id: Int64
        /// The number of the inserter that took it, among those of its writer.
        package let inserter: Int
        /// Whether it is to be inserted.
        package let isNew: Bool
        /// The values in the order of the entity's columns; `nil` keeps the stored one.
        fileprivate(set) var values: [StoredValue?]
        /// Why it waits.
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

    /// What becomes of rows that waited.
    package struct Settlement {
        /// The rows to write, in the order of the input; first, all of them that are stored have to be taken out.
        package var written: [StoredRow] = []
        /// The rows whose unique values others keep, in the order of the input.
        package var refused: [Row] = []
    }

    private let entity: EntityDescription
    private var rows: [Row] = []
    private var errors: [Int64: PersistenceError] = [:]
    /// The unique values that the rows want, by the place of their keys.
    private var wanted: [Set<UniqueValue>]

    package init(_ entity: EntityDescription) {
        self.entity = entity
        wanted = Array(repeating: [], count: entity.uniqueKeys.count)
    }

    /// Returns why the row of an identifier waits; `nil` if it does not.
    package func error(of id: Int64) -> PersistenceError? { errors[id] }

    package mutating func append(_ row: Row) {
        rows.append(row)
        if errors[row.id] == nil { errors[row.id] = row.error }
        for (place, key) in entity.uniqueKeys.enumerated() {
            if let value = key.value({ row.values[$0] }) { wanted[place].insert(value) }
        }
    }

    /// A Boolean value that indicates whether a unique value may change hands when the rows are written.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - key: Where it is unique.
    ///   - owner: The row that has it; `nil` if no row has it.
    /// - Returns: Whether a row that waits wants the value, or has it.
    package func mayMove(_ value: UniqueValue, of key: UniqueKey, from owner: Int64?) -> Bool {
        if let owner, errors[owner] != nil { return true }
        return entity.uniqueKeys.firstIndex(of: key).map { wanted[$0].contains(value) } ?? false
    }

    /// Gives references of the rows other targets.
    package mutating func redirect(_ column: Int, _ targets: [Int64: Int64]) {
        for index in rows.indices {
            guard case .integer(let old) = rows[index].values[column], let new = targets[old] else { continue }
            rows[index].values[column] = .integer(new)
        }
    }

    /// Finds out which rows get the values they want, and waits for none of them any longer.
    ///
    /// - Parameters:
    ///   - version: The version of new rows.
    ///   - stored: Returns the stored row of an identifier.
    ///   - owner: Returns the identifier of the stored row with a unique value.
    /// - Returns: The rows to write, and those that are refused.
    /// - Throws: What `stored` and `owner` throw.
    /// - Complexity: O(n) in the number of waiting rows, with one question to the store for each and for each new unique value.
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

    /// Who gets which unique value.
    private struct Claims {
        let keys: [UniqueKey]
        let changes: [Int64: Change]
        private(set) var refused: Set<Int64> = []
        private var claimants: [[UniqueValue: Int64]]

        init(keys: [UniqueKey], changes: [Int64: Change]) {
            (self.keys, self.changes) = (keys, changes)
            claimants = Array(repeating: [:], count: keys.count)
        }

        /// Gives a row its new unique values, or refuses it where another row keeps one.
        mutating func claim(_ id: Int64, owner: (UniqueKey, UniqueValue) throws -> Int64?) throws {
            guard let change = changes[id] else { return }
            for (place, key) in keys.enumerated() {
                guard let value = key.value(of: change.after.values),
                    value != change.before.flatMap({ key.value(of: $0.values) })
                else { continue }
                let owner = try owner(key, value)
                let isKept = owner.map { $0 != id && !givesAway($0, value, key) } ?? false
                let first = claimants[place][value] ?? id
                guard !isKept, first == id || refused.contains(first), !refused.contains(id) else {
                    refuse(id)
                    return
                }
                claimants[place][value] = id
            }
        }

        private func givesAway(_ id: Int64, _ value: UniqueValue, _ key: UniqueKey) -> Bool {
            guard let change = changes[id], !refused.contains(id) else { return false }
            return key.value(of: change.after.values) != value
        }

        /// Refuses a row, and those that wanted what it has now.
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
