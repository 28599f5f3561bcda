/// Collects rows of one entity on a copy of its table, and puts them into the store at the end.
final class InMemoryRowInserter: RowInserter {
    /// The first version of all rows of this insert.
    private let version = ChangeSet.freshVersion()
    private var table: InMemoryTable
    private var inserted: [(row: StoredRow, place: RowPlace)] = []

    init(_ table: InMemoryTable) {
        self.table = table
    }

    var count: Int { inserted.count }

    func insert(id: Int64?, values: [StoredValue], place: RowPlace) throws -> Int64 {
        let id = id ?? table.nextID
        guard identifierRange.contains(id) else { throw PersistenceError.identifiersExhausted(table.entity.name) }
        let row = StoredRow(id: id, version: version, values: values)
        try check(row, place)
        table.insert(row)
        inserted.append((row, place))
        return id
    }

    private func check(_ row: StoredRow, _ place: RowPlace) throws {
        var found: PersistenceError?
        if table.index(of: row.id) != nil {
            found = .taken(table.entity, row.id)
        } else if let index = table.owners.keys.sorted().first(where: { table.owners[$0]?[row.values[$0]] != nil }) {
            found = .taken(table.entity, index, row.values[index], by: row.id)
        }
        if var error = found {
            error.place = place
            throw error
        }
    }

    /// Judges the references, and puts the rows into the store.
    func finish(_ tables: inout [String: InMemoryTable]) throws {
        let entity = table.entity
        for (row, place) in inserted.sorted(by: { $0.place.record < $1.place.record }) {
            for index in entity.columns.indices {
                guard let destination = entity.columns[index].destination, case .integer(let target) = row.values[index]
                else { continue }
                let found =
                    destination == entity.name ? table.index(of: target) : tables[destination]?.index(of: target)
                guard found == nil else { continue }
                var error = PersistenceError.dangling(entity, index, from: row.id, to: target)
                error.place = place
                throw error
            }
        }
        tables[entity.name] = table
    }
}
