package import StrataCore

/// A dangling reference.
package struct SQLDangling {
    private let reference: SQLLayout.Reference
    /// The identifier of the row that has the reference; `nil` for a join row, which has no identifier.
    private let owner: Int64?

    init(_ reference: SQLLayout.Reference, owner: Int64?) { (self.reference, self.owner) = (reference, owner) }

    /// Returns the error about the dangling reference; its message begins with `what`, a description of the row that
    /// has it.
    package func error(_ what: String, path: String) -> PersistenceError {
        var error = PersistenceError(
            .danglingReference, "\(what) \(reference.destination) that does not exist", entity: reference.table,
            path: path)
        error.id = owner
        if owner != nil { error.attribute = reference.column }
        return error
    }
}

extension SQLConnection {
    /// Searches all tables and returns the first dangling reference.
    ///
    /// The search is for an engine that does not know the store's references, or that cannot check them on request.
    ///
    /// - Parameters:
    ///   - layout: The layout of the store, which lists the reference columns.
    ///   - isMeant: A closure that returns a Boolean value that indicates whether to check a reference column.
    /// - Returns: The first dangling reference, or `nil` if there is none.
    /// - Throws: ``PersistenceError`` if the rows cannot be read.
    /// - Complexity: O(*n* log *n*), where *n* is the count of rows that have references.
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
