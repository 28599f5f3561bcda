import StrataCore

/// The statements that store, find and delete pending references and join rows in temporary tables.
///
/// A reference is pending until all rows are inserted if its target does not exist yet or may be removed again; so is a
/// join row if one of its ends does not exist yet or may be removed again. In conditions, `p` is the alias of the
/// pending row.
struct SQLPendingStatements: Sendable {
    private let layout: SQLLayout
    private let pending: (creation: String, name: String)
    /// The statement that stores a pending row; its parameters are the values of all columns.
    let insertion: String

    /// The name of the temporary table of pending rows.
    static let table = "strata_pending"
    private static let columns = [
        "source", "record", "line", "property", "list", "owner", "target", "isNew",
    ]

    /// Creates the statements for the entities and join tables of a layout.
    init(_ layout: SQLLayout) {
        self.layout = layout
        pending = layout.dialect.temporaryTable(Self.table)
        insertion = "INSERT INTO \(pending.name) VALUES (\(layout.parameters(Self.columns.count + 2)))"
    }

    // MARK: Pending rows

    /// The statements that create the empty temporary table of pending rows.
    ///
    /// The columns are: a sequence number, the input source, record and line, the number of the property, the number of
    /// the list column that contains the join row (see ``list(_:isSource:)``), the owner, the target, whether the owner
    /// (or without one, the join row) is new, and the note of the input record.
    var creation: [String] {
        let integer = layout.dialect.columnType(.integer64)
        let columns = Self.columns.map { "\($0) \(integer), " }.joined()
        return [
            "DROP TABLE IF EXISTS \(pending.name)",
            "\(pending.creation) (number \(integer) PRIMARY KEY, \(columns)note \(layout.dialect.columnType(.binary)))",
        ]
    }

    /// Returns the statement that creates an index of the pending rows by a column.
    func index(by column: String) -> String {
        layout.dialect.temporaryIndex("strata_pending_\(column)", on: Self.table, column: column, isUnique: false)
    }

    /// The statement that deletes a pending row; its parameter is the sequence number.
    var deletion: String { "DELETE FROM \(pending.name) WHERE number = \(layout.parameter(1))" }

    /// The statement that deletes an owner's pending join rows; its parameters are the number of the list column and
    /// the owner's identifier.
    var deletionOfOwner: String {
        "DELETE FROM \(pending.name) WHERE list = \(layout.parameter(1)) AND owner = \(layout.parameter(2))"
    }

    /// The statement that replaces the target of a property's pending rows; its parameters are the new and the old
    /// identifier, and the number of the property.
    var redirection: String {
        """
        UPDATE \(pending.name) SET target = \(layout.parameter(1)) WHERE target = \(layout.parameter(2)) \
        AND property = \(layout.parameter(3))
        """
    }

    /// Returns a statement that replaces an identifier in a reference column of an entity's rows; its parameters are
    /// the new and the old identifier.
    func redirection(_ column: Int, of entity: EntityDescription) -> String {
        let name = layout.column(entity.columns[column].name)
        return """
            UPDATE \(layout.table(entity.name)) SET \(name) = \(layout.parameter(1)) WHERE \(name) = \(layout.parameter(2))
            """
    }

    /// A selection of the pending rows of one property, whose number is the first parameter.
    enum Selection {
        /// The rows with a missing owner or target.
        case missing
        /// The first row with a missing owner or target, in input order, that the store still contains.
        case firstMissing
        /// The rows whose target is the second parameter.
        case toTarget
    }

    /// Returns the query for a selection of pending rows in input order.
    ///
    /// The columns are: the sequence number, the input source, record and line, the owner, the target, whether the
    /// owner is new, and the input record's note.
    func rows(of property: SQLPendingProperty, _ selection: Selection) -> String {
        """
        SELECT number, source, record, line, owner, target, isNew, note \(from(property, selection)) \
        ORDER BY source, record, number\(selection == .firstMissing ? " LIMIT 1" : "")
        """
    }

    /// Returns a statement that sets the dangling references of a column to null; its parameter is the number of the
    /// property.
    func nulling(_ column: ColumnDescription, of property: SQLPendingProperty) -> String {
        """
        UPDATE \(layout.table(property.ownerEntity)) SET \(layout.column(column.name)) = NULL \
        WHERE \(layout.idColumn) IN (SELECT owner \(from(property, .missing)))
        """
    }

    private func from(_ property: SQLPendingProperty, _ selection: Selection) -> String {
        var conditions = ["property = \(layout.parameter(1))"]
        if selection == .toTarget {
            conditions.append("target = \(layout.parameter(2))")
        } else if property.join == nil {
            conditions.append("NOT \(exists(property.targetEntity, "p.target"))")
        } else {
            let exists = "\(exists(property.ownerEntity, "p.owner")) AND \(exists(property.targetEntity, "p.target"))"
            conditions.append("NOT (\(exists))")
        }
        switch property.storage {
        // A later row of the input may have changed the owner.
        case .column(let index, let rows):
            let column = layout.column(rows.entity.columns[index].name)
            conditions.append(exists(property.ownerEntity, "p.owner AND e.\(column) = p.target"))
        // A join row that was deleted with one of its ends must still be reported.
        case .joinTable(let join, _) where selection == .firstMissing:
            let isRow = isRow(join, ofSource: property.isSource, owner: "p.owner", target: "p.target")
            conditions.append("EXISTS (SELECT 1 FROM \(layout.table(join)) AS l WHERE \(isRow))")
        case .joinTable: break
        }
        return "FROM \(pending.name) AS p WHERE \(conditions.joined(separator: " AND "))"
    }

    private func exists(_ entity: String, _ id: String) -> String {
        "EXISTS (SELECT 1 FROM \(layout.table(entity)) AS e WHERE e.\(layout.idColumn) = \(id))"
    }

    /// Returns the columns of a join table with the owner and with the other end of a join row.
    private func ends(ofSource isSource: Bool) -> (own: String, other: String) {
        let (source, target) = (SQLLayout.sourceColumn, SQLLayout.targetColumn)
        return isSource ? (source, target) : (target, source)
    }

    /// Returns the condition that the join row `l` has an owner and a target.
    private func isRow(_ join: JoinDescription, ofSource isSource: Bool, owner: String, target: String) -> String {
        let (own, other) = ends(ofSource: isSource)
        let isRow = "l.\(own) = \(owner) AND l.\(other) = \(target)"
        return join.isSymmetric ? "(\(isRow) OR l.\(other) = \(owner) AND l.\(own) = \(target))" : isRow
    }

    // MARK: Rows as they were

    /// The name of the temporary table of an entity's rows as they were before their first update.
    func keptTable(_ entity: EntityDescription) -> String { "strata_kept_\(entity.name)" }

    /// Returns the statements that create the empty temporary table of an entity's rows as they were before their first
    /// update.
    func creationOfKeptRows(_ entity: EntityDescription) -> [String] {
        let name = keptTable(entity)
        // The table has its own unique key, so that only the first state of a row is stored.
        return creation(of: name, "SELECT * FROM \(layout.table(entity.name))") + [
            layout.dialect.temporaryIndex(
                "strata_kept_id_\(entity.name)", on: name, column: TableDescription.ColumnName.id, isUnique: true)
        ]
    }

    private func creation(of table: String, _ query: String) -> [String] {
        let (creation, name) = layout.dialect.temporaryTable(table)
        return ["DROP TABLE IF EXISTS \(name)", "\(creation) AS \(query) WHERE \(layout.dialect.truth(false))"]
    }

    /// Returns the name of a temporary table in SQL.
    private func name(of table: String) -> String { layout.dialect.temporaryTable(table).name }

    /// Returns a statement that records a row's current state, unless a state is recorded; its parameter is the row's
    /// identifier.
    func keeping(_ entity: EntityDescription) -> String {
        """
        INSERT INTO \(name(of: keptTable(entity))) SELECT * FROM \(layout.table(entity.name)) WHERE \(layout.idColumn) = \(layout.parameter(1)) \
        ON CONFLICT DO NOTHING
        """
    }

    /// Returns a query for the recorded state of a row; its parameter is the row's identifier.
    func keptRow(_ entity: EntityDescription) -> String { layout.selection(entity, from: name(of: keptTable(entity))) }

    /// Returns a statement that restores a row to its recorded state; its parameter is the row's identifier.
    func restoring(_ entity: EntityDescription) -> String {
        """
        INSERT INTO \(layout.table(entity.name)) SELECT * FROM \(name(of: keptTable(entity))) WHERE \(layout.idColumn) = \(layout.parameter(1))
        """
    }

    /// Returns the statement that deletes a temporary table.
    func removal(of table: String) -> String { "DROP TABLE \(name(of: table))" }

    // MARK: Lists as they were

    /// Returns the number of the list column with the join rows at one end of a relationship.
    func list(_ join: JoinDescription, isSource: Bool) -> Int64 {
        let index = layout.model.joins.firstIndex { $0.name == join.name } ?? 0
        return Int64(2 * index + (isSource || join.isSymmetric ? 0 : 1))
    }

    /// The name of the temporary table of the join rows that owners had before the first update of their list column.
    func keptTable(_ join: JoinDescription, isSource: Bool) -> String {
        "strata_kept_list_\(list(join, isSource: isSource))"
    }

    private func table(_ join: JoinDescription, _ isSource: Bool) -> String {
        name(of: keptTable(join, isSource: isSource))
    }

    /// Returns the statements that create the empty temporary table of the join rows that owners had before the first
    /// update of their list column.
    ///
    /// The columns are those of the join table, the owner, and 1 if the input record that inserted the owner also
    /// inserted the join row. An owner without join rows has one row with null for the columns of the join table.
    func creationOfKeptList(_ join: JoinDescription, isSource: Bool) -> [String] {
        let (name, source) = (keptTable(join, isSource: isSource), SQLLayout.sourceColumn)
        return creation(of: name, "SELECT *, \(source) AS owner, \(source) AS isOwn FROM \(layout.table(join))") + [
            layout.dialect.temporaryIndex("\(name)_owner", on: name, column: "owner", isUnique: false)
        ]
    }

    /// Returns a statement that records an owner's current join rows, unless they are recorded; its parameter is the
    /// owner's identifier.
    func keeping(_ join: JoinDescription, isSource: Bool) -> String {
        let (own, other) = ends(ofSource: isSource)
        let type = layout.dialect.columnType(.integer64)
        return """
            INSERT INTO \(table(join, isSource)) SELECT l.*, o.id, CASE WHEN EXISTS (SELECT 1 FROM \(pending.name) AS p \
            WHERE p.list = \(list(join, isSource: isSource)) AND p.owner = o.id AND p.isNew = 1 \
            AND \(isRow(join, ofSource: isSource, owner: "o.id", target: "p.target"))) THEN 1 ELSE 0 END \
            FROM (SELECT CAST(\(layout.parameter(1)) AS \(type)) AS id) AS o LEFT JOIN \(layout.table(join)) AS l \
            ON l.\(own) = o.id\(join.isSymmetric ? " OR l.\(other) = o.id" : "") \
            WHERE NOT EXISTS (SELECT 1 FROM \(table(join, isSource)) AS k WHERE k.owner = o.id)
            """
    }

    /// Returns a query for the recorded join rows of an owner; its parameter is the owner's identifier.
    ///
    /// The columns are the source, the target, and whether the record of the owner inserted the join row. The query
    /// returns no row if the owner's join rows are not recorded.
    func kept(_ join: JoinDescription, isSource: Bool) -> String {
        """
        SELECT \(SQLLayout.sourceColumn), \(SQLLayout.targetColumn), isOwn FROM \(table(join, isSource)) \
        WHERE owner = \(layout.parameter(1))
        """
    }

    /// Returns a statement that deletes the join rows of an owner at one end, except those in list columns of other
    /// rows; its parameter is the owner's identifier.
    func removal(_ join: JoinDescription, ofSource isSource: Bool) -> String {
        let (own, other) = ends(ofSource: isSource)
        let table = layout.table(join)
        return """
            DELETE FROM \(table) WHERE \(own) = \(layout.parameter(1)) AND NOT EXISTS (SELECT 1 FROM \(pending.name) AS p \
            WHERE p.list = \(list(join, isSource: !isSource)) AND p.owner = \(table).\(other) AND p.target = \(table).\(own))
            """
    }

    /// Returns a statement that restores the recorded join rows of an owner, except those with a missing end that the
    /// record of the owner did not insert; its parameter is the owner's identifier.
    func restoring(_ join: JoinDescription, isSource: Bool) -> String {
        let (source, target) = (SQLLayout.sourceColumn, SQLLayout.targetColumn)
        return layout.insertion(join) { columns in
            """
            SELECT \(columns) FROM \(table(join, isSource)) AS k WHERE owner = \(layout.parameter(1)) AND (isOwn = 1 OR \
            \(exists(join.sourceEntity, "k.\(source)")) AND \(exists(join.targetEntity, "k.\(target)")))
            """
        }
    }
}
