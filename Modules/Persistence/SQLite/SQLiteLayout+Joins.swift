import StrataCore

/// The join tables of many-to-many relationships, each named as its relationship and the entity that declares it.
extension SQLiteLayout {
    static let sourceColumn = "\"source\""
    static let targetColumn = "\"target\""
    static let sourcePositionColumn = "\"sourcePosition\""
    static let targetPositionColumn = "\"targetPosition\""

    func table(_ join: JoinDescription) -> String { Self.quoted(join.name) }

    /// The position columns that a join table has.
    static func positionColumns(_ join: JoinDescription) -> [String] {
        (join.isSourceOrdered ? [sourcePositionColumn] : []) + (join.isTargetOrdered ? [targetPositionColumn] : [])
    }

    /// The key finds a source's targets, the index a target's sources.
    ///
    /// The references do not cascade: a save that changes a row's unique values takes the row out and puts it back, and its pairs must stay.
    func schema(_ join: JoinDescription) -> [String] {
        func end(_ column: String, _ entity: String) -> String {
            "\(column) INTEGER NOT NULL REFERENCES \(table(entity)) (\(idColumn)) DEFERRABLE INITIALLY DEFERRED"
        }
        let columns =
            [end(Self.sourceColumn, join.sourceEntity), end(Self.targetColumn, join.targetEntity)]
            + Self.positionColumns(join).map { "\($0) INTEGER" }
            + ["PRIMARY KEY (\(Self.sourceColumn), \(Self.targetColumn))"]
        return [
            "CREATE TABLE \(table(join)) (\(columns.joined(separator: ", "))) STRICT, WITHOUT ROWID",
            "CREATE INDEX \(Self.quoted(join.targetIndexName)) ON \(table(join)) (\(Self.targetColumn))",
        ]
    }

    /// Adds a pair, or gives the one that is there its positions.
    func insertion(_ join: JoinDescription) -> String {
        let positions = Self.positionColumns(join)
        let columns = [Self.sourceColumn, Self.targetColumn] + positions
        let marks = Array(repeating: "?", count: columns.count).joined(separator: ", ")
        let change =
            positions.isEmpty
            ? "NOTHING" : "UPDATE SET " + positions.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
        return """
            INSERT INTO \(table(join)) (\(columns.joined(separator: ", "))) VALUES (\(marks)) \
            ON CONFLICT (\(Self.sourceColumn), \(Self.targetColumn)) DO \(change)
            """
    }

    /// A statement that gives pairs in a request's order, and its parameters.
    ///
    /// Each row is source, target, and the positions, null where the join table has none. The identifiers are one parameter, so that every request of a join table
    /// and side is one prepared statement.
    func selection(_ request: ResolvedJoinRequest) -> (sql: String, values: [StoredValue]) {
        let join = request.join
        let (source, target) = (Self.sourceColumn, Self.targetColumn)
        let positions = [
            join.isSourceOrdered ? Self.sourcePositionColumn : "NULL",
            join.isTargetOrdered ? Self.targetPositionColumn : "NULL",
        ]
        let json = request.ids.map { StoredValue.string("[" + $0.map(String.init).joined(separator: ",") + "]") }
        func members(_ column: String) -> String {
            json == nil ? "1" : "\(column) IN (SELECT value FROM json_each(?))"
        }
        if join.isSymmetric {
            let sql = """
                SELECT \(source), \(target), NULL, NULL FROM \(table(join)) WHERE \(members(source)) UNION ALL \
                SELECT \(target), \(source), NULL, NULL FROM \(table(join)) WHERE \(members(target)) AND \(source) <> \(target) \
                ORDER BY 1, 2
                """
            return (sql, json.map { [$0, $0] } ?? [])
        }
        let (owner, position, other) =
            request.side == .source ? (source, positions[0], target) : (target, positions[1], source)
        let order = position == "NULL" ? [owner, other] : [owner, position, other]
        let sql = """
            SELECT \(([source, target] + positions).joined(separator: ", ")) FROM \(table(join)) \
            WHERE \(members(owner)) ORDER BY \(order.joined(separator: ", "))
            """
        return (sql, json.map { [$0] } ?? [])
    }
}
