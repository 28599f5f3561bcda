import StrataCore

/// The comparison of the engine's catalog with the model.
extension SQLCheck {
    /// Compares the tables, indexes and references with the model, and adds each table that has all columns to
    /// ``usable``.
    func checkSchema() throws {
        let catalog = try SQLCatalog(engine)
        for table in model.tables {
            let owner = owner(of: table.name)
            guard let columns = catalog.tables[table.name] else {
                try found(StoreFault(.schema, "the table \(table.name) is missing", entity: owner))
                continue
            }
            if try checkColumns(of: table, columns, owner) { usable.insert(table.name) }
            if let options = catalog.options?[table.name],
                options != layout.dialect.tableOptions(keyColumns: table.primaryKey.count)
            {
                let what = "options of the table \(table.name) differ from the model"
                try found(StoreFault(.schema, what, entity: owner))
            }
        }
        for table in model.tables where catalog.tables[table.name] != nil {
            try checkIndexes(of: table, catalog)
            try checkKeys(of: table, catalog.indexes.filter { $0.table == table.name })
        }
        try checkReferences(catalog)
        try checkTriggers(catalog)
        for (table, columns) in SQLLayout.ownColumns {
            if Set(columns).isSubset(of: catalog.tables[table, default: [:]].keys) {
                usable.insert(table)
            } else if table != SQLLayout.sequenceTable {
                // The table of next identifiers can be rebuilt from the rows.
                try found(StoreFault(.schema, "the table \(table) does not have the expected columns"))
            }
        }
        try checkHistory()
    }

    /// Reports a history whose tables or metadata are missing as a fault.
    private func checkHistory() throws {
        guard usable.contains(SQLLayout.metadataTable), try !layout.isHistoryIntact(on: connection) else { return }
        try found(
            StoreFault(
                .schema,
                "the history of the store is incomplete; turning it off and on again makes a new one"))
    }

    /// Returns the name of the entity whose rows or join rows a table contains.
    private func owner(of table: String) -> String {
        model.joins.first { $0.name == table }?.sourceEntity ?? table
    }

    /// Reports the differences between a table's columns and the model.
    ///
    /// - Returns: False if a column is missing or its values cannot be read, so that the table cannot be checked.
    private func checkColumns(
        of table: TableDescription, _ columns: [String: SQLCatalog.Column], _ owner: String
    ) throws -> Bool {
        var isComplete = true
        for column in table.columns.sorted(by: { $0.name < $1.name }) {
            let wanted = SQLCatalog.Column(
                type: layout.dialect.columnType(column.type), rejectsNull: !column.isNullable)
            let present = columns[column.name]
            guard present != wanted else { continue }
            isComplete = isComplete && present.map { engine.canRead($0.type, as: wanted.type) } ?? false
            let what = present.map { "the column is “\($0.definition)”, but should be “\(wanted.definition)”" }
            try found(StoreFault(.schema, what ?? "the column is missing", entity: owner, attribute: column.name))
        }
        let known = Set(table.columns.map(\.name))
        for name in columns.keys.sorted() where !known.contains(name) {
            try found(StoreFault(.schema, "the model has no such column", entity: owner, attribute: name))
        }
        return isComplete
    }

    // MARK: Indexes

    private func checkIndexes(of table: TableDescription, _ catalog: SQLCatalog) throws {
        for index in table.indexes {
            let name = engine.catalogName(index.name)
            let present = catalog.indexes.first { engine.catalogName($0.name) == name }
            if let present, present.table == table.name, present.columns == index.columns, present.isWhole,
                present.isUnique == index.isUnique
            {
                continue
            }
            let holder = present == nil ? catalog.otherNames[name] : nil
            // An index that a constraint created can only be dropped together with the constraint.
            let isRepairable = usable.contains(table.name) && holder == nil && present?.isOfConstraint != true
            let what =
                present == nil
                ? "missing" + (holder.map { "; a \($0) has its name" } ?? "") : "different from the model's"
            try found(
                StoreFault(
                    .index, "the index \(index.name) is \(what)", entity: owner(of: table.name),
                    isRepairable: isRepairable),
                isRepairable ? .index(index, table, replaces: present != nil) : nil)
        }
    }

    /// Reports each key of a table that the engine does not enforce, and each unique index that rejects other rows.
    private func checkKeys(of table: TableDescription, _ indexes: [SQLCatalog.Index]) throws {
        let keys =
            [table.primaryKey] + table.columns.filter { $0.isUnique && [$0.name] != table.primaryKey }.map { [$0.name] }
        for key in keys where !indexes.contains(where: { $0.isUnique && $0.isWhole && $0.columns == key }) {
            try found(
                StoreFault(
                    .index, "the database does not enforce its uniqueness", entity: owner(of: table.name),
                    attribute: key.joined(separator: ", ")))
        }
        let unique = keys + table.indexes.filter(\.isUnique).map(\.columns)
        let own = Set(table.indexes.map { engine.catalogName($0.name) })
        for index in indexes
        where index.isUnique && !unique.contains(index.columns) && !own.contains(engine.catalogName(index.name)) {
            let what = "the index \(index.name) enforces a uniqueness that the model does not declare"
            try found(StoreFault(.index, what, entity: owner(of: table.name)))
        }
    }

    // MARK: References and triggers

    private func checkReferences(_ catalog: SQLCatalog) throws {
        let references = layout.references
        func found(_ reference: SQLLayout.Reference, _ what: String) throws {
            let join = model.joins.first { $0.name == reference.table }
            try self.found(
                StoreFault(
                    .schema, what, entity: owner(of: reference.table),
                    attribute: join?.sourceRelationship ?? reference.column))
        }
        for reference in references
        where !catalog.references.contains(reference)
            && usable.isSuperset(of: [reference.table, reference.destination])
        {
            try found(reference, "the database does not enforce its references to \(reference.destination)")
        }
        let undeclared = catalog.references.subtracting(references)
        for reference in undeclared.sorted(by: { ($0.table, $0.column) < ($1.table, $1.column) })
        where usable.contains(reference.table) {
            try found(
                reference,
                "the database enforces references to \(reference.destination) that the model does not declare")
        }
    }

    /// Reports triggers as faults.
    ///
    /// Strata opens files with triggers disabled, but other programs that write to a file run its triggers.
    private func checkTriggers(_ catalog: SQLCatalog) throws {
        for table in model.tables.map(\.name) + SQLLayout.ownColumns.map(\.0) {
            let entity = SQLLayout.ownColumns.contains { $0.0 == table } ? nil : owner(of: table)
            for trigger in catalog.triggers where engine.catalogName(trigger.table) == engine.catalogName(table) {
                try found(
                    StoreFault(
                        .schema, "the trigger \(trigger.name) changes what other programs write", entity: entity))
            }
        }
    }
}
