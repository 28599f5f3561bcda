import StrataCore

/// The rows of one entity by their identifiers, and who has which unique value.
struct Table: Sendable {
    let entity: EntityDescription
    private(set) var rows: [Int64: StoredRow] = [:]
    /// The next identifier that nobody was given.
    var nextID = identifierRange.lowerBound
    private var owners: [Int: [StoredValue: Int64]] = [:]

    init(_ entity: EntityDescription) {
        self.entity = entity
    }

    /// The places of the unique columns, in the order in which they are checked.
    var uniqueColumns: [Int] { entity.columns.indices.filter { entity.columns[$0].isUnique } }

    /// The places of the columns that refer to other rows.
    var references: [Int] { entity.columns.indices.filter { entity.columns[$0].destination != nil } }

    /// The row that has a value in a unique column; null is nobody's.
    func owner(of value: StoredValue, in column: Int) -> Int64? { value.isNull ? nil : owners[column]?[value] }

    /// Puts a row in the place of the one with its identifier, if there is one.
    mutating func put(_ row: StoredRow) {
        remove(row.id)
        rows[row.id] = row
        for column in uniqueColumns where !row.values[column].isNull {
            owners[column, default: [:]][row.values[column]] = row.id
        }
        nextID = max(nextID, row.id + 1)
    }

    mutating func remove(_ id: Int64) {
        guard let row = rows.removeValue(forKey: id) else { return }
        for column in uniqueColumns where owners[column]?[row.values[column]] == id {
            owners[column]?[row.values[column]] = nil
        }
    }

    /// Makes sure that a row may be put: its identifier is free or its own, and so is each unique value.
    func checkUniqueness(of row: StoredRow, isNew: Bool) throws {
        if isNew, rows[row.id] != nil { throw PersistenceError.taken(entity, row.id) }
        for column in uniqueColumns {
            guard let owner = owner(of: row.values[column], in: column), isNew || owner != row.id else { continue }
            throw PersistenceError.taken(entity, index: column, value: row.values[column], by: row.id)
        }
    }
}
