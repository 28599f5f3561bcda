import StrataCore
import StrataStoreKit

extension SQLSaving {
    /// Deletes the join rows of deleted rows and the join rows that the change set removes, and inserts those that it
    /// adds.
    func writeJoins(_ changes: ChangeSet) throws {
        for join in layout.model.joins {
            for (entity, isSource) in [(join.sourceEntity, true), (join.targetEntity, false)] {
                let removal = layout.deletion(join, ofSource: isSource)
                for deletion in changes[entity].deletions {
                    try connection.run(removal, .integer(deletion.id))
                    if connection.changes > 0 { try history?.everything(join.name) }
                }
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

    /// Throws if a row at an end of an added join row does not exist; the commit itself would not identify the join row
    /// in its error.
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
