package import StrataCore
package import StrataStoreKit

/// The reads and changes of join rows of many-to-many relationships, including unsaved changes of this context.
extension ConfinedContext {
    /// Returns the join rows of several owners, in the order of the relationship.
    func pairs(of join: JoinDescription, ownerIsSource: Bool, _ owners: [Int64]) throws -> [RelatedPair] {
        try RelationshipNavigator(ContextReader(context: self)).pairs(
            of: owners, in: join, ownerIsSource: ownerIsSource)
    }

    /// Returns the join rows that a request selects.
    ///
    /// If `ofDeleted` is `true`, the result also contains the join rows that deleted objects had.
    func joins(_ request: JoinRequest, ofDeleted: Bool = false) throws -> [JoinRow] {
        let rows = try (parent.context?.joins(request) ?? coordinator.store.joins(request))
            .filter { ofDeleted || stays($0.pair, request.join) }
        guard let pending = pendingJoins[request.join], !pending.isEmpty else { return rows }
        let join = pending.join
        var added = pending.added(of: request.ids, on: request.side)
        let deletesHere = [join.sourceEntity, join.targetEntity].contains {
            deletions.hasDiscarded(of: $0) || identityMaps[$0]?.deleted.isEmpty == false
        }
        if deletesHere, !ofDeleted {
            added.removeAll {
                isDeletedHere(join.sourceEntity, $0.pair.source) || isDeletedHere(join.targetEntity, $0.pair.target)
            }
        }
        // The key is the pair as the request sees it. A symmetric row has the owner first, and occurs twice if both
        // ends are requested.
        var kept: [JoinPair: JoinRow] = [:]
        for row in rows where !pending.removed.contains(join.kept(row.pair)) { kept[row.pair] = row }
        let owners = join.isSymmetric ? request.ids.map(Set.init) : nil
        for row in added {
            for view in views(of: row, join, owners) {
                var merged = view
                if let known = kept[view.pair] {
                    merged.sourcePosition = view.sourcePosition ?? known.sourcePosition
                    merged.targetPosition = view.targetPosition ?? known.targetPosition
                }
                kept[view.pair] = merged
            }
        }
        return Array(kept.values)
    }

    /// Returns the views of an added join row that a request selects; a symmetric join row is viewed from each
    /// requested end.
    private func views(of row: JoinRow, _ join: JoinDescription, _ owners: Set<Int64>?) -> [JoinRow] {
        guard join.isSymmetric else { return [row] }
        let mirrored = JoinRow(JoinPair(source: row.pair.target, target: row.pair.source))
        let ends = row.pair.source == row.pair.target ? [row] : [row, mirrored]
        return ends.filter { owners?.contains($0.pair.source) ?? true }
    }

    /// Returns a Boolean value that indicates whether this context deleted neither end of a join row of the parent
    /// context or store.
    ///
    /// If a new object has the identifier of a deleted one, the stored join rows do not belong to the new object.
    private func stays(_ pair: JoinPair, _ name: String) -> Bool {
        guard let join = model.joins.first(where: { $0.name == name }) else { return true }
        return identityMaps[join.sourceEntity]?.deleted[pair.source] == nil
            && identityMaps[join.targetEntity]?.deleted[pair.target] == nil
    }

    /// Returns a Boolean value that indicates whether this context deleted an object and no new object has its
    /// identifier.
    func isDeletedHere(_ entity: String, _ id: Int64) -> Bool {
        if deletions.isDiscarded(id, of: entity) { return true }
        guard let identityMap = identityMaps[entity], identityMap.deleted[id] != nil else { return false }
        return identityMap.object(id)?.state != .inserted
    }

    func addPair(_ row: JoinRow, to join: JoinDescription) {
        pendingJoins[join.name, default: PendingJoins(join)].add(row)
        prefetched.forget(join)
    }

    func removePair(_ pair: JoinPair, from join: JoinDescription) {
        pendingJoins[join.name, default: PendingJoins(join)].remove(pair)
        prefetched.forget(join)
    }
}

extension ConfinedContext: RelatedRows {
    package func rows(
        of entity: EntityDescription, where condition: ResolvedCondition?
    ) throws -> [(id: Int64, values: [StoredValue])] {
        try fetchObjects(StoreRequest(entity.name, where: condition?.source)).map {
            ($0.rawID, $0.typed.currentRow().values)
        }
    }

    package func joins(of join: JoinDescription) throws -> [JoinRow] {
        let rows = try joins(JoinRequest(join.name))
        // A store returns a symmetric join row from both ends if the request selects all rows.
        return join.isSymmetric ? Array(Set(rows.map { join.kept($0) })) : rows
    }
}
