import CStrataSQLite

extension SQLiteStore {
    /// The pairs of a many-to-many relationship: one statement.
    public func links(_ request: LinkRequest) throws -> [LinkRow] {
        let link = try request.validate(in: model)
        return try pool.withConnection { try $0.links(request, of: link, layout) }
    }
}

extension SQLiteConnection {
    /// The pairs of a request.
    func links(_ request: LinkRequest, of link: LinkDescription, _ layout: SQLiteLayout) throws -> [LinkRow] {
        var rows: [LinkRow] = []
        try links(request, of: link, layout: layout) { row in
            rows.append(row)
            return .next
        }
        return rows
    }
}

extension SQLiteConnection {
    /// Gives the pairs of a request to `body`: one statement.
    func links(
        _ request: LinkRequest, of link: LinkDescription, layout: SQLiteLayout,
        _ body: (LinkRow) throws -> FetchFlow
    ) throws {
        let (sql, values) = layout.selection(request, of: link)
        let statement = try statement(sql)
        defer { statement.reset() }
        try statement.bind(values)
        while try statement.step() {
            let ends = statement.integers(2)
            let row = LinkRow(
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
    func writeLinks(_ changes: ChangeSet) throws {
        for link in layout.model.links {
            let table = layout.table(link)
            try removePairs(changes[link.sourceEntity].deletions, from: table, SQLiteLayout.sourceColumn)
            try removePairs(changes[link.targetEntity].deletions, from: table, SQLiteLayout.targetColumn)
            guard let linkChanges = changes.links[link.name] else { continue }
            let removal =
                "DELETE FROM \(table) WHERE \(SQLiteLayout.sourceColumn) = ? AND \(SQLiteLayout.targetColumn) = ?"
            for pair in linkChanges.removed.map(link.kept) {
                try connection.run(removal, .integer(pair.source), .integer(pair.target))
            }
            let insertion = layout.insertion(link)
            for row in linkChanges.added.map(link.kept) {
                var values: [StoredValue] = [.integer(row.link.source), .integer(row.link.target)]
                if link.isSourceOrdered { values.append(row.sourcePosition.map(StoredValue.integer) ?? .null) }
                if link.isTargetOrdered { values.append(row.targetPosition.map(StoredValue.integer) ?? .null) }
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
    func checkLinks(_ changes: ChangeSet) throws {
        for link in layout.model.links {
            guard let added = changes.links[link.name]?.added, !added.isEmpty else { continue }
            var (sources, targets): (Set<Int64>, Set<Int64>) = ([], [])
            for pair in added.map({ link.kept($0.link) }) {
                if targets.insert(pair.target).inserted, try !exists(pair.target, link.targetEntity) {
                    throw PersistenceError.dangling(link, pair, isTargetMissing: true)
                }
                if sources.insert(pair.source).inserted, try !exists(pair.source, link.sourceEntity) {
                    throw PersistenceError.dangling(link, pair, isTargetMissing: false)
                }
            }
        }
    }

    private func exists(_ id: Int64, _ entity: String) throws -> Bool {
        let sql = "SELECT 1 FROM \(layout.table(entity)) WHERE \(layout.idColumn) = ?"
        return try connection.number(sql, .integer(id)) != nil
    }
}
