package import StrataCore

/// A check of the counts of related objects after many rows were changed.
///
/// The store counts the objects, so that owners that break no rule are not read.
package struct CountCheck {
    /// The maximum count of owners that one request checks.
    static let chunkSize = 50_000

    /// A reader of the rows after the changes.
    private let reader: any StoreReader
    /// A reader of the rows before the changes; `nil` if the counts of all owners have changed.
    private let stored: (any StoreReader)?

    package init(_ reader: any StoreReader, before stored: (any StoreReader)? = nil) {
        self.reader = reader
        self.stored = stored
    }

    /// Returns a failure for each owner with fewer or more related objects than its relationship permits.
    ///
    /// - Returns: At most 100 failures for each count rule.
    package func failures(_ owners: CountedOwners) throws -> [ValidationFailure] {
        var failures: [ValidationFailure] = []
        for owners in owners.rules { failures += try self.failures(owners) }
        return failures
    }

    private func failures(_ owners: CountedOwners.Owners) throws -> [ValidationFailure] {
        let (rule, entity) = (owners.rule, try reader.model.entity(named: owners.entity))
        let place = try reader.model.relationship(rule.relationship.name, of: entity).place
        let isBroken = FetchCondition.any(rule.violations())
        var failures: [ValidationFailure] = []
        func validate(_ isOwner: FetchCondition) throws -> [Int64] {
            let suspects = try Self.identifiers(
                StoreRequest(entity.name, where: isOwner && isBroken, limit: Self.chunkSize), in: reader)
            for id in suspects where failures.count < PersistenceError.maximumBatchFailures {
                guard try hasChanged(id, rule.relationship, entity, place) else { continue }
                let count = try count(rule.relationship, of: id, place, in: reader)
                if let failure = rule.failure(of: id, in: entity.name, count: count) { failures.append(failure) }
            }
            return suspects
        }
        if owners.ids.isComplete {
            try owners.ids.forEachChunk(of: Self.chunkSize) { ids in
                guard failures.count < PersistenceError.maximumBatchFailures else { return }
                _ = try validate(.isIn(.property("id"), ids.map(StoredValue.integer)))
            }
        } else {
            var suspects = [Int64(0)]
            while let last = suspects.last, failures.count < PersistenceError.maximumBatchFailures {
                suspects = try validate(.compare(.property("id"), .greater, .constant(.integer(last))))
            }
        }
        return failures
    }

    /// Returns a Boolean value that indicates whether an owner is new or has other related objects than before the
    /// changes.
    ///
    /// If it is `false`, a broken rule existed before the changes and is not reported.
    private func hasChanged(
        _ id: Int64, _ relationship: RelationshipDescription, _ owner: EntityDescription, _ place: RelationshipStorage
    ) throws -> Bool {
        guard let stored else { return true }
        let isOwner = FetchCondition.compare(.property("id"), .equal, .constant(.integer(id)))
        if try stored.count(StoreRequest(owner.name, where: isOwner)) == 0 { return true }
        let counts = try [stored, reader].map { try count(relationship, of: id, place, in: $0) }
        if counts[0] != counts[1] { return true }
        return try others(relationship, of: id, place, in: stored) != others(relationship, of: id, place, in: reader)
    }

    // MARK: One owner

    private func count(
        _ relationship: RelationshipDescription, of id: Int64, _ place: RelationshipStorage, in reader: any StoreReader
    ) throws -> Int {
        if case .inverseColumn = place { return try reader.count(Self.owned(relationship, by: id)) }
        return try others(relationship, of: id, place, in: reader).count
    }

    private func others(
        _ relationship: RelationshipDescription, of id: Int64, _ place: RelationshipStorage, in reader: any StoreReader
    ) throws -> Set<Int64> {
        switch place {
        // A to-one relationship has no count rule.
        case .ownColumn: return []
        case .inverseColumn: return Set(try Self.identifiers(Self.owned(relationship, by: id), in: reader))
        case .join(let join, let isSource):
            let isFirst = isSource || join.isSymmetric
            let rows = try reader.joins(JoinRequest(join.name, of: isSource ? .source : .target, ids: [id]))
            return Set(rows.map { isFirst ? $0.pair.target : $0.pair.source })
        }
    }

    /// Returns a request for the rows whose reference is the object with an identifier.
    private static func owned(_ relationship: RelationshipDescription, by id: Int64) -> StoreRequest {
        StoreRequest(
            relationship.destination,
            where: .compare(.property(relationship.inverse ?? "id"), .equal, .constant(.integer(id))))
    }

    private static func identifiers(_ request: StoreRequest, in reader: any StoreReader) throws -> [Int64] {
        var ids: [Int64] = []
        try reader.fetch(request) { row in
            ids.append(row.rawID)
            return .next
        }
        return ids
    }
}
