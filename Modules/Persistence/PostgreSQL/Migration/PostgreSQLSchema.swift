#if PostgreSQL
import StrataCore
import StrataSQL

/// The constraints and indexes of a store's tables in the server's catalog.
///
/// Source: postgresql.org/docs/15/catalog-pg-constraint.html.
struct PostgreSQLSchema {
    private let name: String
    private let connection: PostgreSQLConnection

    init(_ name: String, _ connection: PostgreSQLConnection) { (self.name, self.connection) = (name, connection) }

    /// A constraint of one column, or a primary key of several columns, whose `column` is empty.
    private struct Constraint {
        let table: String
        let name: String
        let kind: String
        let column: String
        /// The table that a foreign key references; empty for other constraints.
        let destination: String

        /// The name that the server would give the constraint if the table were new.
        var usualName: String {
            switch kind {
            case "p": "\(table)_pkey"
            case "u": "\(table)_\(column)_key"
            default: "\(table)_\(column)_fkey"
            }
        }
    }

    private func constraints(where condition: String) throws -> [Constraint] {
        let result = try connection.query(
            """
            SELECT r.relname::text, c.conname::text, c.contype::text, coalesce(a.attname, '')::text, coalesce(d.relname, '')::text \
            FROM pg_constraint AS c JOIN pg_class AS r ON r.oid = c.conrelid LEFT JOIN pg_class AS d ON d.oid = c.confrelid \
            LEFT JOIN pg_attribute AS a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1] AND cardinality(c.conkey) = 1 \
            WHERE c.connamespace = (SELECT oid FROM pg_namespace WHERE nspname = $1) AND \(condition) ORDER BY 1, 2
            """, [.string(name)], isKept: false)
        return (0..<result.rowCount).map { row in
            func text(_ column: Int32) -> String { result.text(row: row, column: column) ?? "" }
            return Constraint(table: text(0), name: text(1), kind: text(2), column: text(3), destination: text(4))
        }
    }

    // MARK: References

    /// An SQL condition for the foreign keys of a store; the foreign keys of other programs are not deferred to the
    /// commit.
    static let areReferences = "c.contype = 'f' AND c.condeferred AND cardinality(c.conkey) = 1"

    /// Drops the foreign keys of all tables.
    func dropReferences() throws {
        for reference in try constraints(where: Self.areReferences) {
            try alter(reference.table, "DROP CONSTRAINT \(PostgreSQLSettings.quoted(reference.name))")
        }
    }

    /// Returns the foreign keys of the store's tables in the database.
    func references() throws -> Set<SQLLayout.Reference> {
        Set(
            try constraints(where: Self.areReferences).map {
                SQLLayout.Reference(table: $0.table, column: $0.column, destination: $0.destination)
            })
    }

    /// Adds the foreign keys that the layout has and the database lacks; the server then checks every row.
    func addReferences(_ layout: SQLLayout) throws {
        let there = try references()
        for reference in layout.references where !there.contains(reference) {
            try connection.execute(layout.definition(of: reference))
        }
    }

    // MARK: Indexes

    /// Creates the layout's indexes again that an earlier version of Strata created with nulls last, because they do
    /// not serve the order of a request.
    ///
    /// An index that a constraint uses remains, because it cannot be dropped.
    func replaceIndexes(_ layout: SQLLayout) throws {
        // The option 0 is the order ASC NULLS LAST (postgresql.org/docs/15/catalog-pg-index.html).
        let replaced = try connection.texts(
            """
            SELECT i.relname::text FROM pg_index AS x JOIN pg_class AS i ON i.oid = x.indexrelid \
            WHERE i.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = $1) AND 0 = ANY (x.indoption) \
            AND NOT EXISTS (SELECT 1 FROM pg_constraint AS c WHERE c.conindid = x.indexrelid)
            """, .string(name))
        for table in layout.model.tables {
            for index in table.indexes where replaced.contains(PostgreSQLLayout.keptName(index.name)) {
                try connection.execute(layout.removal(of: index))
                try connection.execute(layout.creation(of: index, on: table))
            }
        }
    }

    // MARK: Names

    /// Gives constraints the names that they have in a new store, because error messages derive attributes from the
    /// names.
    func renameConstraints(_ layout: SQLLayout) throws {
        let tables = Set(layout.model.tables.map(\.name))
        let misnamed = try constraints(where: "c.contype IN ('p', 'u', 'f')").filter {
            tables.contains($0.table) && (!$0.column.isEmpty || $0.kind == "p") && $0.name != $0.usualName
                // The server shortens longer names by its own rule.
                && $0.usualName.utf8.count <= PostgreSQLLayout.maximumNameByteCount
        }
        if connection.server.isCitus { return try rebuildConstraints(misnamed.filter { $0.kind != "f" }, layout) }
        // Two constraints may have exchanged their names, so each one first gets a temporary name.
        func between(_ number: Int) -> String { "strata_constraint_\(number)" }
        for (number, constraint) in misnamed.enumerated() {
            try rename(constraint.name, to: between(number), of: constraint.table)
        }
        for (number, constraint) in misnamed.enumerated() where try isFree(constraint.usualName) {
            try rename(between(number), to: constraint.usualName, of: constraint.table)
        }
    }

    private func rename(_ name: String, to other: String, of table: String) throws {
        try alter(
            table, "RENAME CONSTRAINT \(PostgreSQLSettings.quoted(name)) TO \(PostgreSQLSettings.quoted(other))")
    }

    /// Drops primary keys and unique constraints and creates them with their usual names, for a server that cannot
    /// rename constraints.
    private func rebuildConstraints(_ misnamed: [Constraint], _ layout: SQLLayout) throws {
        if misnamed.isEmpty { return }
        // The server does not drop a key that a foreign key references.
        try dropReferences()
        for constraint in misnamed {
            try alter(constraint.table, "DROP CONSTRAINT \(PostgreSQLSettings.quoted(constraint.name))")
        }
        for constraint in misnamed {
            let isKey = constraint.kind == "p"
            let table = layout.model.tables.first { $0.name == constraint.table }
            let columns = isKey ? table?.primaryKey ?? [] : [constraint.column]
            let name = try isFree(constraint.usualName) ? constraint.usualName : constraint.name
            try alter(
                constraint.table,
                "ADD CONSTRAINT \(PostgreSQLSettings.quoted(name)) \(isKey ? "PRIMARY KEY" : "UNIQUE") "
                    + "(\(columns.map(PostgreSQLSettings.quoted).joined(separator: ", ")))")
        }
        try addReferences(layout)
    }

    /// Returns a Boolean value that indicates whether no table, index or view of the schema has a given
    /// name.
    private func isFree(_ name: String) throws -> Bool {
        try connection.number(
            """
            SELECT 1 FROM pg_class WHERE relname = $1 AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = $2)
            """, .string(name), .string(self.name)) == nil
    }

    private func alter(_ table: String, _ change: String) throws {
        try connection.execute("ALTER TABLE \(PostgreSQLSettings.quoted(table)) \(change)")
    }
}
#endif
