import StrataCore
import StrataStoreKit

/// A check that the objects of a save have permitted numbers of related objects.
///
/// The store counts the related objects, and the context's unsaved changes are added. Related objects are read only for
/// owners that may break a rule.
struct RelationshipCounts {
    private let reader: ObjectReader

    init(_ reader: ObjectReader) { self.reader = reader }

    /// Returns the failures of all relationships with too few or too many objects.
    ///
    /// - Returns: A failure for each relationship below its minimum or above its maximum.
    func failures() throws -> [ValidationFailure] {
        var failures: [ValidationFailure] = []
        for entity in reader.model.entities {
            for rule in entity.relationships.compactMap(CountRule.init) {
                failures += try self.failures(of: rule, entity)
            }
        }
        return failures
    }

    private func failures(of rule: CountRule, _ entity: EntityDescription) throws -> [ValidationFailure] {
        let relationship = rule.relationship
        let place = try reader.model.relationship(relationship.name, of: entity).place
        let owners = try touchedOwners(of: relationship, entity, place).filter {
            origin(of: $0, entity.name) != .deleted
        }
        let suspects = try suspects(among: owners, rule, entity, place).sorted()
        let objects = try reader.objects(withRawIDs: suspects, of: entity.name).filter { !$0.isDeletedOrDetached }
        guard !objects.isEmpty else { return [] }
        let related = try reader.relatedObjects(of: objects, relationship, place)
        return objects.compactMap {
            rule.failure(of: $0.rawID, in: entity.name, count: related[$0.rawID]?.count ?? 0)
        }
    }

    /// Returns the owners whose relationship this save changes: new owners, and owners that gain or lose objects.
    private func touchedOwners(
        of relationship: RelationshipDescription, _ entity: EntityDescription, _ place: RelationshipStorage
    ) throws -> Set<Int64> {
        var owners = Set(reader.registry[entity.name]?.inserted.map(\.rawID) ?? [])
        switch place {
        case .ownColumn: break
        case .inverseColumn(let column):
            guard let identityMap = reader.registry[relationship.destination] else { break }
            for object in identityMap.current + identityMap.deletedInOrder {
                let sides = [
                    object.typed.committedValue(at: column),
                    object.isDeletedOrDetached ? nil : object.typed.value(at: column),
                ]
                if sides[0] == sides[1] { continue }
                for case .integer(let owner)? in sides { owners.insert(owner) }
            }
        case .join(let join, let isSource):
            if let pending = reader.pending.joins[join.name] {
                for pair in Array(pending.added.keys) + pending.removed {
                    if isSource || join.isSymmetric { owners.insert(pair.source) }
                    if !isSource || join.isSymmetric { owners.insert(pair.target) }
                }
            }
            let deletedIDs = reader.registry[relationship.destination]?.deletedInOrder.map(\.rawID) ?? []
            guard !deletedIDs.isEmpty else { break }
            // These are the stored join rows of deleted objects, which no longer count here.
            let request = JoinRequest(join.name, of: isSource ? .target : .source, ids: deletedIDs)
            let rows = try reader.parent?.joins(request) ?? reader.source.joins(request)
            for row in rows { owners.insert(join.isSymmetric || !isSource ? row.pair.target : row.pair.source) }
        }
        return owners
    }

    // MARK: Counting

    /// Returns the owners that may break a count rule; their related objects must be read to decide.
    private func suspects(
        among owners: Set<Int64>, _ rule: CountRule, _ entity: EntityDescription, _ place: RelationshipStorage
    ) throws -> [Int64] {
        if owners.isEmpty { return [] }
        switch place {
        case .ownColumn: return []
        case .inverseColumn(let column):
            return try suspects(among: owners, rule, entity, PendingCounts(reader, rule.relationship, column: column))
        case .join(let join, let isSource):
            var counts: [Int64: Int] = [:]
            for pair in try reader.pairs(of: join, ownerIsSource: isSource, owners.sorted()) {
                counts[pair.owner, default: 0] += 1
            }
            return owners.filter { rule.broken(by: counts[$0] ?? 0) != nil }
        }
    }

    /// The maximum number of different counts of added objects that one statement handles.
    private static let maximumGroups = 16

    private func suspects(
        among owners: Set<Int64>, _ rule: CountRule, _ entity: EntityDescription, _ pending: PendingCounts
    ) throws -> [Int64] {
        var suspects: [Int64] = []
        var groups: [Int: [Int64]] = [:]
        for owner in owners {
            let added = pending.added[owner] ?? 0
            let origin = origin(of: owner, entity.name)
            if origin != .stored, rule.broken(by: added) != nil {
                suspects.append(owner)
            } else if origin != .new {
                groups[added, default: []].append(owner)
            }
        }
        // If there are more groups, the owners in the remaining ones are read.
        let ordered = groups.sorted { $0.value.count > $1.value.count }
        for group in ordered.dropFirst(Self.maximumGroups) { suspects += group.value }
        let violations = ordered.prefix(Self.maximumGroups).flatMap { added, owners in
            rule.violations(among: owners.sorted(), adding: added, counting: pending.counted)
        }
        if violations.isEmpty { return suspects }
        try reader.source.fetch(StoreRequest(entity.name, where: .any(violations))) { row in
            suspects.append(row.rawID)
            return .next
        }
        return suspects
    }

    /// The state of an owner before the save.
    private enum Origin {
        /// The owner is in the store.
        case stored
        /// The owner is new and has no row.
        case new
        /// The owner is new and has the identifier of an object that this save deletes; the store may have that
        /// object's row.
        case replaced
        /// The owner does not exist after the save.
        case deleted
    }

    private func origin(of owner: Int64, _ entity: String) -> Origin {
        for reader in reader.lineage {
            guard let identityMap = reader.registry[entity] else { continue }
            if identityMap.object(owner)?.state == .inserted {
                return identityMap.deleted[owner] == nil ? .new : .replaced
            }
            if reader.isDeletedHere(entity, owner) { return .deleted }
        }
        return .stored
    }
}

/// The changes of a context and its parents to the numbers of related objects that the store counts in a one-to-many
/// relationship.
private struct PendingCounts {
    /// The number of unsaved related objects, by the identifier of the owner.
    private(set) var added: [Int64: Int] = [:]
    /// The identifiers of changed or deleted objects, whose rows the store must not count.
    private var changed: Set<Int64> = []

    init(_ reader: ObjectReader, _ relationship: RelationshipDescription, column: Int) {
        // The state in a child takes precedence over the state in its parent.
        var known: Set<Int64> = []
        for reader in reader.lineage {
            guard let identityMap = reader.registry[relationship.destination], identityMap.hasPending else {
                continue
            }
            let current = identityMap.current.filter { !known.contains($0.rawID) }
            for object in current {
                if let owner = object.reference(at: column) { added[owner, default: 0] += 1 }
            }
            changed.formUnion(identityMap.storedPendingIDs)
            known.formUnion(changed)
            known.formUnion(current.map(\.rawID))
        }
    }

    /// The condition for the rows that the store counts, which excludes changed and deleted objects.
    var counted: FetchCondition {
        changed.isEmpty ? .constant(true) : .not(.isIn(.property("id"), changed.sorted().map(StoredValue.integer)))
    }
}

extension ObjectReader {
    /// The readers of the context, its parent, and all further parents up to the context that saves to the store.
    fileprivate var lineage: [ObjectReader] {
        var lineage = [self]
        while let parent = lineage.last?.parent { lineage.append(parent) }
        return lineage
    }
}
