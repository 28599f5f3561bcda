package import StrataCore

extension SQLStageConnection {
    /// Asks for a row whose reference leads nowhere, table by table: for an engine that does not know its references by itself.
    ///
    /// - Complexity: O(*n* log *n*) in the rows that refer to others.
    package func findDangling(_ what: String, in layout: SQLLayout, path: String) throws {
        let entities = Set(layout.model.entities.map(\.name))
        for reference in layout.references {
            let (table, column) = (SQLLayout.quoted(reference.table), SQLLayout.quoted(reference.column))
            // A pair has no identifier of its own.
            let isEntity = entities.contains(reference.table)
            let found = try number(
                """
                SELECT \(isEntity ? "t.\(layout.idColumn)" : "0") FROM \(table) AS t WHERE t.\(column) IS NOT NULL AND NOT EXISTS \
                (SELECT 1 FROM \(SQLLayout.quoted(reference.destination)) AS d WHERE d.\(layout.idColumn) = t.\(column)) LIMIT 1
                """)
            guard let found else { continue }
            var error = PersistenceError(
                .danglingReference, "\(what) \(reference.destination) that leads nowhere", entity: reference.table,
                path: path)
            if isEntity { error.id = found }
            throw error
        }
    }
}
