extension PersistentStore {
    /// The rows a request selects, by value.
    ///
    /// For few rows: all are in memory at once.
    public func rows(_ request: StoreRequest) throws -> [StoredRow] {
        let columns = try model.entity(named: request.entity).columns.indices
        var rows: [StoredRow] = []
        try fetch(request) { row in
            rows.append(
                StoredRow(id: row.rawID, version: row.version, values: try columns.map { try row.value(at: $0) }))
            return .next
        }
        return rows
    }
}
