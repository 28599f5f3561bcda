package import StrataCore

/// The names of a store's tables and columns, and the SQL statements that contain no condition of a request.
///
/// Only this type determines the table layout. Tables and columns have the same names as in the model, so that people
/// can read the database.
package struct SQLLayout: Sendable {
    package let model: ManagedObjectModel
    package let dialect: any SQLDialect
    /// The temporary names of renamed tables, by their names in the model.
    private let tableNames: [String: String]
    /// Each entity and the list of its row columns as SQL text, by the entity's name; cached because every fetch needs
    /// the list.
    private let rowColumns: [String: (entity: EntityDescription, columns: String)]

    /// Creates a layout for the tables of a model.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - dialect: The engine's dialect.
    ///   - tableNames: The temporary names of renamed tables, by their names in the model.
    package init(model: ManagedObjectModel, dialect: any SQLDialect, tableNames: [String: String] = [:]) {
        self.model = model
        self.dialect = dialect
        self.tableNames = tableNames
        rowColumns = model.entities.reduce(into: [:]) { lists, entity in
            lists[entity.name] = (entity, Self.list(entity))
        }
    }

    private static func list(_ entity: EntityDescription) -> String {
        let names = [TableDescription.ColumnName.id, TableDescription.ColumnName.version]
        return (names + entity.columns.map(\.name)).map(quoted).joined(separator: ", ")
    }

    package static func quoted(_ name: String) -> String { "\"\(name)\"" }

    package func table(_ entity: String) -> String { Self.quoted(tableNames[entity] ?? entity) }
    package func column(_ name: String) -> String { Self.quoted(name) }
    package var idColumn: String { Self.quotedID }
    package var versionColumn: String { Self.quotedVersion }
    private static let quotedID = quoted(TableDescription.ColumnName.id)
    private static let quotedVersion = quoted(TableDescription.ColumnName.version)

    /// Returns the SQL of a statement's parameter; the first parameter has the number 1.
    package func parameter(_ number: Int) -> String { dialect.parameter(number) }

    /// Returns a list of consecutive parameters, the first of which has the number `first`.
    func parameters(_ count: Int, from first: Int = 1) -> String {
        (first..<first + count).map(parameter).joined(separator: ", ")
    }

    /// Returns the columns of an entity as SQL text, in the order in which every statement reads and writes a row.
    package func rowColumns(_ entity: EntityDescription) -> String {
        if let known = rowColumns[entity.name], known.entity.isSame(as: entity) { return known.columns }
        return Self.list(entity)
    }
}

// MARK: - Reading rows

extension SQLLayout {
    /// Returns a query for an entity's row by its identifier, in the entity's table or in another table with equal
    /// columns.
    package func selection(_ entity: EntityDescription, from table: String? = nil) -> String {
        let table = table ?? self.table(entity.name)
        return "SELECT \(rowColumns(entity)) FROM \(table) WHERE \(idColumn) = \(parameter(1))"
    }

    /// Returns a query for the value of one column in the row with an identifier.
    package func selection(ofColumn index: Int, _ entity: EntityDescription) -> String {
        "SELECT \(column(entity.columns[index].name)) FROM \(table(entity.name)) WHERE \(idColumn) = \(parameter(1))"
    }

    /// Returns a query for the identifier of the row that has certain values in the columns of a unique key.
    ///
    /// The values are the parameters. If `columns` is empty, the only parameter is the identifier of the row.
    package func identifier(byColumns columns: [Int], _ entity: EntityDescription) -> String {
        let names = columns.isEmpty ? [idColumn] : columns.map { column(entity.columns[$0].name) }
        let terms = names.enumerated().map { "\($1) = \(parameter($0 + 1))" }
        return "SELECT \(idColumn) FROM \(table(entity.name)) WHERE \(terms.joined(separator: " AND "))"
    }

    /// Returns a query for the identifier of any row whose reference column contains the identifier in the parameter.
    package func owner(ofReference index: Int, _ entity: EntityDescription) -> String {
        identifier(byColumns: [index], entity) + " LIMIT 1"
    }

    /// Returns a query that returns a row if the entity has a row with the identifier in the parameter.
    ///
    /// If `isReferredTo` is true, the query also prevents the deletion of that row until the transaction ends, because
    /// the transaction may store a reference to it.
    package func existence(_ entity: String, isReferredTo: Bool = false) -> String {
        "SELECT 1 FROM \(table(entity)) WHERE \(idColumn) = \(parameter(1))" + (isReferredTo ? dialect.keepsRow : "")
    }

    /// Returns a query that returns one row if the table is not empty, and no row otherwise.
    package func anyRow(_ table: String) -> String { "SELECT 1 FROM \(Self.quoted(table)) LIMIT 1" }

    /// Returns a query for the identifiers of all rows of an entity, without an order.
    package func identifiers(_ entity: String) -> String { "SELECT \(idColumn) FROM \(table(entity))" }
}

// MARK: - Writing rows

extension SQLLayout {
    /// Returns a statement that inserts a count of rows; its parameters are the identifier, version and values of each
    /// row.
    package func insertion(_ entity: EntityDescription, rows: Int = 1) -> String {
        let width = entity.columns.count + 2
        let values = (0..<rows).map { "(\(parameters(width, from: $0 * width + 1)))" }.joined(separator: ", ")
        return "INSERT INTO \(table(entity.name)) (\(rowColumns(entity))) VALUES \(values)"
    }

    /// Returns a statement that changes columns of the row with an identifier and raises the row's version.
    ///
    /// The parameters are the new values of the columns, the identifier, and, if `checksVersion` is true, the version
    /// without which the row is not changed.
    package func update(_ columns: [Int], of entity: EntityDescription, checksVersion: Bool) -> String {
        let version = versionColumn
        let assignments =
            columns.enumerated().map { "\(column(entity.columns[$1].name)) = \(parameter($0 + 1))" }
            + ["\(version) = \(version) + 1"]
        let sql = """
            UPDATE \(table(entity.name)) SET \(assignments.joined(separator: ", ")) \
            WHERE \(idColumn) = \(parameter(columns.count + 1))
            """
        return checksVersion ? sql + " AND \(version) = \(parameter(columns.count + 2))" : sql
    }

    /// Returns a statement that deletes the row with an identifier.
    ///
    /// The parameters are the identifier and, if `checksVersion` is true, the version without which the row is not
    /// deleted.
    package func deletion(_ entity: EntityDescription, checksVersion: Bool) -> String {
        let sql = "DELETE FROM \(table(entity.name)) WHERE \(idColumn) = \(parameter(1))"
        return checksVersion ? sql + " AND \(versionColumn) = \(parameter(2))" : sql
    }
}
