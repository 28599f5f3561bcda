import StrataCore

extension SQLSaving {
    /// Deletes the join rows of deleted rows and the removed join rows, and inserts the added join rows.
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
                try connection.run(insertion, row.values(of: join))
            }
        }
    }

    /// Throws if an added join row has a missing end; the commit would reject it without identifying the join row.
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
        try connection.number(layout.existence(entity, isReferredTo: true), .integer(id)) != nil
    }
}
