import StrataCore

/// A view for people who ask the database itself: rows with the names and keys of files.
package struct SQLView: Hashable {
    /// The view's name.
    package let name: String
    /// The entity whose rows it has, or that declares its relationship.
    package let entity: String
    /// The many-to-many relationship whose pairs it has; `nil` for rows of an entity.
    package let relationship: String?
    /// What it selects.
    package let selection: String

    /// The statement that makes it.
    package var creation: String { "CREATE VIEW \(SQLLayout.quoted(name)) AS \(selection)" }
}

extension SQLLayout {
    /// Returns the views of the model: one for each entity, and one for each many-to-many relationship.
    ///
    /// - Parameter taken: The names of what is in the database and is no view of the store; compared whatever their
    ///     case.
    /// - Returns: The views, those of entities first.
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

/// Writes what one view selects.
private struct ViewWriter {
    /// The most tables of one statement in SQLite are 64; a reference that needs more has the number of its row.
    private static let mostTables = 60

    private let layout: SQLLayout
    private let table: String
    private var names: Set<String> = []
    private var columns: [String] = []
    private var tables: [String]
    /// The aliases of the tables that were joined, by the way to them.
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
            // What a row leads to is in the view of the relationship.
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

    /// The columns of an entity's files that tell its rows apart; the number of the row if there are none.
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

    /// Adds a column; of two with one name, whatever its case, the second gets a number.
    private mutating func add(_ expression: String, as name: String) {
        var free = dialect.shortened(name, with: "")
        var number = 2
        while !names.insert(free.lowercased()).inserted {
            free = dialect.shortened(name, with: "_\(number)")
            number += 1
        }
        // What files call a column may be any text; that of a statement ends with U+0000.
        let quoted = free.replacing("\"", with: "\"\"").replacing("\0", with: "\u{FFFD}")
        columns.append("\(expression) AS \"\(quoted)\"")
    }

    private func value(_ alias: String, _ name: String, _ type: AttributeType) -> String {
        dialect.fileValue("\(alias).\(SQLLayout.quoted(name))", type)
    }

    /// A value across references.
    ///
    /// - Parameters:
    ///   - path: Relationships, and an attribute or `id` at the end.
    ///   - name: The entity of the row that the path begins at.
    ///   - reference: The identifier of that row.
    ///   - way: The names of the references that lead to it.
    /// - Returns: The expression; the reference itself if the view would have too many tables.
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
