import StrataCore
import StrataStoreKit

/// The redirection of references from a new object to the existing object into which it was merged.
///
/// In an ordered relationship, the redirected objects follow the existing ones.
extension UniquenessResolver {
    /// Redirects references and join rows from merged objects to the remaining objects.
    ///
    /// - Parameters:
    ///   - entity: The entity of the merged objects.
    ///   - places: The identifiers of the remaining objects, by the identifiers of the objects that were merged into
    ///     them.
    /// - Throws: ``PersistenceError`` if an object with a redirected reference cannot be written, or if the last
    ///   position in an ordered relationship cannot be read.
    func redirect(_ entity: String, _ places: [Int64: Int64]) throws {
        // The reads in this block must not apply pending changes, because the save is in progress.
        try propagator.settling {
            for (source, column) in registry.model.references(to: entity) {
                guard let identityMap = registry[source.name] else { continue }
                try redirectReferences(of: identityMap, column, to: entity, places)
            }
            for name in pending.joins.keys.sorted() { try redirectPairs(of: name, entity, places) }
        }
    }

    /// Returns the identifiers of the finally remaining objects, since an object with merged objects may itself have
    /// been merged.
    static func final(_ places: [Int64: Int64]) -> [Int64: Int64] {
        places.mapValues { place in
            var place = place
            while let next = places[place] { place = next }
            return place
        }
    }

    private func redirectReferences(
        of identityMap: IdentityMap, _ column: Int, to entity: String, _ places: [Int64: Int64]
    ) throws {
        let moved = identityMap.current.compactMap { object in
            object.reference(at: column).flatMap { old in places[old].map { (object: object, old: old, new: $0) } }
        }
        guard let order = identityMap.traits.orderedReferences.first(where: { $0.column == column }),
            let list = identityMap.entity.relationship(named: identityMap.entity.columns[column].name)?.inverse
        else {
            for (object, _, new) in moved { try object.typed.write(.integer(new), column: column) }
            return
        }
        // The sort keys of two lists begin at the same number. Without new keys, the lists would be mixed.
        let inOrder = moved.sorted {
            ($0.old, $0.object.typed.value(at: order.sortKey), $0.object.rawID)
                < ($1.old, $1.object.typed.value(at: order.sortKey), $1.object.rawID)
        }
        let owners = try reader.objects(withRawIDs: Set(moved.map(\.new)).sorted(), of: entity)
        let ownersByID = Dictionary(uniqueKeysWithValues: owners.map { ($0.rawID, $0) })
        for (object, _, new) in inOrder {
            if let owner = ownersByID[new] {
                try editor.insert(object, at: nil, in: list, of: owner)
            } else {
                try object.typed.write(.integer(new), column: column)
            }
        }
    }

    private func redirectPairs(of name: String, _ entity: String, _ places: [Int64: Int64]) throws {
        guard let join = pending.joins[name]?.join else { return }
        let moved = pending.takeJoinRows(of: name, for: entity, places.keys)
        try addPairs(moved.inOrder(ofSource: true), to: join, ownerIsSource: true, entity, places)
        let rest = moved.filter { join.sourceEntity != entity || places[$0.pair.source] == nil }
        try addPairs(rest.inOrder(ofSource: false), to: join, ownerIsSource: false, entity, places)
    }

    /// Adds join rows of the remaining objects for those of merged objects, at the end of an ordered relationship.
    ///
    /// The method adds only join rows whose end that `ownerIsSource` specifies was merged into another object.
    private func addPairs(
        _ rows: [JoinRow], to join: JoinDescription, ownerIsSource: Bool, _ entity: String, _ places: [Int64: Int64]
    ) throws {
        let isOrdered = ownerIsSource ? join.isSourceOrdered : join.isTargetOrdered
        guard (ownerIsSource ? join.sourceEntity : join.targetEntity) == entity else { return }
        var ends: [Int64: Int64] = [:]
        for var row in rows {
            guard let owner = places[ownerIsSource ? row.pair.source : row.pair.target] else { continue }
            if join.sourceEntity == entity { row.pair.source = places[row.pair.source] ?? row.pair.source }
            if join.targetEntity == entity { row.pair.target = places[row.pair.target] ?? row.pair.target }
            if isOrdered {
                let end = try ends[owner] ?? lastPosition(of: owner, in: join, ownerIsSource: ownerIsSource)
                let (next, isFull) = end.addingReportingOverflow(RelationshipEditor.stride)
                let other = ownerIsSource ? row.pair.target : row.pair.source
                if isFull {
                    try editor.insertPair(of: join, owner: owner, other: other, at: nil, ownerIsSource: ownerIsSource)
                    ends[owner] = nil
                    continue
                }
                if ownerIsSource { row.sourcePosition = next } else { row.targetPosition = next }
                ends[owner] = next
            }
            editor.addPair(row, to: join)
        }
    }

    /// Returns the greatest sort key of an owner's join rows, or 0 if no join row has a sort key.
    private func lastPosition(of owner: Int64, in join: JoinDescription, ownerIsSource: Bool) throws -> Int64 {
        try reader.pairs(of: join, ownerIsSource: ownerIsSource, [owner]).compactMap(\.position).max() ?? 0
    }
}

extension [JoinRow] {
    /// Returns the join rows sorted by their source or destination, and then by their position for that end.
    fileprivate func inOrder(ofSource isSource: Bool) -> [JoinRow] {
        func key(_ row: JoinRow) -> (Int64, Int64, Int64) {
            isSource
                ? (row.pair.source, row.sourcePosition ?? .min, row.pair.target)
                : (row.pair.target, row.targetPosition ?? .min, row.pair.source)
        }
        return sorted { key($0) < key($1) }
    }
}
