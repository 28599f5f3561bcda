import CStrataSQLite
public import StrataCore

extension SQLiteStore {
    /// Gives the pairs of a many-to-many relationship to `body`: one statement.
    public func joins(_ request: ResolvedJoinRequest, _ body: (JoinRow) throws -> FetchFlow) throws {
        try pool.withConnection { try $0.joins(request, layout, body) }
    }
}

extension SQLiteConnection {
    /// Gives the pairs of a request to `body`: one statement.
    func joins(
        _ request: ResolvedJoinRequest, _ layout: SQLiteLayout, _ body: (JoinRow) throws -> FetchFlow
    ) throws {
        let (sql, values) = layout.selection(request)
        let statement = try statement(sql)
        defer { statement.reset() }
        try statement.bind(values)
        while try statement.step() {
            let ends = statement.integers(2)
            let row = JoinRow(
                JoinPair(source: ends[0], target: ends[1]), sourcePosition: statement.optionalInteger(2),
                targetPosition: statement.optionalInteger(3))
            if case .stop = try body(row) { return }
        }
    }
}

extension SQLiteStatement {
    fileprivate func optionalInteger(_ index: Int32) -> Int64? {
        sqlite3_column_type(handle, index) == SQLITE_NULL ? nil : sqlite3_column_int64(handle, index)
    }
}

extension SQLiteSaving {
    /// Removes the deleted rows' pairs, then the pairs that are removed, and writes those that are added.
    func writeJoins(_ changes: ChangeSet) throws {
        for join in layout.model.joins {
            let table = layout.table(join)
            try removePairs(changes[join.sourceEntity].deletions, from: table, SQLiteLayout.sourceColumn)
            try removePairs(changes[join.targetEntity].deletions, from: table, SQLiteLayout.targetColumn)
            guard let joinChanges = changes.joins[join.name] else { continue }
            let removal =
                "DELETE FROM \(table) WHERE \(SQLiteLayout.sourceColumn) = ? AND \(SQLiteLayout.targetColumn) = ?"
            for pair in joinChanges.removed.map(join.kept) {
                try connection.run(removal, .integer(pair.source), .integer(pair.target))
            }
            let insertion = layout.insertion(join)
            for row in joinChanges.added.map(join.kept) {
                var values: [StoredValue] = [.integer(row.pair.source), .integer(row.pair.target)]
                if join.isSourceOrdered { values.append(row.sourcePosition.map(StoredValue.integer) ?? .null) }
                if join.isTargetOrdered { values.append(row.targetPosition.map(StoredValue.integer) ?? .null) }
                try connection.statement(insertion).run(values)
            }
        }
    }

    private func removePairs(_ deletions: [ChangeSet.Deletion], from table: String, _ column: String) throws {
        for deletion in deletions {
            try connection.run("DELETE FROM \(table) WHERE \(column) = ?", .integer(deletion.id))
        }
    }

    /// Looks for added pairs with an end that does not exist, before the commit would refuse them without saying which.
    func checkJoins(_ changes: ChangeSet) throws {
        for join in layout.model.joins {
            guard let added = changes.joins[join.name]?.added, !added.isEmpty else { continue }
            var (sources, targets): (Set<Int64>, Set<Int64>) = ([], [])
            for pair in added.map({ join.kept($0.pair) }) {
                if targets.insert(pair.target).inserted, try !exists(pair.target, join.targetEntity) {
                    throw PersistenceError.dangling(join, pair, isTargetMissing: true)
                }
                if sources.insert(pair.source).inserted, try !exists(pair.source, join.sourceEntity) {
                    throw PersistenceError.dangling(join, pair, isTargetMissing: false)
                }
            }
        }
    }

    private func exists(_ id: Int64, _ entity: String) throws -> Bool {
        let sql = "SELECT 1 FROM \(layout.table(entity)) WHERE \(layout.idColumn) = ?"
        return try connection.number(sql, .integer(id)) != nil
    }
}
