#if PostgreSQL
import StrataCore
import StrataSQL

/// The checks that compare the tables and indexes in the server's catalog with the model.
///
/// Source: postgresql.org/docs/15/catalogs.html.
extension PostgreSQLCheckEngine {
    func checkSchema(_ check: SQLCheck<Self>) throws {
        for table in check.model.tables {
            let entity = check.model.joins.first { $0.name == table.name }?.sourceEntity ?? table.name
            if try isAsModelled(table, entity: entity, check) { check.usable.insert(table.name) }
        }
        let indexes = try indexes()
        for table in check.model.tables where check.usable.contains(table.name) {
            let entity = check.model.joins.first { $0.name == table.name }?.sourceEntity ?? table.name
            try checkIndexes(of: table, entity: entity, indexes, check)
        }
        try checkReferences(check)
        for (table, columns) in SQLLayout.ownColumns {
            if Set(columns).isSubset(of: try self.columns(of: table).keys) {
                check.usable.insert(table)
            } else if table != SQLLayout.sequenceTable {
                // The other table can be rebuilt from the rows.
                try check.found(StoreFault(.schema, "the table \(table) does not have the expected columns"))
            }
        }
    }

    // MARK: Tables

    /// Returns the definitions of a table's columns in the form that `CREATE TABLE` requires, by the columns' names.
    private func columns(of table: String) throws -> [String: String] {
        let sql = """
            SELECT a.attname::text, format_type(a.atttypid, a.atttypmod) \
            || CASE WHEN a.attcollation IN (0, t.typcollation) THEN '' ELSE ' COLLATE "' || c.collname || '"' END \
            || CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END \
            FROM pg_attribute AS a JOIN pg_type AS t ON t.oid = a.atttypid LEFT JOIN pg_collation AS c ON c.oid = a.attcollation \
            WHERE a.attnum > 0 AND NOT a.attisdropped AND a.attrelid = (SELECT oid FROM pg_class WHERE relname = $1 \
            AND relkind IN ('r', 'p') AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = $2))
            """
        var columns: [String: String] = [:]
        try forEach(sql, [.string(table), .string(settings.schema)]) { row in
            columns[row.field(at: 0).text ?? ""] = row.field(at: 1).text ?? ""
        }
        return columns
    }

    /// Reports the differences between a table and the model.
    ///
    /// - Returns: False if the table lacks a column of the model, so that its rows cannot be read.
    private func isAsModelled(
        _ table: TableDescription, entity: String, _ check: SQLCheck<Self>
    ) throws -> Bool {
        let columns = try columns(of: table.name)
        guard !columns.isEmpty else {
            try check.found(StoreFault(.schema, "the table \(table.name) is missing", entity: entity))
            return false
        }
        var isComplete = true
        for column in table.columns.sorted(by: { $0.name < $1.name }) {
            let wanted = check.layout.dialect.columnType(column.type) + (column.isNullable ? "" : " NOT NULL")
            guard columns[column.name] != wanted else { continue }
            let what = columns[column.name].map { "the column is “\($0)”, but should be “\(wanted)”" }
            // A column of another type cannot be read as the type of the model.
            isComplete =
                isComplete && columns[column.name].map { $0.hasPrefix(wanted) || wanted.hasPrefix($0) } ?? false
            try check.found(
                StoreFault(.schema, what ?? "the column is missing", entity: entity, attribute: column.name))
        }
        let known = Set(table.columns.map(\.name))
        for name in columns.keys.sorted() where !known.contains(name) {
            try check.found(
                StoreFault(.schema, "the model has no such column", entity: entity, attribute: name))
        }
        return isComplete
    }

    // MARK: References

    /// Reports reference columns of the model for which the database has no foreign key.
    private func checkReferences(_ check: SQLCheck<Self>) throws {
        let there = try PostgreSQLSchema(settings.schema, connection).references()
        for reference in check.layout.references
        where !there.contains(reference) && check.usable.isSuperset(of: [reference.table, reference.destination]) {
            let join = check.model.joins.first { $0.name == reference.table }
            try check.found(
                StoreFault(
                    .schema, "the server does not enforce its references to \(reference.destination)",
                    entity: join?.sourceEntity ?? reference.table,
                    attribute: join?.sourceRelationship ?? reference.column))
        }
    }

    // MARK: Indexes

    /// An index in the server's catalog.
    private struct Index {
        let name: String
        let table: String
        let columns: [String]
        let isUnique: Bool
        /// A Boolean value that indicates whether the index is valid and contains all rows of its table.
        let isWhole: Bool
        /// A Boolean value that indicates whether the index belongs to a primary key or a unique constraint of the
        /// table.
        let isOfConstraint: Bool
    }

    private func indexes() throws -> [Index] {
        let sql = """
            SELECT i.relname::text, t.relname::text, array_to_string(ARRAY(SELECT coalesce(a.attname::text, '?') \
            FROM unnest(x.indkey::smallint[]) WITH ORDINALITY AS k(number, place) \
            LEFT JOIN pg_attribute AS a ON a.attrelid = x.indrelid AND a.attnum = k.number ORDER BY k.place), chr(10)), \
            x.indisunique::int, (x.indisvalid AND x.indisready AND x.indpred IS NULL)::int, \
            (EXISTS (SELECT 1 FROM pg_constraint AS c WHERE c.conindid = x.indexrelid AND c.contype IN ('p', 'u')))::int \
            FROM pg_index AS x JOIN pg_class AS i ON i.oid = x.indexrelid JOIN pg_class AS t ON t.oid = x.indrelid \
            WHERE i.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = $1) ORDER BY 1
            """
        var indexes: [Index] = []
        try forEach(sql, [.string(settings.schema)]) { row in
            indexes.append(
                Index(
                    name: row.field(at: 0).text ?? "", table: row.field(at: 1).text ?? "",
                    columns: (row.field(at: 2).text ?? "").split(separator: "\n").map(String.init),
                    isUnique: row.integer(at: 3) == 1, isWhole: row.integer(at: 4) == 1,
                    isOfConstraint: row.integer(at: 5) == 1))
        }
        return indexes
    }

    private func checkIndexes(
        of table: TableDescription, entity: String, _ all: [Index], _ check: SQLCheck<Self>
    ) throws {
        for index in table.indexes {
            let name = PostgreSQLLayout.keptName(index.name)
            let there = all.first { $0.name == name }
            if let there, there.table == table.name, there.columns == index.columns, there.isWhole,
                there.isUnique == index.isUnique
            {
                continue
            }
            // An index that a constraint created can only be dropped together with the constraint.
            let canBeMade = there?.isOfConstraint != true
            try check.found(
                StoreFault(
                    .index, "the index \(index.name) is \(there == nil ? "missing" : "different from the model's")",
                    entity: entity, isRepairable: canBeMade),
                canBeMade ? .index(index, table, replaces: there != nil) : nil)
        }
        try checkKeys(of: table, entity: entity, all.filter { $0.table == table.name }, check)
    }

    /// Checks the primary key and the unique columns of a table, whose indexes belong to constraints.
    private func checkKeys(
        of table: TableDescription, entity: String, _ indexes: [Index], _ check: SQLCheck<Self>
    ) throws {
        let keys =
            [table.primaryKey] + table.columns.filter { $0.isUnique && [$0.name] != table.primaryKey }.map { [$0.name] }
        let unique = keys + table.indexes.filter(\.isUnique).map(\.columns)
        for key in keys
        where !indexes.contains(where: { $0.isUnique && $0.isWhole && $0.columns == key }) {
            try check.found(
                StoreFault(
                    .index, "the server does not enforce its uniqueness", entity: entity,
                    attribute: key.joined(separator: ", ")))
        }
        for index in indexes where index.isUnique && !unique.contains(index.columns) {
            try check.found(
                StoreFault(
                    .index, "the index \(index.name) enforces a uniqueness that the model does not declare",
                    entity: entity))
        }
    }

    // MARK: Checks by the server

    /// Compares each index with its table, if the extension `amcheck` is installed and the database role may use it.
    func checkFiles(_ check: SQLCheck<Self>) throws {
        let sql = """
            SELECT p.pronamespace::regnamespace::text FROM pg_extension AS e JOIN pg_proc AS p ON p.pronamespace = e.extnamespace \
            WHERE e.extname = 'amcheck' AND p.proname = 'bt_index_check' AND p.pronargs = 2 \
            AND has_function_privilege(p.oid, 'EXECUTE')
            """
        guard let schema = try connection.text(sql) else { return }
        let looking = """
            SELECT 1 FROM (SELECT \(schema).bt_index_check(oid, true) FROM pg_class WHERE relname = $1 \
            AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = $2)) AS looked
            """
        for index in try indexes() {
            guard let table = check.model.tables.first(where: { $0.name == index.table }) else { continue }
            do {
                try connection.attempt {
                    try connection.run(looking, .string(index.name), .string(settings.schema))
                }
            } catch let error as PersistenceError where [.corrupt, .database].contains(error.code) {
                let join = check.model.joins.first { $0.name == table.name }
                try check.found(
                    StoreFault(
                        .index, "the server's check: \(error.message)", entity: join?.sourceEntity ?? table.name,
                        isRepairable: true), Self.rebuilding(index.name))
            }
        }
    }

    private static func rebuilding(_ index: String) -> SQLRepairs<Self>.Repair {
        .engine(
            SQLRepairs.Own("3 \(index)") { _ in
                [
                    SQLRepairs.Attempt("rebuilt the index \(index)", failing: "cannot rebuild the index \(index)") {
                        try $0.execute("REINDEX INDEX \(PostgreSQLSettings.quoted(index))")
                    }
                ]
            })
    }
}
#endif
