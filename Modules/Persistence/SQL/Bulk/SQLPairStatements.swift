package import StrataCore

/// The statements that store, find and delete pending join rows in temporary tables.
///
/// A join row is pending until all rows are inserted if one of its two ends (the source row or the target row) does not
/// exist yet or may be removed again. Each pending join row is stored with its location in the input. If a list column
/// of an entity row contains the join row, that entity row is its owner, and the “other end” is the end that is not the
/// owner. In conditions, `p` is the alias of the pending join row.
package struct SQLPairStatements: Sendable {
    private let layout: SQLLayout
    private let pairs: (creation: String, name: String)
    private let kept: (creation: String, name: String)

    private static let table = "strata_pending_joins"
    private static let keptTable = "strata_kept_joins"

    /// Creates the statements for the join tables of a layout.
    package init(_ layout: SQLLayout) {
        self.layout = layout
        pairs = layout.dialect.temporaryTable(Self.table)
        kept = layout.dialect.temporaryTable(Self.keptTable)
    }

    private func columns(_ names: [String], _ type: AttributeType = .integer64) -> String {
        names.map { "\($0) \(layout.dialect.columnType(type))" }.joined(separator: ", ")
    }

    // MARK: Waiting

    /// The statements that create the empty temporary table of pending join rows.
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

    /// The statement that creates an index of the pending join rows by their other ends.
    package var indexOfOthers: String {
        layout.dialect.temporaryIndex("strata_pending_join_others", on: Self.table, column: "other", isUnique: false)
    }

    package var removal: String { "DROP TABLE \(pairs.name)" }

    /// The statement that stores a pending join row.
    ///
    /// The parameters are: a sequence number, the input source, record and line, the join table's name, the source, the
    /// target, the inserter's number, the owner, the other end, whether the owner (or without one, the join row) is
    /// new, and the note of the input record. The owner and the other end are null if no list column contains the join
    /// row.
    package var insertion: String { "INSERT INTO \(pairs.name) VALUES (\(layout.parameters(12)))" }

    /// The statement that deletes a pending join row; its parameter is the join row's sequence number.
    package var deletion: String { "DELETE FROM \(pairs.name) WHERE number = \(layout.parameter(1))" }

    /// The statement that deletes an owner's pending join rows; its parameters are the join table's name and the
    /// owner's identifier.
    package var deletionOfOwner: String {
        "DELETE FROM \(pairs.name) WHERE name = \(layout.parameter(1)) AND owner = \(layout.parameter(2))"
    }

    /// Returns a statement that deletes the join rows of an entity row, except those in list columns of other rows.
    ///
    /// The parameters of the statement are the entity row's identifier and the join table's name.
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

    /// The query for both ends of a new owner's join rows; its parameters are the join table's name and the owner's
    /// identifier.
    package var selectionOfNewOwner: String {
        """
        SELECT "from", "to" FROM \(pairs.name) WHERE name = \(layout.parameter(1)) AND owner = \(layout.parameter(2)) \
        AND isNew = 1
        """
    }

    /// A selection of the pending join rows that one inserter wrote; the inserter's number is the first parameter.
    package enum Pairs {
        /// The join rows whose source or target does not exist.
        case missing(JoinDescription)
        /// The join rows that have an owner, and whose other end is the row with the identifier in the second
        /// parameter.
        case toOther
    }

    /// Returns a query for a selection of pending join rows.
    ///
    /// The columns are: the sequence number, the input source, record and line, the source, the target, the owner,
    /// whether the owner (or without one, the join row) is new, whether the source exists, whether the target exists,
    /// and the input record's note.
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

    /// Returns a query for a join table's first pending join row, in input order, whose source or target does not
    /// exist.
    ///
    /// The parameter of the query is the join table's name. The columns are the input source, record and line, and the
    /// identifiers of the join row's source and target.
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

    /// The statements that create the empty temporary table of the join rows that owners had before their first update.
    package var creationOfKept: [String] {
        [
            "DROP TABLE IF EXISTS \(kept.name)",
            "\(kept.creation) (\(columns(["name"], .string)), \(columns(["owner", "\"from\"", "\"to\"", "sourcePosition", "targetPosition", "isOwn"])))",
            layout.dialect.temporaryIndex(
                "strata_kept_join_owners", on: Self.keptTable, column: "owner", isUnique: false),
        ]
    }

    package var removalOfKept: String { "DROP TABLE \(kept.name)" }

    /// The statement that stores a join row that an owner had before its first update.
    ///
    /// The parameters are: the join table's name, the owner, the source, the target, the positions at both ends, and
    /// whether the input record that inserted the owner also inserted the join row. If the source and the target are
    /// null, the entry records only that the owner's join rows are stored.
    package var keeping: String { "INSERT INTO \(kept.name) VALUES (\(layout.parameters(7)))" }

    /// The query for the join rows that an owner had before its first update; its parameters are the join table's name
    /// and the owner.
    ///
    /// The columns are the source, the target, the positions at both ends, and whether the input record that inserted
    /// the owner also inserted the join row. The query returns no row if the owner's join rows were not stored.
    package var selectionOfKept: String {
        """
        SELECT "from", "to", sourcePosition, targetPosition, isOwn FROM \(kept.name) WHERE name = \(layout.parameter(1)) \
        AND owner = \(layout.parameter(2))
        """
    }
}
