/// Pairs of many-to-many relationships, with this context's changes merged in.
extension WorkingContext {
    /// The pairs of some owners, in the order of the relationship.
    func pairs(
        of link: LinkDescription, ownerIsSource: Bool, _ owners: [Int64], ofDeleted: Bool = false
    ) throws -> [RelatedPair] {
        let request = LinkRequest(link.name, of: ownerIsSource ? .source : .target, ids: owners)
        let rows = try links(request, ofDeleted: ofDeleted)
        // A symmetric pair is given with the owner as its source, whichever end that is.
        let isSource = link.isSymmetric || ownerIsSource
        return rows.map { RelatedPair($0, ownerIsSource: isSource) }.sorted(by: RelatedPair.precedes)
    }

    /// The pairs a request selects; those of deleted objects, as they were, when `ofDeleted`.
    func links(_ request: LinkRequest, ofDeleted: Bool = false) throws -> [LinkRow] {
        let rows = try (parent.context?.links(request) ?? coordinator.store.links(request))
            .filter { ofDeleted || stays($0.link, request.link) }
        guard let pending = pendingLinks[request.link], !pending.isEmpty else { return rows }
        let link = pending.link
        var added = pending.added(of: request.ids, on: request.side)
        let deletesHere = [link.sourceEntity, link.targetEntity].contains {
            discarded[$0]?.isEmpty == false || registers[$0]?.deleted.isEmpty == false
        }
        if deletesHere, !ofDeleted {
            added.removeAll {
                isDeletedHere(link.sourceEntity, $0.link.source) || isDeletedHere(link.targetEntity, $0.link.target)
            }
        }
        // By the pair as it is kept: a symmetric one is given with the owner first, and twice when both ends are asked for.
        var kept: [JoinPair: LinkRow] = [:]
        for row in rows where !pending.removed.contains(link.kept(row.link)) { kept[row.link] = row }
        let owners = link.isSymmetric ? request.ids.map(Set.init) : nil
        for row in added {
            for view in views(of: row, link, owners) {
                var merged = view
                if let known = kept[view.link] {
                    merged.sourcePosition = view.sourcePosition ?? known.sourcePosition
                    merged.targetPosition = view.targetPosition ?? known.targetPosition
                }
                kept[view.link] = merged
            }
        }
        return Array(kept.values)
    }

    /// An added pair as a request sees it: a symmetric one from every end that is asked for.
    private func views(of row: LinkRow, _ link: LinkDescription, _ owners: Set<Int64>?) -> [LinkRow] {
        guard link.isSymmetric else { return [row] }
        let mirrored = LinkRow(JoinPair(source: row.link.target, target: row.link.source))
        let ends = row.link.source == row.link.target ? [row] : [row, mirrored]
        return ends.filter { owners?.contains($0.link.source) ?? true }
    }

    /// Whether neither end of a pair that the parent has was deleted here; a new object with the same identifier has no pairs yet.
    private func stays(_ pair: JoinPair, _ name: String) -> Bool {
        guard let link = model.links.first(where: { $0.name == name }) else { return true }
        return registers[link.sourceEntity]?.deleted[pair.source] == nil
            && registers[link.targetEntity]?.deleted[pair.target] == nil
    }

    /// Whether an object was deleted here, and no new one has its identifier.
    func isDeletedHere(_ entity: String, _ id: Int64) -> Bool {
        if discarded[entity]?[id] != nil { return true }
        guard let register = registers[entity], register.deleted[id] != nil else { return false }
        return register.object(id)?.state != .inserted
    }

    func addPair(_ row: LinkRow, to link: LinkDescription) {
        pendingLinks[link.name, default: PendingLinks(link)].add(row)
        forgetPrefetched(link: link)
    }

    func removePair(_ pair: JoinPair, from link: LinkDescription) {
        pendingLinks[link.name, default: PendingLinks(link)].remove(pair)
        forgetPrefetched(link: link)
    }
}

extension WorkingContext: RelatedRows {
    func rows(
        of entity: EntityDescription, where condition: FetchCondition
    ) throws -> [(id: Int64, values: [StoredValue])] {
        try fetchObjects(StoreRequest(entity.name, where: condition)).map { ($0.rawID, $0.currentRow().values) }
    }

    func links(of link: LinkDescription) throws -> [LinkRow] {
        let rows = try links(LinkRequest(link.name))
        // Asked for all, a store gives a symmetric pair from both ends.
        return link.isSymmetric ? Array(Set(rows.map { link.kept($0) })) : rows
    }
}
