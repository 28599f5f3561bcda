/// The tables of many-to-many relationships: one a link, named as the link.
extension SQLiteLayout {
    static let sourceColumn = "\"source\""
    static let targetColumn = "\"target\""
    static let sourcePositionColumn = "\"sourcePosition\""
    static let targetPositionColumn = "\"targetPosition\""

    func table(_ link: LinkDescription) -> String { Self.quoted(link.name) }

    /// The position columns that a link has.
    static func positionColumns(_ link: LinkDescription) -> [String] {
        (link.isSourceOrdered ? [sourcePositionColumn] : []) + (link.isTargetOrdered ? [targetPositionColumn] : [])
    }

    /// The key finds a source's targets, the index a target's sources.
    ///
    /// The references do not cascade: a save that changes a row's unique values takes the row out and puts it back, and its pairs must stay.
    func schema(_ link: LinkDescription) -> [String] {
        func end(_ column: String, _ entity: String) -> String {
            "\(column) INTEGER NOT NULL REFERENCES \(table(entity)) (\(idColumn)) DEFERRABLE INITIALLY DEFERRED"
        }
        let columns =
            [end(Self.sourceColumn, link.sourceEntity), end(Self.targetColumn, link.targetEntity)]
            + Self.positionColumns(link).map { "\($0) INTEGER" }
            + ["PRIMARY KEY (\(Self.sourceColumn), \(Self.targetColumn))"]
        return [
            "CREATE TABLE \(table(link)) (\(columns.joined(separator: ", "))) STRICT, WITHOUT ROWID",
            "CREATE INDEX \(Self.quoted(link.targetIndexName)) ON \(table(link)) (\(Self.targetColumn))",
        ]
    }

    /// Adds a pair, or gives the one that is there its positions.
    func insertion(_ link: LinkDescription) -> String {
        let positions = Self.positionColumns(link)
        let columns = [Self.sourceColumn, Self.targetColumn] + positions
        let marks = Array(repeating: "?", count: columns.count).joined(separator: ", ")
        let change =
            positions.isEmpty
            ? "NOTHING" : "UPDATE SET " + positions.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
        return """
            INSERT INTO \(table(link)) (\(columns.joined(separator: ", "))) VALUES (\(marks)) \
            ON CONFLICT (\(Self.sourceColumn), \(Self.targetColumn)) DO \(change)
            """
    }

    /// A statement that gives pairs in a request's order, and its parameters.
    ///
    /// Each row is source, target, and the positions, null where the link has none. The identifiers are one parameter, so that every request of a link
    /// and side is one prepared statement.
    func selection(_ request: LinkRequest, of link: LinkDescription) -> (sql: String, values: [StoredValue]) {
        let (source, target) = (Self.sourceColumn, Self.targetColumn)
        let positions = [
            link.isSourceOrdered ? Self.sourcePositionColumn : "NULL",
            link.isTargetOrdered ? Self.targetPositionColumn : "NULL",
        ]
        let json = request.ids.map { StoredValue.string("[" + $0.map(String.init).joined(separator: ",") + "]") }
        func members(_ column: String) -> String {
            json == nil ? "1" : "\(column) IN (SELECT value FROM json_each(?))"
        }
        if link.isSymmetric {
            let sql = """
                SELECT \(source), \(target), NULL, NULL FROM \(table(link)) WHERE \(members(source)) UNION ALL \
                SELECT \(target), \(source), NULL, NULL FROM \(table(link)) WHERE \(members(target)) AND \(source) <> \(target) \
                ORDER BY 1, 2
                """
            return (sql, json.map { [$0, $0] } ?? [])
        }
        let (owner, position, other) =
            request.side == .source ? (source, positions[0], target) : (target, positions[1], source)
        let order = position == "NULL" ? [owner, other] : [owner, position, other]
        let sql = """
            SELECT \(([source, target] + positions).joined(separator: ", ")) FROM \(table(link)) \
            WHERE \(members(owner)) ORDER BY \(order.joined(separator: ", "))
            """
        return (sql, json.map { [$0] } ?? [])
    }
}
