import StrataPersistence
import StrataStoreKit

extension BrokenStore {
    func joins(_ request: ResolvedJoinRequest, _ body: (JoinRow) throws -> FetchFlow) throws {
        for row in try rows(JoinRequest(request.join.name, of: request.side, ids: request.ids)) {
            if case .stop = try body(row) { return }
        }
    }

    private func rows(_ request: JoinRequest) throws -> [JoinRow] {
        var request = request
        switch fault {
        case .confusesSides: request.side = .source
        case .forgetsSymmetry where request.join == "Person_friends":
            return try base.joins(request).filter { $0.pair.source <= $0.pair.target }
        case .ignoresPositions:
            return try base.joins(request).sorted { left, right in
                let (left, right) = (left.pair, right.pair)
                return request.side == .source
                    ? (left.source, left.target) < (right.source, right.target)
                    : (left.target, left.source) < (right.target, right.source)
            }
        case .keepsPairsOfDeleted where request.join == "Article_tags": return everAdded.withLock { $0 }
        default: break
        }
        return try base.joins(request)
    }

    func savePairs(_ changes: ChangeSet) throws -> [StoreConflict] {
        var changes = changes
        everAdded.withLock { $0 += changes.joins["Article_tags"]?.added ?? [] }
        var joins = ChangeSet()
        joins.joins = changes.joins
        for (name, joinChanges) in changes.joins {
            let known =
                model.joins.contains { $0.name == name } ? Set(try base.joins(JoinRequest(name)).map(\.pair)) : []
            switch fault {
            case .losesRemovals: changes.joins[name]?.removed = []
            case .refusesKnownPairs where !known.isDisjoint(with: joinChanges.added.map(\.pair)):
                throw PersistenceError(.uniqueness, "the join row already exists")
            case .addsBeforeRemoving:
                changes.joins[name]?.added.removeAll { joinChanges.removed.contains($0.pair) }
            case .keepsOldPositions: changes.joins[name]?.added.removeAll { known.contains($0.pair) }
            case .ignoresDanglingPairs:
                changes.joins[name]?.added.removeAll { $0.pair.target > 5 || $0.pair.source > 5 }
            case .acceptsUnknownJoins where !model.joins.contains { $0.name == name }: return []
            default: break
            }
        }
        switch fault {
        case .checksPairsFirst, .keepsPairsOfFailure:
            changes.joins = [:]
            return try base.save(joins) + base.save(changes)
        case .losesPairsOfReplaced:
            let replaced = changes["Article"].updates.map(\.id)
            let lost = try base.joins(JoinRequest("Article_tags", ids: replaced)).map(\.pair)
            changes.joins["Article_tags", default: .init()].removed += lost
        case .pairsRaiseVersions:
            let articles = changes.joins["Article_tags"]?.added.map(\.pair.source) ?? []
            for row in try base.rows(StoreRequest("Article")) where articles.contains(row.id) {
                changes["Article"].updates.append(
                    .init(id: row.id, expectedVersion: row.version, values: row.values, changedColumns: []))
            }
        default: break
        }
        return try base.save(changes)
    }
}
