package import StrataCore

/// A reference that leads nowhere.
package struct SQLDangling {
    private let reference: SQLLayout.Reference
    /// The row that has it; `nil` for a pair, which has no identifier of its own.
    private let owner: Int64?

    init(_ reference: SQLLayout.Reference, owner: Int64?) { (self.reference, self.owner) = (reference, owner) }

    /// The error about it, which begins with what has such a reference.
    package func error(_ what: String, path: String) -> PersistenceError {
        var error = PersistenceError(
            .danglingReference, "\(what) \(reference.destination) that leads nowhere", entity: reference.table,
            path: path)
        error.id = owner
        if owner != nil { error.attribute = reference.column }
        return error
    }
}

extension SQLConnection {
    /// Asks for a row whose reference leads nowhere, table by table: for an engine that does not know its references, or does not check them when it is asked to.
    ///
    /// - Parameters:
    ///   - layout: Says where references are.
    ///   - isMeant: Which references are asked about.
    /// - Returns: The first one that is found.
    /// - Throws: ``PersistenceError`` where the rows cannot be read.
    /// - Complexity: O(*n* log *n*) in the rows that refer to others.
    package func firstDangling(
        in layout: SQLLayout, _ isMeant: (SQLLayout.Reference) -> Bool = { _ in true }
    ) throws -> SQLDangling? {
        let entities = Set(layout.model.entities.map(\.name))
        for reference in layout.references where isMeant(reference) {
            let column = SQLLayout.quoted(reference.column)
            let isEntity = entities.contains(reference.table)
            let found = try number(
                """
                SELECT \(isEntity ? "t.\(layout.idColumn)" : "0") FROM \(SQLLayout.quoted(reference.table)) AS t \
                WHERE t.\(column) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM \(SQLLayout.quoted(reference.destination)) AS d \
                WHERE d.\(layout.idColumn) = t.\(column)) LIMIT 1
                """)
            if let found { return SQLDangling(reference, owner: isEntity ? found : nil) }
        }
        return nil
    }
}
