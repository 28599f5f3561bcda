import CStrataSQLite
import StrataCore
import StrataSQL

/// The checks of tables and indexes against the model, and SQLite's own check of the file.
extension SQLiteCheckEngine {
    /// Compares the tables and indexes of the store with those of a new store, as SQLite describes both.
    func checkSchema(_ check: SQLCheck<Self>) throws {
        let (model, layout) = (check.model, check.layout)
        let fresh = try SQLiteConnection(path: ":memory:", access: .create, busyTimeout: .zero)
        defer { fresh.close() }
        for statement in layout.schema() { try fresh.execute(statement) }
        for table in model.tables {
            let entity = model.joins.first { $0.name == table.name }?.sourceEntity ?? table.name
            if try isAsModelled(table.name, entity: entity, fresh, check) { check.usable.insert(table.name) }
            try checkIndexes(of: table, entity: entity, fresh, check)
        }
        try checkTriggers(check)
        for (table, columns) in SQLLayout.ownColumns {
            let names = try connection.texts("SELECT name FROM pragma_table_info(?)", .string(table))
            if Set(columns).isSubset(of: names), try connection.hasTable(table) {
                check.usable.insert(table)
            } else if table != SQLLayout.sequenceTable {
                // The table of next identifiers can be rebuilt from the rows.
                try check.found(StoreFault(.schema, "the table \(table) does not have the expected columns"))
            }
        }
    }

    /// Reports the differences between a table and the model.
    ///
    /// - Returns: False if the table lacks a column of the model, so that its rows cannot be read.
    private func isAsModelled(
        _ table: String, entity: String, _ fresh: SQLiteConnection, _ check: SQLCheck<Self>
    ) throws -> Bool {
        let (columns, wanted) = (try connection.columns(of: table), try fresh.columns(of: table))
        guard !columns.isEmpty, try connection.hasTable(table) else {
            try check.found(StoreFault(.schema, "the table \(table) is missing", entity: entity))
            return false
        }
        var isComplete = true
        for (name, definition) in wanted.sorted(by: { $0.key < $1.key }) where columns[name] != definition {
            isComplete = isComplete && columns[name] != nil
            try check.found(
                StoreFault(
                    .schema,
                    columns[name].map { "the column is “\($0)”, but should be “\(definition)”" }
                        ?? "the column is missing", entity: entity, attribute: name))
        }
        for name in columns.keys.sorted() where wanted[name] == nil {
            try check.found(StoreFault(.schema, "the model has no such column", entity: entity, attribute: name))
        }
        for (query, what) in SQLiteConnection.tableProperties {
            let values = try [connection, fresh].map { try $0.texts(query, .string(table)) }
            guard values[0] != values[1] else { continue }
            try check.found(StoreFault(.schema, "\(what) of the table \(table) differ from the model", entity: entity))
        }
        return isComplete
    }

    private func checkIndexes(
        of table: TableDescription, entity: String, _ fresh: SQLiteConnection, _ check: SQLCheck<Self>
    ) throws {
        let model = check.model
        let (indexes, wanted) = (try connection.indexes(of: table.name), try fresh.indexes(of: table.name))
        for index in table.indexes where indexes[index.name] != wanted[index.name] {
            // The name is unique in the schema, regardless of its table and of its case.
            let holder = try connection.text(
                "SELECT type FROM sqlite_schema WHERE name = ? COLLATE NOCASE", .string(index.name))
            let exists = holder == "index"
            let canBeMade = check.usable.contains(table.name) && (exists || holder == nil)
            let what =
                exists ? "different from the model's" : "missing" + (holder.map { "; a \($0) has its name" } ?? "")
            try check.found(
                StoreFault(
                    .index, "the index \(index.name) is \(what)", entity: entity, isRepairable: canBeMade),
                canBeMade ? .index(index, table, replaces: exists) : nil)
        }
        // An additional index does not change any result, unless it is unique and rejects rows.
        let ours = Set(model.tables.flatMap(\.indexes).map { $0.name.lowercased() })
        for (name, definition) in indexes.sorted(by: { $0.key < $1.key })
        where definition.hasPrefix("1") && !ours.contains(name.lowercased()) {
            try check.found(
                StoreFault(
                    .index, "the index \(name) enforces a uniqueness that the model does not declare", entity: entity))
        }
    }

    /// Reports triggers as faults.
    ///
    /// Strata opens files with triggers disabled, but other programs that write to a file run its triggers.
    private func checkTriggers(_ check: SQLCheck<Self>) throws {
        let model = check.model
        let tables = model.tables.map { table in
            (table.name, model.joins.first { $0.name == table.name }?.sourceEntity ?? table.name)
        }
        for (table, entity) in tables.map({ ($0, Optional($1)) }) + SQLLayout.ownColumns.map({ ($0.0, nil) }) {
            let sql = """
                SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ? COLLATE NOCASE ORDER BY name
                """
            for name in try connection.texts(sql, .string(table)) {
                try check.found(
                    StoreFault(.schema, "the trigger \(name) changes what other programs write", entity: entity))
            }
        }
    }

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

extension SQLiteConnection {
    /// Returns a Boolean value that indicates whether the database has a table with exactly this name.
    ///
    /// SQLite itself ignores the case of table names, but Strata requires the exact name when it opens a store.
    fileprivate func hasTable(_ name: String) throws -> Bool {
        try number("SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = ?", .string(name)) == 1
    }

    /// Returns SQLite's descriptions of a table's columns, by the columns' names.
    fileprivate func columns(of table: String) throws -> [String: String] {
        let sql = """
            SELECT name || char(10) || upper(type) || CASE WHEN "notnull" THEN ' NOT NULL' ELSE '' END || CASE WHEN pk \
            THEN ' PRIMARY KEY ' || pk ELSE '' END FROM pragma_table_xinfo(?)
            """
        return Self.pairs(try texts(sql, .string(table)))
    }

    /// Returns the definitions of a table's indexes, by the indexes' names; the indexes of constraints are omitted.
    fileprivate func indexes(of table: String) throws -> [String: String] {
        let sql = """
            SELECT l.name || char(10) || l."unique" || l.partial || (SELECT group_concat(coalesce(x.name, '?') || \
            x."desc" || x.coll) FROM pragma_index_xinfo(l.name) x WHERE x.key) FROM pragma_index_list(?) l WHERE \
            l.origin = 'c'
            """
        return Self.pairs(try texts(sql, .string(table)))
    }

    /// The further properties of a table: for each, a query that returns sorted texts, and a name for messages.
    fileprivate static let tableProperties = [
        ("SELECT wr || strict FROM pragma_table_list(?) WHERE schema = 'main'", "options"),
        (
            "SELECT \"from\" || ' ' || \"table\" || ' ' || coalesce(\"to\", '') || on_update || on_delete FROM "
                + "pragma_foreign_key_list(?) ORDER BY 1", "references"
        ),
        (
            "SELECT l.origin || (SELECT group_concat(name) FROM pragma_index_info(l.name)) FROM pragma_index_list(?) l "
                + "WHERE l.origin <> 'c' ORDER BY 1", "keys and unique columns"
        ),
    ]

    private static func pairs(_ lines: [String]) -> [String: String] {
        let pairs = lines.map { line -> (String, String) in
            let parts = line.split(separator: "\n", maxSplits: 1).map(String.init)
            return (parts.first ?? "", parts.dropFirst().first ?? "")
        }
        return Dictionary(pairs) { first, _ in first }
    }
}
