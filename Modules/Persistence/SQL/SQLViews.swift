package import StrataCore

/// The views of a store, which are created with the store, dropped before its tables change, and created again.
///
/// Strata itself does not read the views. A table of the store lists them, so that Strata does not change other views.
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

    /// The codes of errors that may prevent the creation of views without any effect on other operations.
    package static var hindrances: Set<PersistenceError.Code> {
        [.locked, .diskFull, .readOnly, .permissionDenied, .inputOutput]
    }

    /// The definition of a view, as the store's table lists it and as the database stores it.
    private struct Known: Equatable {
        var text: String
        var definition: String
    }

    /// Returns a Boolean value that indicates whether the store lists its views; stores of earlier versions do not.
    package func hasTable() throws -> Bool {
        try connection.texts(layout.dialect.relationNames).contains(SQLLayout.viewTable)
    }

    /// Returns the names of views that are missing, that differ, or that the model no longer defines.
    ///
    /// - Throws: ``PersistenceError``.
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

    /// Creates all views of the model, in a transaction of the connection.
    ///
    /// - Throws: ``PersistenceError``.
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

    /// Drops all views of the store, in a transaction of the connection.
    ///
    /// - Throws: ``PersistenceError``.
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

    /// Returns the definitions of views in the database, by the views' names.
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
    /// Raises the generation of the store, which notifies processes that have the store open.
    ///
    /// - Returns: The new generation.
    package func countFollowing(on connection: some SQLConnection) throws -> Int64 {
        let before = try connection.text(metadataSelection, .string(Self.generationKey)).flatMap { Int64($0) } ?? 0
        try connection.run(metadataUpsert, .string(Self.generationKey), .string(String(before + 1)))
        try connection.run(metadataUpsert, .string(Self.versionKey), .string(try model.versionHash()))
        return before + 1
    }

    /// The name of the table that lists the views of the store.
    package static let viewTable = "strata_views"

    /// The names of all tables of the store itself.
    package static let ownTableNames = [metadataTable, sequenceTable, viewTable]

    /// The statement that creates the table of the views, with each view's creation statement and stored definition.
    package var viewTableCreation: String {
        let text = dialect.columnType(.string)
        return "CREATE TABLE \(Self.viewTable) (name \(text) NOT NULL PRIMARY KEY, entity \(text) NOT NULL, "
            + "relationship \(text), text \(text) NOT NULL, definition \(text) NOT NULL)"
            + dialect.tableOptions(keyColumns: 1)
    }
}
