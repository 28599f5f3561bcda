import StrataCore
import StrataStoreKit

/// A database view for people who query the database directly; its columns have the names and keys that exported files
/// have.
package struct SQLView: Hashable {
    /// The view's name.
    package let name: String
    /// The entity whose rows the view contains, or that declares the relationship whose join rows the view contains.
    package let entity: String
    /// The many-to-many relationship whose join rows the view contains; `nil` if the view contains rows of ``entity``.
    package let relationship: String?
    /// The query that defines the view.
    package let selection: String

    /// The statement that creates the view.
    package var creation: String { "CREATE VIEW \(SQLLayout.quoted(name)) AS \(selection)" }
}

extension SQLLayout {
    /// Returns the views of the model: one for each entity, and one for each many-to-many relationship.
    ///
    /// - Parameter taken: The names of all database objects other than the store's views, which no view may have. The
    ///   comparison of names ignores case.
    /// - Returns: The views of the entities, followed by the views of the relationships.
    package func views(taken: some Sequence<String>) -> [SQLView] {
        var names = Set((Array(taken) + model.tables.map(\.name)).map { $0.lowercased() })
        func free(_ base: String) -> String {
            var name = dialect.shortened("\(base)_view", with: "")
            var number = 2
            while !names.insert(name.lowercased()).inserted {
                name = dialect.shortened("\(base)_view", with: "_\(number)")
                number += 1
            }
            return name
        }
        return model.entities.map { entity in
            SQLView(
                name: free(entity.name), entity: entity.name, relationship: nil,
                selection: ViewWriter(self, entity.name).selection(of: entity))
        }
            + model.joins.map { join in
                SQLView(
                    name: free(join.name), entity: join.sourceEntity, relationship: join.sourceRelationship,
                    selection: ViewWriter(self, join.name).selection(of: join))
            }
    }
}

/// A writer of the SQL query that defines one view.
private struct ViewWriter {
    /// The maximum count of tables in a view's query.
    ///
    /// SQLite supports at most 64 tables in one statement. If a reference would need further tables, the view contains
    /// the identifier of the referenced row instead of its key.
    private static let mostTables = 60

    private let layout: SQLLayout
    private let table: String
    private var names: Set<String> = []
    private var columns: [String] = []
    private var tables: [String]
    /// The aliases of the joined tables, by the path of references from the view's table to each of them.
    private var aliases: [[String]: String] = [:]

    init(_ layout: SQLLayout, _ table: String) {
        (self.layout, self.table) = (layout, table)
        tables = ["\(SQLLayout.quoted(table)) t"]
    }

    private var model: ManagedObjectModel { layout.model }
    private var dialect: any SQLDialect { layout.dialect }

    func selection(of entity: EntityDescription) -> String {
        var writer = self
        if entity.external.idColumn == nil, RowName(entity, in: model) == nil {
            writer.add("t.\(layout.idColumn)", as: FileName.rowNumber)
        }
        for column in model.externalColumns(of: entity) {
            switch column.content {
            case .identifier: writer.add("t.\(layout.idColumn)", as: column.name)
            case .column(let index):
                let description = entity.columns[index]
                writer.add(writer.value("t", description.name, description.type), as: column.name)
            case .key(let index, let value):
                let description = entity.columns[index]
                guard let destination = description.destination,
                    let key = model.referenceKey(ofColumn: index, in: entity)
                else { continue }
                let expression = writer.value(
                    key.values[value].path[...], from: destination, by: "t.\(SQLLayout.quoted(description.name))",
                    way: [description.name])
                writer.add(expression, as: column.name)
            // The view of the relationship contains the related rows.
            case .list: continue
            }
        }
        return writer.text
    }

    func selection(of join: JoinDescription) -> String {
        var writer = self
        let ends = [
            (join.sourceEntity, SQLLayout.sourceColumn, "source"),
            (join.targetEntity, SQLLayout.targetColumn, "target"),
        ]
        let keys = join.linkTable.map {
            join.isLinkOfSource ? [$0.owner, $0.destination] : [$0.destination, $0.owner]
        }
        for (place, end) in (join.linkTable == nil || join.isLinkOfSource ? [0, 1] : [1, 0]).map({ ($0, ends[$0]) }) {
            let (entity, column, way) = end
            let external = keys?[place]
            let key = writer.key(of: entity, external)
            for (number, value) in key.enumerated() {
                let path = value.path.split(separator: ".").map(String.init)
                let name =
                    external?.columns[number] ?? "\(entity.prefix(1).lowercased())\(entity.dropFirst())_\(value.name)"
                let expression =
                    path == ["id"]
                    ? "t.\(column)" : writer.value(path[...], from: entity, by: "t.\(column)", way: [way])
                writer.add(expression, as: name)
            }
        }
        return writer.text
    }

    /// Returns the columns that identify an entity's rows in files, or the column of the row number if there are none.
    private func key(of name: String, _ external: ExternalKey?) -> [(name: String, path: String)] {
        guard let entity = model[name] else { return [] }
        if let external {
            guard !external.properties.isEmpty else { return [(external.columns[0], "id")] }
            return (model.referenceKey(external.properties, of: name)?.values ?? []).enumerated().map {
                (external.columns[$0], $1.path.joined(separator: "."))
            }
        }
        if let id = entity.external.idColumn { return [(id, "id")] }
        let columns = RowName(entity, in: model)?.columns.map { ($0.name, $0.path) }
        return columns ?? [(FileName.rowNumber, "id")]
    }

    private var text: String { "SELECT \(columns.joined(separator: ", ")) FROM \(tables.joined(separator: " "))" }

    /// Adds a column to the view; if another column has the same name (ignoring case), appends a number to the name.
    private mutating func add(_ expression: String, as name: String) {
        var free = dialect.shortened(name, with: "")
        var number = 2
        while !names.insert(free.lowercased()).inserted {
            free = dialect.shortened(name, with: "_\(number)")
            number += 1
        }
        // A column name of a file may be any text, but U+0000 would end the text of a statement.
        let quoted = free.replacing("\"", with: "\"\"").replacing("\0", with: "\u{FFFD}")
        columns.append("\(expression) AS \"\(quoted)\"")
    }

    private func value(_ alias: String, _ name: String, _ type: AttributeType) -> String {
        dialect.fileValue("\(alias).\(SQLLayout.quoted(name))", type)
    }

    /// Returns the SQL expression for a value that is reached through references.
    ///
    /// - Parameters:
    ///   - path: The names of relationships, followed by the name of an attribute or `id`.
    ///   - name: The name of the entity at which the path begins.
    ///   - reference: The SQL expression for the identifier of the row at which the path begins.
    ///   - way: The names of the references from the view's table to the row at which the path begins.
    /// - Returns: The expression for the value, or `reference` itself if the view would have too many tables.
    private mutating func value(
        _ path: ArraySlice<String>, from name: String, by reference: String, way: [String]
    ) -> String {
        guard let first = path.first, first != "id", let entity = model[name] else { return reference }
        guard let alias = alias(name, by: reference, way: way), let index = entity.columnIndex(first) else {
            return reference
        }
        let column = entity.columns[index]
        guard path.count > 1, let destination = column.destination else { return value(alias, first, column.type) }
        return value(
            path.dropFirst(), from: destination, by: "\(alias).\(SQLLayout.quoted(first))", way: way + [first])
    }

    private mutating func alias(_ table: String, by reference: String, way: [String]) -> String? {
        if let alias = aliases[way] { return alias }
        guard tables.count < Self.mostTables else { return nil }
        let alias = "t\(tables.count)"
        tables.append("LEFT JOIN \(SQLLayout.quoted(table)) \(alias) ON \(alias).\(layout.idColumn) = \(reference)")
        aliases[way] = alias
        return alias
    }
}
