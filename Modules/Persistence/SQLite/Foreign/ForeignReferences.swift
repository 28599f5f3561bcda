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
            case .success(let found):
                kept.append(found)
                takeForms(of: found, in: &table)
            case .failure(let reason):
                notes.append("\(table.label).\(columns): no reference, because \(reason.text)")
            }
        }
        table.references = kept
        return notes
    }

    private struct Reason: Error {
        let text: String

        init(_ text: String) { self.text = text }
    }

    /// Sets the forms of columns without values to those of the key.
    private func takeForms(of reference: ForeignTable.Reference, in table: inout ForeignTable) {
        let other = tables.first { $0.label == reference.table }
        for (column, key) in zip(reference.columns, reference.keys) {
            guard let place = table.columns.firstIndex(where: { $0.label == column }),
                let form = other?.column(key)?.form
            else { continue }
            table.columns[place].form = form
        }
    }

    private func resolved(
        _ reference: ForeignTable.Reference, of table: ForeignTable
    ) throws -> Result<ForeignTable.Reference, Reason> {
        func isNamed(_ name: String, _ other: String) -> Bool {
            name.lowercased().utf8.elementsEqual(other.lowercased().utf8)
        }
        guard let other = tables.first(where: { isNamed($0.name, reference.table) }) else {
            return .failure(Reason("there is no table \(reference.table)"))
        }
        let found = reference.keys.compactMap { key in other.columns.first { isNamed($0.name, key) }?.label }
        let named = reference.keys.isEmpty ? other.declaredKey : found
        guard !named.isEmpty, named.count == reference.columns.count,
            reference.keys.isEmpty || found.count == named.count
        else { return .failure(Reason("it names a column that is not there")) }
        // The order of the columns is that of the other table's key.
        let keys = [other.primaryKey] + other.uniqueKeys
        guard let key = keys.first(where: { !$0.isEmpty && Set($0) == Set(named) && $0.count == named.count }) else {
            return .failure(Reason("the columns of \(other.label) are not a key"))
        }
        let pairs = Dictionary(zip(named, reference.columns), uniquingKeysWith: { first, _ in first })
        let ordered = key.compactMap { pairs[$0] }
        for (column, key) in zip(ordered, key) {
            guard let column = table.column(column), let key = other.column(key) else { continue }
            // Values of different forms are never equal; a column without values can have any form.
            if column.hasValues, column.form != key.form {
                return .failure(Reason("its values and those of \(other.label).\(key.label) have different forms"))
            }
        }
        let count = try danglingCount(ordered, of: table, key, of: other)
        if count > 0 {
            let rows = count == 1 ? "row refers" : "rows refer"
            return .failure(Reason("\(count) \(rows) to no row of \(other.label)"))
        }
        return .success(
            ForeignTable.Reference(
                columns: ordered, table: other.label, keys: key, deleteRule: reference.deleteRule))
    }

    /// Returns the count of rows that refer to no row, or whose key is null only in a part.
    private func danglingCount(
        _ columns: [String], of table: ForeignTable, _ keys: [String], of other: ForeignTable
    ) throws -> Int64 {
        func names(_ labels: [String], of table: ForeignTable) -> [String] {
            labels.compactMap { table.column($0).map { ForeignName.quoted($0.name) } }
        }
        // Texts are compared by their bytes, whatever the declared types and collations are.
        func texts(_ names: [String]) -> String { names.map { "CAST(\($0) AS TEXT)" }.joined(separator: ", ") }
        let (columns, keys) = (names(columns, of: table), names(keys, of: other))
        let someGiven = columns.map { "\($0) IS NOT NULL" }.joined(separator: " OR ")
        let someNull = columns.map { "\($0) IS NULL" }.joined(separator: " OR ")
        let allGiven = keys.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
        return try connection.number(
            "SELECT count(*) FROM \(ForeignName.quoted(table.name)) WHERE (\(someGiven)) AND (\(someNull) OR "
                + "(\(texts(columns))) NOT IN (SELECT \(texts(keys)) FROM \(ForeignName.quoted(other.name)) "
                + "WHERE \(allGiven)))") ?? 0
    }
}
