import CStrataSQLite
public import StrataCore
import StrataSQL

extension SQLiteStore {
    /// Gives the pairs of a many-to-many relationship to `body`: one statement.
    public func joins(_ request: ResolvedJoinRequest, _ body: (JoinRow) throws -> FetchFlow) throws {
        try pool.withConnection { try $0.joins(request, layout, body) }
    }
}

extension SQLiteConnection {
    /// Gives the pairs of a request to `body`: one statement.
    func joins(
        _ request: ResolvedJoinRequest, _ layout: SQLLayout, _ body: (JoinRow) throws -> FetchFlow
    ) throws {
        let (sql, values) = layout.selection(request)
        let statement = try statement(sql)
        defer { statement.reset() }
        try statement.bind(values)
        while try statement.step() {
            let ends = statement.integers(2)
            guard identifierRange.contains(ends[0]), identifierRange.contains(ends[1]) else {
                throw PersistenceError(
                    .corrupt,
                    "the pair \(ends[0]), \(ends[1]) of \(request.join.name) holds what is no identifier; the file was damaged or "
                        + "changed by another program", entity: request.join.sourceEntity,
                    attribute: request.join.sourceRelationship)
            }
            let row = JoinRow(
                JoinPair(source: ends[0], target: ends[1]), sourcePosition: statement.optionalInteger(2),
                targetPosition: statement.optionalInteger(3))
            if case .stop = try body(row) { return }
        }
    }
}

extension SQLiteStatement {
    func optionalInteger(_ index: Int32) -> Int64? {
        sqlite3_column_type(handle, index) == SQLITE_NULL ? nil : sqlite3_column_int64(handle, index)
    }
}

extension SQLiteSaving {
    /// Removes the deleted rows' pairs, then the pairs that are removed, and writes those that are added.
    func writeJoins(_ changes: ChangeSet) throws {
        for join in layout.model.joins {
            for (entity, isSource) in [(join.sourceEntity, true), (join.targetEntity, false)] {
                let removal = layout.deletion(join, ofSource: isSource)
                for deletion in changes[entity].deletions { try connection.run(removal, .integer(deletion.id)) }
            }
            guard let joinChanges = changes.joins[join.name] else { continue }
            let removal = layout.deletion(join)
            for pair in joinChanges.removed.map(join.kept) {
                try connection.run(removal, .integer(pair.source), .integer(pair.target))
            }
            let insertion = layout.insertion(join)
            for row in joinChanges.added.map(join.kept) {
                try connection.statement(insertion).run(row.values(of: join))
            }
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
        try connection.number(layout.existence(entity), .integer(id)) != nil
    }
}
