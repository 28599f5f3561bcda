package import StrataCore

/// The database views of a store, which are created with the store, dropped before its tables change, and then created
/// again.
///
/// Strata itself does not read the views. A table of the store lists them, so that Strata changes no views of other
/// programs.
package struct SQLViews<Connection: SQLConnection> {
    private let layout: SQLLayout
    private let connection: Connection

    /// Creates an object that manages the views of a store.
    ///
    /// - Parameters:
    ///   - layout: The layout of the store's model.
    ///   - connection: A connection to the store.
    package init(_ layout: SQLLayout, on connection: Connection) {
        (self.layout, self.connection) = (layout, connection)
    }

    /// The codes of errors because of which views cannot be created although all other operations succeed.
    package static var hindrances: Set<PersistenceError.Code> {
        [.locked, .diskFull, .readOnly, .permissionDenied, .inputOutput]
    }

    /// The definition of a view: the text that the store's table lists, and the text that the database has for the
    /// view.
    private struct Known: Equatable {
        var text: String
        var definition: String
    }

    /// Returns a Boolean value that indicates whether the store has the table that lists its views; stores of earlier
    /// versions have none.
    package func hasTable() throws -> Bool {
        try connection.texts(layout.dialect.relationNames).contains(SQLLayout.viewTable)
    }

    /// Returns the names of views that are missing, that differ from those of the model, or that the model does not
    /// define.
    ///
    /// - Throws: ``PersistenceError`` if the database cannot be read.
    package func differences() throws -> [String] {
        guard try hasTable() else { return try expected([:]).map(\.name) }
        let (listed, found) = (try listed(), try found())
        let expected = Dictionary(
            try expected(listed).map { ($0.name, $0.creation) }, uniquingKeysWith: { first, _ in first })
        return Set(listed.keys).union(expected.keys).sorted().filter { name in
            guard let view = listed[name], let creation = expected[name] else { return true }
            return view.text != creation || view.definition != found[name]
        }
    }

    /// Creates all views of the model in the connection's open transaction.
    ///
    /// - Throws: ``PersistenceError`` if a view cannot be created.
    package func make() throws {
        if try hasTable() { try drop() } else { try connection.execute(layout.viewTableCreation) }
        let views = try expected([:])
        for view in views { try connection.execute(view.creation) }
        let found = try found()
        for view in views {
            try connection.run(
                "INSERT INTO \(SQLLayout.viewTable) VALUES (\(layout.parameters(5)))",
                [
                    .string(view.name), .string(view.entity), view.relationship.map(StoredValue.string) ?? .null,
                    .string(view.creation), .string(found[view.name] ?? ""),
                ])
        }
    }

    /// Drops all listed views of the store in the connection's open transaction.
    ///
    /// - Throws: ``PersistenceError`` if a view cannot be dropped.
    package func drop() throws {
        guard try hasTable() else { return }
        let found = try found()
        for name in try listed().keys.sorted() where found[name] != nil {
            try connection.execute("DROP VIEW \(SQLLayout.quoted(name))")
        }
        try connection.execute("DELETE FROM \(SQLLayout.viewTable)")
    }

    private func expected(_ listed: [String: Known]) throws -> [SQLView] {
        layout.views(taken: try connection.texts(layout.dialect.relationNames).filter { listed[$0] == nil })
    }

    private func listed() throws -> [String: Known] {
        let texts = try pairs("SELECT name, text FROM \(SQLLayout.viewTable)")
        let definitions = try pairs("SELECT name, definition FROM \(SQLLayout.viewTable)")
        return texts.reduce(into: [:]) { $0[$1.key] = Known(text: $1.value, definition: definitions[$1.key] ?? "") }
    }

    /// Returns the definitions that the database has for views, by the views' names.
    private func found() throws -> [String: String] { try pairs(layout.dialect.viewDefinitions) }

    private func pairs(_ sql: String) throws -> [String: String] {
        let statement = try connection.statement(sql)
        defer { statement.reset() }
        var pairs: [String: String] = [:]
        while try statement.step() {
            guard case .string(let name)? = try statement.value(at: 0, as: .string),
                case .string(let value)? = try statement.value(at: 1, as: .string)
            else { continue }
            pairs[name] = value
        }
        return pairs
    }
}

extension SQLLayout {
    /// Raises the store's count of migrations, by which other processes that have the store open notice the change.
    ///
    /// - Returns: The new count of migrations.
    package func countFollowing(on connection: some SQLConnection) throws -> Int64 {
        let before = try connection.text(metadataSelection, .string(Self.generationKey)).flatMap { Int64($0) } ?? 0
        try connection.run(metadataUpsert, .string(Self.generationKey), .string(String(before + 1)))
        try connection.run(metadataUpsert, .string(Self.versionKey), .string(try model.versionHash()))
        return before + 1
    }

    /// The name of the table that lists the views of the store.
    package static let viewTable = "strata_views"

    /// The names of the store's own tables, which no entity has.
    package static let ownTableNames = [metadataTable, sequenceTable, viewTable] + historyTableNames

    /// The statement that creates the table that lists the store's views, with the `CREATE VIEW` text and the
    /// database's definition of each view.
    package var viewTableCreation: String {
        let text = dialect.columnType(.string)
        return "CREATE TABLE \(Self.viewTable) (name \(text) NOT NULL PRIMARY KEY, entity \(text) NOT NULL, "
            + "relationship \(text), text \(text) NOT NULL, definition \(text) NOT NULL)"
            + dialect.tableOptions(keyColumns: 1)
    }
}
