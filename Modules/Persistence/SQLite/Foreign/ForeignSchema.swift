import CStrataSQLite
import StrataCore

/// The reading of the schema of a database of another program.
struct ForeignSchema {
    private let connection: SQLiteConnection
    private let readsViews: Bool

    init(_ connection: SQLiteConnection, readsViews: Bool) {
        (self.connection, self.readsViews) = (connection, readsViews)
    }

    /// Returns the tables that can be read, and notes about the others.
    func read() throws -> (tables: [ForeignTable], notes: [String]) {
        var (tables, notes): ([ForeignTable], [String]) = ([], [])
        let list = try rows("SELECT name, type, wr FROM pragma_table_list WHERE schema = 'main' ORDER BY name")
        for row in list {
            guard case .string(let name) = row[0], case .string(let type) = row[1],
                !name.lowercased().hasPrefix("sqlite_")
            else { continue }
            switch type {
            case "table":
                if let table = try table(name, isWithoutRowNumbers: row[2] == .integer(1), &notes) {
                    tables.append(table)
                }
            case "view" where readsViews:
                do throws { if let view = try view(name) { tables.append(view) } } catch {
                    notes.append(
                        "\(name): the view cannot be read: \((error as? PersistenceError)?.message ?? "\(error)")")
                }
            case "view": notes.append("\(name): a view is read only on request")
            case "virtual": notes.append("\(name): a virtual table is not read")
            // The tables in which a virtual table stores its data.
            default: break
            }
        }
        let labels = Self.labels(tables.map(\.name), otherwise: "table")
        for (place, label) in labels.enumerated() { tables[place].label = label }
        return (tables, notes)
    }

    /// Returns different names that are not empty, because files and models cannot distinguish others.
    private static func labels(_ names: [String], otherwise word: String) -> [String] {
        var taken = Set(names)
        var used: Set<String> = []
        return names.enumerated().map { place, name in
            let base = name.isEmpty ? "\(word)\(place + 1)" : name
            // Texts with the same normal form are equal.
            if !name.isEmpty, used.insert(name).inserted { return name }
            var number = 2
            var label = name.isEmpty ? base : "\(base)_\(number)"
            while !taken.insert(label).inserted {
                number += 1
                label = "\(base)_\(number)"
            }
            return label
        }
    }

    private static func label(_ columns: inout [ForeignTable.Column]) {
        let labels = labels(columns.map(\.name), otherwise: "column")
        for (place, label) in labels.enumerated() { columns[place].label = label }
    }

    /// Returns the rows of a statement, whose values are texts, whole numbers or null.
    private func rows(_ sql: String, _ values: String...) throws -> [[StoredValue]] {
        let statement = try connection.statement(sql)
        defer { statement.reset() }
        try statement.bind(values.map(StoredValue.string))
        var rows: [[StoredValue]] = []
        let count = sqlite3_column_count(statement.handle)
        while try statement.step() {
            rows.append(
                (0..<count).map { column in
                    switch SQLiteValues.raw(statement.handle, column) {
                    case .integer(let number): .integer(number)
                    case .text(let bytes): .string(String(decoding: bytes, as: UTF8.self))
                    case .null, .real, .blob: .null
                    }
                })
        }
        return rows
    }

    private func table(_ name: String, isWithoutRowNumbers: Bool, _ notes: inout [String]) throws -> ForeignTable? {
        var columns: [ForeignTable.Column] = []
        var keys: [(place: Int64, name: String)] = []
        let sql = "SELECT name, type, \"notnull\", pk, hidden FROM pragma_table_xinfo(?)"
        for row in try rows(sql, name) {
            guard case .string(let column) = row[0], case .integer(let hidden) = row[4], hidden != 1 else { continue }
            let declared = if case .string(let text) = row[1] { text } else { "" }
            // A generated column may use a function that only the other program has.
            if hidden > 1, try !canRead(column, of: name) {
                notes.append("\(name).\(column): the generated column cannot be computed and is not read")
                continue
            }
            columns.append(.init(name: column, declared: declared, isRequired: row[2] == .integer(1)))
            if case .integer(let place) = row[3], place > 0 { keys.append((place, column)) }
        }
        guard !columns.isEmpty else { return nil }
        Self.label(&columns)
        func labels(_ names: [String]) -> [String] {
            names.compactMap { name in columns.first { $0.name.utf8.elementsEqual(name.utf8) }?.label }
        }
        keys.sort { $0.place < $1.place }
        let indexes = try indexes(of: name)
        // A key without an index of its own is the number of the row.
        let isRowNumber = keys.count == 1 && !isWithoutRowNumbers && !indexes.contains { $0.isPrimary }
        let names = Set(columns.map { $0.name.lowercased() })
        let hidden = ["rowid", "oid", "_rowid_"].first { !names.contains($0) }
        let order =
            isWithoutRowNumbers ? keys.map { ForeignName.quoted($0.name) } : [hidden].compactMap(\.self)
        return ForeignTable(
            name: name, columns: columns, declaredKey: labels(keys.map(\.name)),
            uniqueKeys: indexes.filter { !$0.isPrimary }.map { labels($0.columns) },
            references: try references(of: name, labels: labels),
            rowColumn: isRowNumber ? labels([keys[0].name]).first : nil, order: order)
    }

    /// Returns a view as a table without keys.
    private func view(_ name: String) throws -> ForeignTable? {
        var columns = try rows("SELECT name, type FROM pragma_table_xinfo(?) WHERE hidden <> 1", name).compactMap {
            row in
            guard case .string(let column) = row[0] else { return nil as ForeignTable.Column? }
            let declared = if case .string(let text) = row[1] { text } else { "" }
            return .init(name: column, declared: declared, isRequired: false)
        }
        guard !columns.isEmpty else { return nil }
        Self.label(&columns)
        return ForeignTable(
            name: name, columns: columns, declaredKey: [], uniqueKeys: [], references: [], isView: true, order: [])
    }

    /// Returns a Boolean value that indicates whether SQLite can compute a generated column.
    private func canRead(_ column: String, of table: String) throws -> Bool {
        let sql = "SELECT max(length(\(ForeignName.quoted(column)))) FROM \(ForeignName.quoted(table))"
        do {
            _ = try connection.text(sql)
            return true
        } catch let error as PersistenceError where error.code == .database {
            return false
        }
    }

    /// Returns the columns of the unique indexes of a table that contain all rows and no expressions.
    private func indexes(of table: String) throws -> [(columns: [String], isPrimary: Bool)] {
        try rows("SELECT name, origin FROM pragma_index_list(?) WHERE \"unique\" = 1 AND partial = 0", table).compactMap
        {
            index in
            guard case .string(let name) = index[0] else { return nil }
            let columns = try rows("SELECT name FROM pragma_index_xinfo(?) WHERE key = 1 ORDER BY seqno", name).map {
                if case .string(let column) = $0[0] { column } else { nil as String? }
            }
            guard !columns.contains(nil) else { return nil }
            return (columns.compactMap(\.self), index[1] == .string("pk"))
        }
    }

    /// Returns the declared references of a table; a reference without column names refers to the primary key.
    private func references(
        of table: String, labels: ([String]) -> [String]
    ) throws -> [ForeignTable.Reference] {
        let sql = "SELECT id, \"table\", \"from\", \"to\", on_delete FROM pragma_foreign_key_list(?) ORDER BY id, seq"
        var groups: [[[StoredValue]]] = []
        for row in try rows(sql, table) {
            if groups.last?.first?[0] == row[0] { groups[groups.count - 1].append(row) } else { groups.append([row]) }
        }
        return groups.compactMap { rows in
            guard case .string(let other) = rows[0][1] else { return nil }
            func names(_ place: Int) -> [String] {
                rows.compactMap { if case .string(let name) = $0[place] { name } else { nil } }
            }
            let rule: DeleteRule =
                switch rows[0][4] {
                case .string("CASCADE"): .cascade
                case .string("SET NULL"): .nullify
                case .string("RESTRICT"): .deny
                default: .noAction
                }
            return ForeignTable.Reference(columns: labels(names(2)), table: other, keys: names(3), deleteRule: rule)
        }
    }
}

/// The names of a database of another program, which can contain any characters.
enum ForeignName {
    static func quoted(_ name: String) -> String { "\"" + name.replacing("\"", with: "\"\"") + "\"" }
}
