import CStrataSQLite
import StrataCore
import StrataSQL

/// The queries about tables and indexes, and SQLite's own check of the file.
extension SQLiteCheckEngine {
    var catalogQueries: SQLCatalogQueries {
        var queries = SQLCatalogQueries(
            columns: """
                SELECT m.name, x.name, upper(x.type), x."notnull" OR x.pk FROM sqlite_schema m, pragma_table_xinfo(m.name) x \
                WHERE m.type = 'table'
                """,
            // A primary key that is the row number has no index.
            indexes: """
                SELECT l.name, m.name, (SELECT group_concat(coalesce(x.name, '?') || CASE WHEN x."desc" THEN ' DESC' ELSE '' END \
                || CASE x.coll WHEN 'BINARY' THEN '' ELSE ' COLLATE ' || x.coll END, char(10)) \
                FROM pragma_index_xinfo(l.name) x WHERE x.key), l."unique", NOT l.partial, l.origin <> 'c' \
                FROM sqlite_schema m, pragma_index_list(m.name) l WHERE m.type = 'table' \
                UNION ALL SELECT '', m.name, x.name, 1, 1, 1 FROM sqlite_schema m, pragma_table_xinfo(m.name) x \
                WHERE m.type = 'table' AND x.pk AND NOT EXISTS \
                (SELECT 1 FROM pragma_index_list(m.name) l WHERE l.origin = 'pk') ORDER BY 1
                """,
            references: """
                SELECT m.name, f."from", f."table" || CASE WHEN coalesce(f."to", 'id') = 'id' AND f.on_update = 'NO ACTION' \
                AND f.on_delete = 'NO ACTION' THEN '' ELSE ' ' || coalesce(f."to", '') || ' ON UPDATE ' || f.on_update \
                || ' ON DELETE ' || f.on_delete END FROM sqlite_schema m, pragma_foreign_key_list(m.name) f \
                WHERE m.type = 'table'
                """,
            otherNames: "SELECT name, type FROM sqlite_schema WHERE type <> 'index'")
        queries.options = """
            SELECT name, CASE WHEN strict THEN ' STRICT' ELSE '' END || CASE WHEN wr THEN ', WITHOUT ROWID' ELSE '' END \
            FROM pragma_table_list WHERE schema = 'main'
            """
        queries.triggers = "SELECT tbl_name, name FROM sqlite_schema WHERE type = 'trigger' ORDER BY name"
        return queries
    }

    /// Returns the name in lower case, because SQLite ignores the case of ASCII letters in names.
    func catalogName(_ name: String) -> String { name.foldingASCIICase() }
    /// Returns true, because SQLite stores the type with each value.
    func canRead(_ type: String, as wanted: String) -> Bool { true }

    // MARK: The file

    /// The maximum count of problems that SQLite's own check reports; SQLite keeps all of them in memory.
    ///
    /// A single damaged page causes many problems.
    private static let mostLines = 1000

    /// Runs SQLite's own check of pages, indexes and constraints.
    func checkFiles(_ check: SQLCheck<Self>) throws {
        let model = check.model
        var tables: [String: (entity: String, key: UniqueKey?)] = [:]
        var (count, doubted): (Int, Set<String>) = (0, [])
        do {
            tables = try indexedTables(model)
            try forEach("PRAGMA main.integrity_check(\(Self.mostLines))") { statement in
                let text = text(statement, at: 0) ?? ""
                for line in text.split(separator: "\n").map(String.init) where line != "ok" && !line.hasPrefix("***") {
                    count += 1
                    if check.columnsWithWrongTypes.contains(where: { line.hasSuffix(" value in \($0)") }) { continue }
                    let index = tables.keys.filter { line.hasSuffix("index \($0)") }.max { $0.count < $1.count }
                    if let index { doubted.insert(index) }
                    try check.found(
                        StoreFault(
                            index == nil ? .file : .index, "SQLite's check: \(line)",
                            entity: index.flatMap { tables[$0]?.entity }, isRepairable: index != nil), Self.everyIndex)
                }
            }
        } catch let error as PersistenceError where error.code == .corrupt {
            try check.found(StoreFault(.file, "SQLite's check ends: \(error.message)"), Self.everyIndex)
        }
        if count >= Self.mostLines {
            try check.found(StoreFault(.file, "SQLite's check found more and stopped"))
        }
        for index in doubted.sorted() {
            guard let (entity, key) = tables[index], let key,
                let entity = model.entities.first(where: { $0.name == entity })
            else {
                continue
            }
            do {
                try check.checkUniqueness(entity, of: key)
            } catch let error as PersistenceError where [.corrupt, .diskFull, .inputOutput].contains(error.code) {
                // The damage of the index is already reported. There are not enough resources to find the affected
                // rows.
            }
        }
    }

    /// Returns, by the name of each index, the entity of its table, and the model's unique key if the index enforces
    /// one.
    private func indexedTables(_ model: ManagedObjectModel) throws -> [String: (entity: String, key: UniqueKey?)] {
        var tables: [String: (entity: String, key: UniqueKey?)] = [:]
        for table in model.tables {
            let entity = model.joins.first { $0.name == table.name }?.sourceEntity ?? table.name
            let described = model[table.name]
            let sql = """
                SELECT l.name, CASE WHEN l."unique" THEN (SELECT group_concat(name, ', ') FROM (SELECT name FROM \
                pragma_index_info(l.name) ORDER BY seqno)) END FROM pragma_index_list(?) l
                """
            try forEach(sql, [.string(table.name)]) { statement in
                guard let name = text(statement, at: 0) else { return }
                let columns = text(statement, at: 1)
                tables[name] = (entity, described.flatMap { columns.flatMap($0.uniqueKey(named:)) })
            }
        }
        return tables
    }
}
