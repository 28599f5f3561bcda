import StrataCore

/// The check of the declared references of a table, which SQLite does not enforce by default.
struct ForeignReferences {
    private let tables: [ForeignTable]
    private let connection: SQLiteConnection

    init(_ tables: [ForeignTable], _ connection: SQLiteConnection) {
        (self.tables, self.connection) = (tables, connection)
    }

    /// Keeps the references of a table that all its rows obey, and returns notes about the others, whose columns remain
    /// plain values.
    func check(_ table: inout ForeignTable) throws -> [String] {
        var (kept, notes): ([ForeignTable.Reference], [String]) = ([], [])
        for reference in table.references {
            let columns = reference.columns.joined(separator: ", ")
            switch try resolved(reference, of: table) {
            case .success(let found): kept.append(found)
            case .failure(let reason): notes.append("\(table.name).\(columns): no reference, because \(reason.text)")
            }
        }
        table.references = kept
        return notes
    }

    private struct Reason: Error {
        let text: String

        init(_ text: String) { self.text = text }
    }

    private func resolved(
        _ reference: ForeignTable.Reference, of table: ForeignTable
    ) throws -> Result<ForeignTable.Reference, Reason> {
        let name = reference.table.lowercased()
        guard let other = tables.first(where: { $0.name.lowercased() == name }) else {
            return .failure(Reason("there is no table \(reference.table)"))
        }
        func found(_ names: [String], in table: ForeignTable) -> [String] {
            names.compactMap { name in table.columns.first { $0.name.lowercased() == name.lowercased() }?.name }
        }
        let columns = found(reference.columns, in: table)
        let named = reference.keys.isEmpty ? other.primaryKey : found(reference.keys, in: other)
        guard columns.count == reference.columns.count, named.count == columns.count else {
            return .failure(Reason("it names a column that is not there"))
        }
        // The order of the columns is that of the other table's key.
        let keys = [other.primaryKey] + other.uniqueKeys
        guard let key = keys.first(where: { !$0.isEmpty && Set($0) == Set(named) && $0.count == named.count }) else {
            return .failure(Reason("the columns of \(other.name) are not a key"))
        }
        let pairs = Dictionary(zip(named, columns), uniquingKeysWith: { first, _ in first })
        let ordered = key.compactMap { pairs[$0] }
        guard !ordered.contains(where: { table.column($0)?.form.isKey != true }) else {
            return .failure(Reason("its values are no whole numbers, texts or days"))
        }
        if let count = try danglingCount(ordered, of: table, key, of: other), count > 0 {
            return .failure(Reason("\(count) \(count == 1 ? "row refers" : "rows refer") to no row of \(other.name)"))
        }
        return .success(
            ForeignTable.Reference(
                columns: ordered, table: other.name, keys: key, deleteRule: reference.deleteRule))
    }

    /// Returns the count of rows that refer to no row, or whose key is null only in a part.
    private func danglingCount(
        _ columns: [String], of table: ForeignTable, _ keys: [String], of other: ForeignTable
    ) throws -> Int64? {
        let pairs = zip(columns.map(ForeignName.quoted), keys.map(ForeignName.quoted))
        // The first comparison can use the key's index; the second one compares the bytes of the texts.
        let equal = pairs.map { "p.\($1) = c.\($0) AND CAST(p.\($1) AS TEXT) = CAST(c.\($0) AS TEXT) COLLATE BINARY" }
        let given = columns.map { "c.\(ForeignName.quoted($0)) IS NOT NULL" }.joined(separator: " OR ")
        return try connection.number(
            "SELECT count(*) FROM \(ForeignName.quoted(table.name)) c WHERE (\(given)) AND NOT EXISTS "
                + "(SELECT 1 FROM \(ForeignName.quoted(other.name)) p WHERE \(equal.joined(separator: " AND ")))")
    }
}
