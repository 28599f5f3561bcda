package import StrataCore

/// The statements about pairs with an end that is not there yet, or may be taken out again, which wait in temporary tables until all rows are written.
///
/// A pair is noted with where it was read. Where it stands in a column of a row, that row is its owner; `p` is a pair wherever a condition is about one.
package struct SQLPairStatements: Sendable {
    private let layout: SQLLayout
    private let pairs: (creation: String, name: String)
    private let kept: (creation: String, name: String)

    private static let table = "strata_pending_joins"
    private static let keptTable = "strata_kept_joins"

    /// The statements about the pairs of a layout.
    package init(_ layout: SQLLayout) {
        self.layout = layout
        pairs = layout.dialect.temporaryTable(Self.table)
        kept = layout.dialect.temporaryTable(Self.keptTable)
    }

    private func columns(_ names: [String], _ type: AttributeType = .integer64) -> String {
        names.map { "\($0) \(layout.dialect.columnType(type))" }.joined(separator: ", ")
    }

    // MARK: Waiting

    /// Makes the table, empty.
    package var creation: [String] {
        [
            "DROP TABLE IF EXISTS \(pairs.name)",
            "\(pairs.creation) (\(columns(["number"])) PRIMARY KEY, \(columns(["source", "record", "line"])), "
                + "\(columns(["name"], .string)), \(columns(["\"from\"", "\"to\"", "inserter", "owner", "other", "isNew"])), "
                + "\(columns(["note"], .binary)))",
            layout.dialect.temporaryIndex(
                "strata_pending_join_owners", on: Self.table, column: "owner", isUnique: false),
        ]
    }

    /// Finds the pairs of rows by their other ends.
    package var indexOfOthers: String {
        layout.dialect.temporaryIndex("strata_pending_join_others", on: Self.table, column: "other", isUnique: false)
    }

    package var removal: String { "DROP TABLE \(pairs.name)" }

    /// Notes a pair: its number, source, record, line, the join table's name, both ends, the inserter, owner and other end where it stands in a row's
    /// column, whether it is new, and the record's note.
    package var insertion: String { "INSERT INTO \(pairs.name) VALUES (\(layout.parameters(12)))" }

    /// Forgets a pair: its number.
    package var deletion: String { "DELETE FROM \(pairs.name) WHERE number = \(layout.parameter(1))" }

    /// Forgets the pairs of a row: the join table's name, and the owner.
    package var deletionOfOwner: String {
        "DELETE FROM \(pairs.name) WHERE name = \(layout.parameter(1)) AND owner = \(layout.parameter(2))"
    }

    /// Removes the pairs of a row that do not stand in the columns of others: the row, and the join table's name.
    package func removal(_ join: JoinDescription, ofSource isSource: Bool) -> String {
        let (source, target) = (SQLLayout.sourceColumn, SQLLayout.targetColumn)
        let (own, other) = isSource ? (source, target) : (target, source)
        let table = layout.table(join)
        return """
            DELETE FROM \(table) WHERE \(own) = \(layout.parameter(1)) AND NOT EXISTS (SELECT 1 FROM \(pairs.name) AS p \
            WHERE p.name = \(layout.parameter(2)) AND p.owner = \(table).\(other) AND p."from" = \(table).\(source) \
            AND p."to" = \(table).\(target))
            """
    }

    /// Gives the ends of the pairs of a new row: the join table's name, and the owner.
    package var selectionOfNewOwner: String {
        """
        SELECT "from", "to" FROM \(pairs.name) WHERE name = \(layout.parameter(1)) AND owner = \(layout.parameter(2)) \
        AND isNew = 1
        """
    }

    /// Which pairs of an inserter are meant, its number being the first parameter.
    package enum Pairs {
        /// Those with an end that is not there.
        case missing(JoinDescription)
        /// Those of rows whose other end is a row, the second parameter.
        case toOther
    }

    /// Gives pairs: number, source, record, line, both ends, the owner, whether it is new, whether the source is there, whether the target is, and the
    /// record's note.
    package func selection(_ join: JoinDescription, _ meant: Pairs) -> String {
        let isMeant =
            switch meant {
            case .missing: "NOT (\(exists(join.sourceEntity, "\"from\"")) AND \(exists(join.targetEntity, "\"to\"")))"
            case .toOther: "other = \(layout.parameter(2))"
            }
        return """
            SELECT number, source, record, line, "from", "to", owner, isNew, \
            CASE WHEN \(exists(join.sourceEntity, "\"from\"")) THEN 1 ELSE 0 END, \
            CASE WHEN \(exists(join.targetEntity, "\"to\"")) THEN 1 ELSE 0 END, note \
            FROM \(pairs.name) AS p WHERE inserter = \(layout.parameter(1)) AND \(isMeant) ORDER BY source, record, number
            """
    }

    private func exists(_ entity: String, _ end: String) -> String {
        "EXISTS (SELECT 1 FROM \(layout.table(entity)) AS e WHERE e.\(layout.idColumn) = p.\(end))"
    }

    /// Gives the first pair of a join table, a parameter, with an end that is not there: source, record, line, and both ends.
    package func firstMissing(_ join: JoinDescription, isTarget: Bool) -> String {
        let (end, entity) = isTarget ? ("\"to\"", join.targetEntity) : ("\"from\"", join.sourceEntity)
        return """
            SELECT source, record, line, "from", "to" FROM \(pairs.name) AS p WHERE name = \(layout.parameter(1)) AND NOT \
            \(exists(entity, end)) AND EXISTS \
            (SELECT 1 FROM \(layout.table(join)) AS l WHERE l.\(SQLLayout.sourceColumn) = p."from" \
            AND l.\(SQLLayout.targetColumn) = p."to") ORDER BY source, record LIMIT 1
            """
    }

    // MARK: Pairs as they were

    /// Makes the table of the pairs that rows had before their first update, empty.
    package var creationOfKept: [String] {
        [
            "DROP TABLE IF EXISTS \(kept.name)",
            "\(kept.creation) (\(columns(["name"], .string)), \(columns(["owner", "\"from\"", "\"to\"", "sourcePosition", "targetPosition", "isOwn"])))",
            layout.dialect.temporaryIndex(
                "strata_kept_join_owners", on: Self.keptTable, column: "owner", isUnique: false),
        ]
    }

    package var removalOfKept: String { "DROP TABLE \(kept.name)" }

    /// Keeps a pair, or with null for its ends that the pairs of a row are kept: the join table's name, the owner, both ends, both positions, and
    /// whether the row itself brought it.
    package var keeping: String { "INSERT INTO \(kept.name) VALUES (\(layout.parameters(7)))" }

    /// Gives what was kept of a row, the join table's name and the owner given: both ends, both positions, and whether the row itself brought
    /// it; nothing where nothing was kept.
    package var selectionOfKept: String {
        """
        SELECT "from", "to", sourcePosition, targetPosition, isOwn FROM \(kept.name) WHERE name = \(layout.parameter(1)) \
        AND owner = \(layout.parameter(2))
        """
    }
}
