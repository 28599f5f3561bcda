import StrataCore

/// Looks up what stands behind to-one relationships, for many rows at once.
///
/// One statement a block of rows and relationship, and none for related rows that were met before: a few bosses have many employees.
struct RelatedValues {
    /// How many rows are looked up together.
    static let blockSize = 1024
    /// How many related rows are remembered for each path, until they are forgotten all at once.
    private static let mostRemembered = 4096

    private let columns: [ResolvedColumn]
    private let model: ManagedObjectModel
    /// What was found, by the path that leads there.
    private var found: [[ResolvedColumn.Step]: [Int64: StoredRow]] = [:]

    init(_ columns: [ResolvedColumn], in model: ManagedObjectModel) {
        self.columns = columns
        self.model = model
    }

    /// The values of the columns for each row.
    mutating func values(of rows: [StoredRow], in snapshot: any StoreSnapshot) throws -> [[StoredValue]] {
        var results = Array(repeating: [StoredValue](), count: rows.count)
        for column in columns {
            let ends = try follow(column.steps, from: rows, in: snapshot)
            for place in rows.indices {
                let value: StoredValue
                switch (ends[place], column.value) {
                case (nil, _): value = .null
                case (let row?, .id): value = .integer(row.id)
                case (let row?, .column(let index, _)): value = row.values[index]
                }
                results[place].append(value)
            }
        }
        return results
    }

    private mutating func follow(
        _ steps: [ResolvedColumn.Step], from rows: [StoredRow], in snapshot: any StoreSnapshot
    ) throws -> [StoredRow?] {
        var ends: [StoredRow?] = rows
        for length in steps.indices {
            let path = Array(steps[...length])
            let ids = ends.map { row -> Int64? in
                guard let row, case .integer(let id) = row.values[steps[length].column] else { return nil }
                return id
            }
            let related = try look(
                up: Set(ids.compactMap(\.self)), at: path, to: steps[length].destination, in: snapshot)
            ends = ids.map { id in id.flatMap { related[$0] } }
        }
        return ends
    }

    private mutating func look(
        up ids: Set<Int64>, at path: [ResolvedColumn.Step], to entity: String, in snapshot: any StoreSnapshot
    ) throws -> [Int64: StoredRow] {
        var known = found[path] ?? [:]
        var missing = ids.filter { known[$0] == nil }
        if missing.isEmpty { return known }
        if known.count + missing.count > Self.mostRemembered {
            known = [:]
            missing = ids
        }
        let list = missing.sorted().map(StoredValue.integer)
        let count = try model.entity(named: entity).columns.count
        let cursor = try snapshot.openCursor(StoreRequest(entity, where: .isIn(.property("id"), list)))
        _ = try cursor.read { row in
            known[row.rawID] = try StoredRow(copying: row, columns: count)
            return .next
        }
        found[path] = known
        return known
    }
}

extension StoredRow {
    /// A row by value, with as many values as it has.
    init(copying row: RowReader, columns: Int) throws {
        self.init(id: row.rawID, version: row.version, values: try (0..<columns).map { try row.value(at: $0) })
    }
}
