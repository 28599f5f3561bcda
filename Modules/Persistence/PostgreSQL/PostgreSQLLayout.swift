#if PostgreSQL
import StrataCore

/// What names of constraints and indexes say.
enum PostgreSQLLayout {
    /// The attributes that a unique constraint is about, as errors name them.
    ///
    /// PostgreSQL calls a column's own constraint `Table_column_key` and a primary key `Table_pkey`; what is unique together is our own index, `Table.a.b`.
    static func attributes(ofConstraint constraint: String, table: String) -> String? {
        guard constraint.hasPrefix(table) else { return nil }
        let rest = constraint.dropFirst(table.count)
        if rest == "_pkey" { return "id" }
        if rest.hasPrefix("_"), rest.hasSuffix("_key") { return String(rest.dropFirst().dropLast(4)) }
        guard rest.hasPrefix(".") else { return nil }
        return rest.dropFirst().split(separator: ".").joined(separator: PersistenceError.attributeSeparator)
    }
}
#endif
