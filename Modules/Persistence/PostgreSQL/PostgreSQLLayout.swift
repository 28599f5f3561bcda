#if PostgreSQL
import StrataCore
import StrataSQL

/// What names of constraints and indexes say, and which names tables and columns may have.
enum PostgreSQLLayout {
    /// The attributes that a unique constraint is about; none where it is not ours.
    ///
    /// PostgreSQL calls a column's own constraint `Table_column_key` and a primary key `Table_pkey`; what is unique together is our own index, `Table.a.b`.
    static func attributes(ofConstraint constraint: String, table: String) -> [String] {
        guard constraint.hasPrefix(table) else { return [] }
        let rest = constraint.dropFirst(table.count)
        if rest == "_pkey" { return ["id"] }
        if rest.hasPrefix("_"), rest.hasSuffix("_key") { return [String(rest.dropFirst().dropLast(4))] }
        guard rest.hasPrefix(".") else { return [] }
        return rest.dropFirst().split(separator: ".").map(String.init)
    }

    /// The server cuts what is longer (postgresql.org/docs/15/sql-syntax-lexical.html#SQL-SYNTAX-IDENTIFIERS).
    static let maximumNameByteCount = 63
    /// What the server calls what has a name: as much of it as it keeps, in whole letters.
    static func keptName(_ name: String) -> String {
        var kept = ""
        for scalar in name.unicodeScalars {
            guard kept.utf8.count + UTF8.width(scalar) <= maximumNameByteCount else { break }
            kept.unicodeScalars.append(scalar)
        }
        return kept
    }

    /// The columns that every table has (postgresql.org/docs/15/ddl-system-columns.html).
    private static let systemColumns: Set = ["tableoid", "xmin", "cmin", "xmax", "cmax", "ctid"]

    /// Refuses names of entities, attributes and relationships that the server would cut, or has itself.
    static func checkNames(of model: ManagedObjectModel, location: String) throws {
        for table in model.tables {
            for name in [table.name] + table.columns.map(\.name) {
                let isOurs = name == table.name || !systemColumns.contains(name)
                guard !isOurs || name.utf8.count > maximumNameByteCount else { continue }
                let reason =
                    isOurs
                    ? "the name has \(name.utf8.count) bytes, of which the server keeps \(maximumNameByteCount)"
                    : "the server has a column of that name in every table"
                var error = PersistenceError(
                    .invalidRequest, "\(reason); give it another one in the model", entity: table.name, path: location)
                if name != table.name { error.attribute = name }
                throw error
            }
        }
    }
}
#endif
