import StrataPersistence

extension BrokenStore {
    func links(_ request: LinkRequest) throws -> [LinkRow] {
        var request = request
        switch fault {
        case .acceptsUnknownLinks where !model.links.contains { $0.name == request.link }: return []
        case .confusesSides: request.side = .source
        case .forgetsSymmetry where request.link == "Person_friends":
            return try base.links(request).filter { $0.link.source <= $0.link.target }
        case .ignoresPositions:
            return try base.links(request).sorted { left, right in
                let (left, right) = (left.link, right.link)
                return request.side == .source
                    ? (left.source, left.target) < (right.source, right.target)
                    : (left.target, left.source) < (right.target, right.source)
            }
        case .keepsPairsOfDeleted where request.link == "Article_tags": return everAdded.withLock { $0 }
        default: break
        }
        return try base.links(request)
    }

    func savePairs(_ changes: ChangeSet) throws -> [StoreConflict] {
        var changes = changes
        everAdded.withLock { $0 += changes.links["Article_tags"]?.added ?? [] }
        var links = ChangeSet()
        links.links = changes.links
        for (name, linkChanges) in changes.links {
            let known =
                model.links.contains { $0.name == name } ? Set(try base.links(LinkRequest(name)).map(\.link)) : []
            switch fault {
            case .losesRemovals: changes.links[name]?.removed = []
            case .refusesKnownPairs where !known.isDisjoint(with: linkChanges.added.map(\.link)):
                throw PersistenceError(.uniqueness, "the pair is there already")
            case .addsBeforeRemoving:
                changes.links[name]?.added.removeAll { linkChanges.removed.contains($0.link) }
            case .keepsOldPositions: changes.links[name]?.added.removeAll { known.contains($0.link) }
            case .ignoresDanglingPairs:
                changes.links[name]?.added.removeAll { $0.link.target > 5 || $0.link.source > 5 }
            case .acceptsUnknownLinks where !model.links.contains { $0.name == name }: return []
            default: break
            }
        }
        switch fault {
        case .judgesPairsFirst, .keepsPairsOfFailure:
            changes.links = [:]
            return try base.save(links) + base.save(changes)
        case .losesPairsOfReplaced:
            let replaced = changes["Article"].updates.map(\.id)
            let lost = try base.links(LinkRequest("Article_tags", ids: replaced)).map(\.link)
            changes.links["Article_tags", default: .init()].removed += lost
        case .pairsRaiseVersions:
            let articles = changes.links["Article_tags"]?.added.map(\.link.source) ?? []
            for row in try base.rows(StoreRequest("Article")) where articles.contains(row.id) {
                changes["Article"].updates.append(
                    .init(id: row.id, expectedVersion: row.version, values: row.values, changedColumns: []))
            }
        default: break
        }
        return try base.save(changes)
    }
}
