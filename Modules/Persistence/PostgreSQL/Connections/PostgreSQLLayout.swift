#if PostgreSQL
import StrataCore
import StrataSQL

/// The conventions by which PostgreSQL stores name constraints and indexes, and the server's limits for names.
enum PostgreSQLLayout {
    /// Returns the attributes in a unique constraint by the constraint's name, or an empty array if the store did not
    /// create the constraint.
    ///
    /// PostgreSQL names the constraint of a unique column `Table_column_key`, and a primary key `Table_pkey`. For a
    /// combination of columns, the store creates a unique index with the name `Table.a.b`.
    static func attributes(ofConstraint constraint: String, table: String) -> [String] {
        guard constraint.hasPrefix(table) else { return [] }
        let rest = constraint.dropFirst(table.count)
        if rest == "_pkey" { return ["id"] }
        if rest.hasPrefix("_"), rest.hasSuffix("_key") { return [String(rest.dropFirst().dropLast(4))] }
        guard rest.hasPrefix(".") else { return [] }
        return rest.dropFirst().split(separator: ".").map(String.init)
    }

    /// The maximum size of a table's or column's name in bytes; the server truncates longer names.
    ///
    /// Source: postgresql.org/docs/15/sql-syntax-lexical.html#SQL-SYNTAX-IDENTIFIERS.
    static let maximumNameByteCount = 63
    /// Returns the form in which the server stores a name: its longest prefix of whole characters that has at most
    /// ``maximumNameByteCount`` bytes.
    static func keptName(_ name: String) -> String {
        var kept = ""
        for scalar in name.unicodeScalars {
            guard kept.utf8.count + UTF8.width(scalar) <= maximumNameByteCount else { break }
            kept.unicodeScalars.append(scalar)
        }
        return kept
    }

    /// The names of the system columns, which every table has (postgresql.org/docs/15/ddl-system-columns.html).
    private static let systemColumns: Set = ["tableoid", "xmin", "cmin", "xmax", "cmax", "ctid"]

    /// Throws an error if a name in the model is too long or is the name of a system column.
    static func checkNames(of model: ManagedObjectModel, location: String) throws {
        for table in model.tables {
            for name in [table.name] + table.columns.map(\.name) {
                let isOurs = name == table.name || !systemColumns.contains(name)
                guard !isOurs || name.utf8.count > maximumNameByteCount else { continue }
                let reason =
                    isOurs
                    ? "the name has \(name.utf8.count) bytes, but the server supports at most \(maximumNameByteCount)"
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
