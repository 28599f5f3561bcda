#if PostgreSQL
import StrataCore
import StrataSQL

/// The queries about the server's catalog, and the server's own check of indexes.
///
/// Source: postgresql.org/docs/15/catalogs.html.
extension PostgreSQLCheckEngine {
    private static let schema = "(SELECT oid FROM pg_namespace WHERE nspname = $1)"

    var catalogQueries: SQLCatalogQueries {
        var queries = SQLCatalogQueries(
            columns: """
                SELECT r.relname::text, a.attname::text, format_type(a.atttypid, a.atttypmod) \
                || CASE WHEN a.attcollation IN (0, t.typcollation) THEN '' ELSE ' COLLATE "' || c.collname || '"' END, \
                a.attnotnull::int \
                FROM pg_class AS r JOIN pg_attribute AS a ON a.attrelid = r.oid JOIN pg_type AS t ON t.oid = a.atttypid \
                LEFT JOIN pg_collation AS c ON c.oid = a.attcollation \
                WHERE a.attnum > 0 AND NOT a.attisdropped AND r.relkind IN ('r', 'p') AND r.relnamespace = \(Self.schema)
                """,
            indexes: """
                SELECT i.relname::text, t.relname::text, array_to_string(ARRAY(SELECT coalesce(a.attname::text, '?') \
                FROM unnest(x.indkey::smallint[]) WITH ORDINALITY AS k(number, place) \
                LEFT JOIN pg_attribute AS a ON a.attrelid = x.indrelid AND a.attnum = k.number ORDER BY k.place), chr(10)), \
                x.indisunique::int, (x.indisvalid AND x.indisready AND x.indpred IS NULL)::int, \
                (EXISTS (SELECT 1 FROM pg_constraint AS c WHERE c.conindid = x.indexrelid AND c.contype IN ('p', 'u')))::int \
                FROM pg_index AS x JOIN pg_class AS i ON i.oid = x.indexrelid JOIN pg_class AS t ON t.oid = x.indrelid \
                WHERE i.relnamespace = \(Self.schema) ORDER BY 1
                """,
            references: """
                SELECT t.relname::text, a.attname::text, d.relname::text FROM pg_constraint AS c \
                JOIN pg_class AS t ON t.oid = c.conrelid JOIN pg_class AS d ON d.oid = c.confrelid \
                JOIN pg_attribute AS a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1] \
                WHERE \(PostgreSQLSchema.areReferences) AND t.relnamespace = \(Self.schema)
                """,
            otherNames: """
                SELECT relname::text, CASE relkind WHEN 'v' THEN 'view' WHEN 'S' THEN 'sequence' ELSE 'table' END \
                FROM pg_class WHERE relkind NOT IN ('i', 'I') AND relnamespace = \(Self.schema)
                """)
        queries.values = [.string(settings.schema)]
        return queries
    }

    /// Returns the form in which the server stores the name.
    func catalogName(_ name: String) -> String { PostgreSQLLayout.keptName(name) }
    /// Returns false if the types differ in more than the collation.
    func canRead(_ type: String, as wanted: String) -> Bool { type.hasPrefix(wanted) || wanted.hasPrefix(type) }

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
            SELECT 1 FROM (SELECT \(schema).bt_index_check(oid, true) FROM pg_class WHERE relnamespace = \(Self.schema) \
            AND relname = $2) AS looked
            """
        let indexes = """
            SELECT i.relname::text FROM pg_index AS x JOIN pg_class AS i ON i.oid = x.indexrelid \
            JOIN pg_class AS t ON t.oid = x.indrelid WHERE t.relnamespace = \(Self.schema) AND t.relname = $2 ORDER BY 1
            """
        for table in check.model.tables {
            let join = check.model.joins.first { $0.name == table.name }
            for index in try connection.texts(indexes, .string(settings.schema), .string(table.name)) {
                do {
                    try connection.attempt { try connection.run(looking, .string(settings.schema), .string(index)) }
                } catch let error as PersistenceError where [.corrupt, .database].contains(error.code) {
                    try check.found(
                        StoreFault(
                            .index, "the server's check: \(error.message)", entity: join?.sourceEntity ?? table.name,
                            isRepairable: true), Self.rebuilding(index))
                }
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
