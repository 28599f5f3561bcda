import StrataCore

extension SQLLayout {
    /// Returns the statements that create the store's own tables and the model's tables, each table followed by its
    /// indexes.
    package func schema() -> [String] {
        ownTables()
            + model.tables.flatMap { table in
                [creation(of: table)] + table.indexes.map { creation(of: $0, on: table) }
            } + referenceDefinitions()
    }

    /// A column that contains identifiers of another table's rows.
    package struct Reference: Hashable, Sendable {
        package let table: String
        package let column: String
        package let destination: String

        package init(table: String, column: String, destination: String) {
            (self.table, self.column, self.destination) = (table, column, destination)
        }
    }

    /// The reference columns of all tables.
    package var references: [Reference] {
        model.tables.flatMap { table in
            table.columns.compactMap { column in
                column.references.map { Reference(table: table.name, column: column.name, destination: $0) }
            }
        }
    }

    /// Returns the statements that define the references of tables that exist already.
    ///
    /// The result is empty if the dialect defines references with their columns.
    package func referenceDefinitions() -> [String] {
        dialect.definesReferencesLast ? references.map(definition) : []
    }

    /// Returns the statement that defines the reference of a column in a table that exists already.
    package func definition(of reference: Reference) -> String {
        "ALTER TABLE \(Self.quoted(reference.table)) ADD FOREIGN KEY (\(Self.quoted(reference.column))) "
            + "REFERENCES \(Self.quoted(reference.destination)) (\(idColumn)) \(dialect.deferredReference)"
    }

    /// Returns the statements that create all tables without their indexes, which are created after the rows are
    /// inserted.
    package func bareTables() -> [String] { ownTables() + model.tables.map { creation(of: $0) } }

    /// Returns the statements that create the indexes of all tables.
    package func indexes() -> [String] {
        model.tables.flatMap { table in table.indexes.map { creation(of: $0, on: table) } }
    }

    /// Returns the statement that creates a table without its indexes.
    ///
    /// - Parameters:
    ///   - table: The table.
    ///   - name: The name of the new table if another table still has the final name; `nil` for the final name.
    /// - Returns: The statement.
    package func creation(of table: TableDescription, named name: String? = nil) -> String {
        let isKey: (TableDescription.Column) -> Bool = { table.primaryKey == [$0.name] }
        var lines = table.columns.map { definition($0, isPrimaryKey: isKey($0)) }
        if table.primaryKey.count > 1 {
            lines.append("PRIMARY KEY (\(table.primaryKey.map(Self.quoted).joined(separator: ", ")))")
        }
        return "CREATE TABLE \(Self.quoted(name ?? table.name)) (\(lines.joined(separator: ", ")))"
            + dialect.tableOptions(keyColumns: table.primaryKey.count)
    }

    /// Returns the statement that creates an index of a table.
    package func creation(of index: TableDescription.Index, on table: TableDescription) -> String {
        let columns = index.columns.map { Self.quoted($0) + dialect.indexOrder }.joined(separator: ", ")
        return
            "CREATE \(index.isUnique ? "UNIQUE " : "")INDEX \(Self.quoted(index.name)) ON \(Self.quoted(table.name)) (\(columns))"
    }

    /// Returns the statement that drops an index.
    package func removal(of index: TableDescription.Index) -> String { "DROP INDEX \(Self.quoted(index.name))" }

    /// Returns the definition of a column for `ALTER TABLE … ADD COLUMN`, with the default value for existing rows.
    func definition(ofAdded column: ColumnDescription, now: StoredValue) -> String {
        var text = definition(
            TableDescription.Column(
                name: column.name, type: column.type, isNullable: column.isOptional, references: column.destination),
            isPrimaryKey: false)
        switch column.attribute?.defaultValue {
        case .constant(let value): text += " DEFAULT " + dialect.literal(value.converted(to: column.type) ?? value)
        case .now: text += " DEFAULT " + dialect.literal(now)
        case .newUUID, nil: break
        }
        return text
    }

    private func definition(_ column: TableDescription.Column, isPrimaryKey: Bool) -> String {
        var text = "\(Self.quoted(column.name)) \(dialect.columnType(column.type))"
        if isPrimaryKey { return text + " PRIMARY KEY" }
        if !column.isNullable { text += " NOT NULL" }
        if column.isUnique { text += " UNIQUE" }
        if let destination = column.references, !dialect.definesReferencesLast {
            text += " REFERENCES \(Self.quoted(destination)) (\(idColumn)) \(dialect.deferredReference)"
        }
        return text
    }
}
