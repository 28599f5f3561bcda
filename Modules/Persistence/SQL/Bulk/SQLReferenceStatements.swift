package import StrataCore

/// The statements that store, find and delete pending to-one references in temporary tables.
///
/// A reference is pending until all rows are inserted if its target row does not exist yet or may be removed again.
/// Each pending reference is stored with its location in the input, the row that has the reference (its owner), and its
/// target. In conditions, `p` is the alias of the pending reference.
package struct SQLReferenceStatements: Sendable {
    let layout: SQLLayout
    private let references: (creation: String, name: String)

    /// Creates the statements for the entities and tables of a layout.
    package init(_ layout: SQLLayout) {
        self.layout = layout
        references = layout.dialect.temporaryTable(Self.referenceTable)
    }

    private func columns(_ names: [String], _ type: AttributeType = .integer64) -> String {
        names.map { "\($0) \(layout.dialect.columnType(type))" }.joined(separator: ", ")
    }

    // MARK: References

    private static let referenceTable = "strata_pending"
    private static let referenceColumns = [
        "source", "record", "line", "inserter", "property", "owner", "target", "isNew",
    ]

    /// The statements that create the empty temporary table of pending references.
    package var creationOfReferences: [String] {
        [
            "DROP TABLE IF EXISTS \(references.name)",
            "\(references.creation) (\(columns(["number"])) PRIMARY KEY, \(columns(Self.referenceColumns)), "
                + "\(columns(["note"], .binary)))",
        ]
    }

    /// The statement that creates an index of the pending references by their targets.
    package var indexOfTargets: String {
        layout.dialect.temporaryIndex(
            "strata_pending_targets", on: Self.referenceTable, column: "target", isUnique: false)
    }

    package var removalOfReferences: String { "DROP TABLE \(references.name)" }

    /// The statement that stores a pending reference.
    ///
    /// The parameters are: a sequence number, the input source, record and line, the inserter's number, the index of
    /// the column, the owner, the target, whether the owner is new, and the note of the input record.
    package var insertionOfReference: String {
        "INSERT INTO \(references.name) VALUES (\(layout.parameters(Self.referenceColumns.count + 2)))"
    }

    /// The statement that replaces the target of pending references; its parameters are the new and the old identifier.
    package var redirectionOfReferences: String {
        "UPDATE \(references.name) SET target = \(layout.parameter(1)) WHERE target = \(layout.parameter(2))"
    }

    /// Returns a statement that replaces an identifier in a reference column of an entity's rows; its parameters are
    /// the new and the old identifier.
    package func redirection(_ column: Int, of entity: EntityDescription) -> String {
        let name = layout.column(entity.columns[column].name)
        return """
            UPDATE \(layout.table(entity.name)) SET \(name) = \(layout.parameter(1)) WHERE \(name) = \(layout.parameter(2))
            """
    }

    /// The statement that deletes a pending reference; its parameter is the reference's sequence number.
    package var deletionOfReference: String { "DELETE FROM \(references.name) WHERE number = \(layout.parameter(1))" }

    /// A selection of the pending references in one column of one inserter's rows; the first two parameters are the
    /// inserter's number and the index of the column.
    package enum References {
        /// The references whose owner still contains the identifier of a row that does not exist.
        case missing(destination: String)
        /// The references whose owner still contains the identifier of the target in the third parameter.
        case toTarget
    }

    /// Returns a query for the first dangling reference in input order; its columns are the input source, record and
    /// line, the owner, and the target.
    package func firstMissing(_ column: Int, of entity: EntityDescription, destination: String) -> String {
        "SELECT source, record, line, owner, target \(from(column, of: entity, .missing(destination: destination))) "
            + "ORDER BY source, record LIMIT 1"
    }

    /// Returns a query for a selection of pending references.
    ///
    /// The columns are: the input source, record and line, the owner, the target, whether the owner is new, the
    /// sequence number, and the input record's note.
    package func selection(_ column: Int, of entity: EntityDescription, _ meant: References) -> String {
        "SELECT source, record, line, owner, target, isNew, number, note \(from(column, of: entity, meant)) "
            + "ORDER BY source, record"
    }

    /// Returns a statement that sets the dangling references of a column to null.
    package func nulling(_ column: Int, of entity: EntityDescription, destination: String) -> String {
        let name = layout.column(entity.columns[column].name)
        return """
            UPDATE \(layout.table(entity.name)) SET \(name) = NULL WHERE \(layout.idColumn) IN \
            (SELECT owner \(from(column, of: entity, .missing(destination: destination))))
            """
    }

    private func from(_ column: Int, of entity: EntityDescription, _ meant: References) -> String {
        let isMeant =
            switch meant {
            case .missing(let destination):
                "NOT EXISTS (SELECT 1 FROM \(layout.table(destination)) WHERE \(layout.idColumn) = p.target)"
            case .toTarget: "p.target = \(layout.parameter(3))"
            }
        // A later row of the input may have changed the owner.
        let name = layout.column(entity.columns[column].name)
        let isCurrent =
            "EXISTS (SELECT 1 FROM \(layout.table(entity.name)) AS o WHERE o.\(layout.idColumn) = p.owner AND o.\(name) = p.target)"
        return """
            FROM \(references.name) AS p WHERE inserter = \(layout.parameter(1)) AND property = \(layout.parameter(2)) \
            AND \(isMeant) AND \(isCurrent)
            """
    }

    // MARK: Rows as they were

    private func kept(_ entity: EntityDescription) -> (creation: String, name: String) {
        layout.dialect.temporaryTable("strata_kept_\(entity.name)")
    }

    /// Returns the statements that create the empty temporary table of an entity's rows as they were before their first
    /// update.
    package func creationOfKeptRows(_ entity: EntityDescription) -> [String] {
        let kept = kept(entity)
        return [
            "DROP TABLE IF EXISTS \(kept.name)",
            "\(kept.creation) AS SELECT * FROM \(layout.table(entity.name)) WHERE \(layout.dialect.truth(false))",
            // The table has its own unique key, so that only the first state of a row is stored.
            layout.dialect.temporaryIndex(
                "strata_kept_id_\(entity.name)", on: "strata_kept_\(entity.name)",
                column: TableDescription.ColumnName.id, isUnique: true),
        ]
    }

    /// Returns a statement that records a row's current state, unless a state is recorded; its parameter is the row's
    /// identifier.
    package func keeping(_ entity: EntityDescription) -> String {
        """
        INSERT INTO \(kept(entity).name) SELECT * FROM \(layout.table(entity.name)) WHERE \(layout.idColumn) = \(layout.parameter(1)) \
        ON CONFLICT DO NOTHING
        """
    }

    /// Returns a query for the recorded state of a row; its parameter is the row's identifier.
    package func keptRow(_ entity: EntityDescription) -> String { layout.selection(entity, from: kept(entity).name) }

    /// Returns a statement that restores a row to its recorded state; its parameter is the row's identifier.
    package func puttingBack(_ entity: EntityDescription) -> String {
        """
        INSERT INTO \(layout.table(entity.name)) SELECT * FROM \(kept(entity).name) WHERE \(layout.idColumn) = \(layout.parameter(1))
        """
    }

    package func removalOfKeptRows(_ entity: EntityDescription) -> String { "DROP TABLE \(kept(entity).name)" }
}
