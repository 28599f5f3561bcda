import StrataCore
import StrataStoreKit

/// The rows of one entity by identifier, and the owners of unique values of one or several columns.
struct Table: Sendable {
    let entity: EntityDescription
    private(set) var rows: [Int64: StoredRow] = [:]
    /// The next unused identifier.
    var nextID = identifierRange.lowerBound
    private var owners: [UniqueKey: [UniqueValue: Int64]] = [:]

    init(_ entity: EntityDescription) {
        self.entity = entity
    }

    /// The indices of the columns that refer to other rows.
    var references: [Int] { entity.columns.indices.filter { entity.columns[$0].destination != nil } }

    /// Returns the row that owns a unique value.
    func owner(of value: UniqueValue, in key: UniqueKey) -> Int64? { owners[key]?[value] }

    /// Inserts a row or replaces the one with its identifier.
    mutating func put(_ row: StoredRow) {
        remove(row.id)
        rows[row.id] = row
        for key in entity.uniqueKeys {
            if let value = key.value(of: row.values) { owners[key, default: [:]][value] = row.id }
        }
        nextID = max(nextID, row.id + 1)
    }

    mutating func remove(_ id: Int64) {
        guard let row = rows.removeValue(forKey: id) else { return }
        for key in entity.uniqueKeys {
            if let value = key.value(of: row.values), owners[key]?[value] == id { owners[key]?[value] = nil }
        }
    }

    /// Throws if the row's identifier or one of its unique values belongs to another row.
    func checkUniqueness(of row: StoredRow, isNew: Bool) throws {
        if isNew, rows[row.id] != nil { throw PersistenceError.taken(entity, row.id) }
        for key in entity.uniqueKeys {
            guard let value = key.value(of: row.values), let owner = owner(of: value, in: key),
                isNew || owner != row.id
            else { continue }
            throw PersistenceError.taken(entity, key: key, value: value, by: row.id)
        }
    }
}
