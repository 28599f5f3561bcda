package import StrataCore

/// The queries that read the tables, columns, indexes and references of a store's schema from an engine's catalog.
///
/// Each query returns texts, and integers for Boolean values.
package struct SQLCatalogQueries {
    /// The table, the name of the column, its type, and whether it rejects null; one row for each column.
    package var columns: String
    /// The name of the index, the table, the index's columns, and three Boolean values.
    ///
    /// The columns are separated by newlines. The values indicate whether the index is unique, whether it is valid and
    /// contains all rows, and whether a constraint of the table created it.
    package var indexes: String
    /// The table, the column, and the table to which the column refers.
    package var references: String
    /// The name and the kind of each object that is not an index but prevents an index with its name.
    package var otherNames: String
    /// The table, and the options with which it was created; `nil` if the engine's tables have no options.
    package var options: String?
    /// The table, and the name of a trigger on it; `nil` if triggers are not reported.
    package var triggers: String?
    /// The values of the parameters of each query.
    package var values: [StoredValue] = []

    package init(columns: String, indexes: String, references: String, otherNames: String) {
        (self.columns, self.indexes, self.references, self.otherNames) = (columns, indexes, references, otherNames)
    }
}

/// The tables, columns, indexes and references that an engine's catalog describes.
struct SQLCatalog {
    struct Column: Equatable {
        let type: String
        let rejectsNull: Bool

        var definition: String { type + (rejectsNull ? " NOT NULL" : "") }
    }

    struct Index {
        let name: String
        let table: String
        /// The names of the columns, followed by the order and the collation where they are not the usual ones.
        let columns: [String]
        let isUnique: Bool
        /// A Boolean value that indicates whether the index is valid and contains all rows of its table.
        let isWhole: Bool
        /// A Boolean value that indicates whether a primary key or a unique constraint created the index.
        let isOfConstraint: Bool
    }

    private(set) var tables: [String: [String: Column]] = [:]
    private(set) var indexes: [Index] = []
    private(set) var references: Set<SQLLayout.Reference> = []
    /// The kinds of the objects that are not indexes, by name in the form of ``SQLCheckEngine/catalogName(_:)``.
    private(set) var otherNames: [String: String] = [:]
    /// The options of the tables, by the tables' names; `nil` if the engine's tables have no options.
    private(set) var options: [String: String]?
    private(set) var triggers: [(table: String, name: String)] = []

    /// Reads the catalog of an engine.
    init<Engine: SQLCheckEngine>(_ engine: Engine) throws {
        let queries = engine.catalogQueries
        func forEach(_ sql: String, _ body: (Engine.Connection.Statement, [String]) throws -> Void) throws {
            try engine.forEach(sql, queries.values) { row in
                try body(row, (0..<2).map { engine.text(row, at: $0) ?? "" })
            }
        }
        try forEach(queries.columns) { row, names in
            tables[names[0], default: [:]][names[1]] = Column(
                type: engine.text(row, at: 2) ?? "", rejectsNull: row.integer(at: 3) != 0)
        }
        try forEach(queries.indexes) { row, names in
            indexes.append(
                Index(
                    name: names[0], table: names[1],
                    columns: (engine.text(row, at: 2) ?? "").split(separator: "\n").map(String.init),
                    isUnique: row.integer(at: 3) != 0, isWhole: row.integer(at: 4) != 0,
                    isOfConstraint: row.integer(at: 5) != 0))
        }
        try forEach(queries.references) { row, names in
            references.insert(
                SQLLayout.Reference(
                    table: names[0], column: names[1], destination: engine.text(row, at: 2) ?? ""))
        }
        try forEach(queries.otherNames) { _, names in otherNames[engine.catalogName(names[0])] = names[1] }
        if let sql = queries.options {
            options = [:]
            try forEach(sql) { _, names in options?[names[0]] = names[1] }
        }
        if let sql = queries.triggers { try forEach(sql) { _, names in triggers.append((names[0], names[1])) } }
    }
}
