package import StrataCore

/// The statements about references to rows that are not there yet, which wait in temporary tables until all rows are written.
///
/// A reference is noted with where it was read, whose it is and where it leads; `p` is one of them wherever a condition is about one.
package struct SQLReferenceStatements: Sendable {
    let layout: SQLLayout
    private let references: (creation: String, name: String)

    /// The statements about the rows of a layout.
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

    /// Makes the table of references, empty.
    package var creationOfReferences: [String] {
        [
            "DROP TABLE IF EXISTS \(references.name)",
            "\(references.creation) (\(columns(["number"])) PRIMARY KEY, \(columns(Self.referenceColumns)), "
                + "\(columns(["note"], .binary)))",
        ]
    }

    /// Finds references by where they lead.
    package var indexOfTargets: String {
        layout.dialect.temporaryIndex(
            "strata_pending_targets", on: Self.referenceTable, column: "target", isUnique: false)
    }

    package var removalOfReferences: String { "DROP TABLE \(references.name)" }

    /// Notes a reference: its number, source, record, line, inserter, column, owner, target, whether its row is new, and the row's note.
    package var insertionOfReference: String {
        "INSERT INTO \(references.name) VALUES (\(layout.parameters(Self.referenceColumns.count + 2)))"
    }

    /// Gives references another target: the new one, the old one.
    package var redirectionOfReferences: String {
        "UPDATE \(references.name) SET target = \(layout.parameter(1)) WHERE target = \(layout.parameter(2))"
    }

    /// Gives the rows of an entity that refer to one row another target: the new one, the old one.
    package func redirection(_ column: Int, of entity: EntityDescription) -> String {
        let name = layout.column(entity.columns[column].name)
        return """
            UPDATE \(layout.table(entity.name)) SET \(name) = \(layout.parameter(1)) WHERE \(name) = \(layout.parameter(2))
            """
    }

    /// Forgets a reference: its number.
    package var deletionOfReference: String { "DELETE FROM \(references.name) WHERE number = \(layout.parameter(1))" }

    /// Which references of an inserter's column are meant; both are parameters.
    package enum References {
        /// Those whose row still refers to a row that is not there.
        case missing(destination: String)
        /// Those whose row still refers to one row, the third parameter.
        case toTarget
    }

    /// Gives the first reference that leads nowhere: source, record, line, owner, target.
    package func firstMissing(_ column: Int, of entity: EntityDescription, destination: String) -> String {
        "SELECT source, record, line, owner, target \(from(column, of: entity, .missing(destination: destination))) "
            + "ORDER BY source, record LIMIT 1"
    }

    /// Gives references: source, record, line, owner, target, whether the row is new, the number, and the row's note.
    package func selection(_ column: Int, of entity: EntityDescription, _ meant: References) -> String {
        "SELECT source, record, line, owner, target, isNew, number, note \(from(column, of: entity, meant)) "
            + "ORDER BY source, record"
    }

    /// Makes references null that lead nowhere.
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
        // A later row may have changed the owner.
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

    /// Makes the table of an entity's rows as they were before their first update, empty.
    package func creationOfKeptRows(_ entity: EntityDescription) -> [String] {
        let kept = kept(entity)
        return [
            "DROP TABLE IF EXISTS \(kept.name)",
            "\(kept.creation) AS SELECT * FROM \(layout.table(entity.name)) WHERE \(layout.dialect.truth(false))",
            // A key of its own, so that the first state is the one that stays.
            layout.dialect.temporaryIndex(
                "strata_kept_id_\(entity.name)", on: "strata_kept_\(entity.name)",
                column: TableDescription.ColumnName.id, isUnique: true),
        ]
    }

    /// Keeps a row, its identifier given, unless it is kept already.
    package func keeping(_ entity: EntityDescription) -> String {
        """
        INSERT INTO \(kept(entity).name) SELECT * FROM \(layout.table(entity.name)) WHERE \(layout.idColumn) = \(layout.parameter(1)) \
        ON CONFLICT DO NOTHING
        """
    }

    /// Gives a row that was kept; its identifier is given.
    package func keptRow(_ entity: EntityDescription) -> String { layout.selection(entity, from: kept(entity).name) }

    /// Puts a row back that was kept; its identifier is given.
    package func puttingBack(_ entity: EntityDescription) -> String {
        """
        INSERT INTO \(layout.table(entity.name)) SELECT * FROM \(kept(entity).name) WHERE \(layout.idColumn) = \(layout.parameter(1))
        """
    }

    package func removalOfKeptRows(_ entity: EntityDescription) -> String { "DROP TABLE \(kept(entity).name)" }
}
