import StrataCore

/// The rows of one entity by their identifiers, and who has which unique value, of one column or of several together.
struct Table: Sendable {
    let entity: EntityDescription
    private(set) var rows: [Int64: StoredRow] = [:]
    /// The next identifier that nobody was given.
    var nextID = identifierRange.lowerBound
    private var owners: [UniqueKey: [UniqueValue: Int64]] = [:]

    init(_ entity: EntityDescription) {
        self.entity = entity
    }

    /// The places of the columns that refer to other rows.
    var references: [Int] { entity.columns.indices.filter { entity.columns[$0].destination != nil } }

    /// The row that has a value in what is unique.
    func owner(of value: UniqueValue, in key: UniqueKey) -> Int64? { owners[key]?[value] }

    /// Puts a row in the place of the one with its identifier, if there is one.
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

    /// Makes sure that a row may be put: its identifier is free or its own, and so is each unique value.
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
