import StrataCore
import StrataStoreKit

/// An application of the model's delete rules to the deleted objects of a context.
///
/// Objects that cascades delete are deleted depth first, so that their hooks run in that order.
struct DeletePropagation: DeletionTarget {
    typealias Object = ManagedObject

    /// The related objects of a deleted object in one relationship, and what the delete rule does to them.
    private struct Consequence {
        enum Kind {
            case nullify(column: Int)
            case deny(DeleteEdge)
        }

        let kind: Kind
        let objects: [ManagedObject]
    }

    private let propagator: ChangePropagator
    /// A Boolean value that indicates whether the rules are applied to all deleted objects.
    ///
    /// If it is `false`, the rules are applied only to objects that were deleted after the previous application.
    private let isComplete: Bool
    /// The objects that cascades from each deleted object delete, as one array for each relationship.
    private var cascades: [ObjectIdentifier: [[ManagedObject]]] = [:]
    private var consequences: [ObjectIdentifier: [Consequence]] = [:]
    /// The explicitly deleted objects whose cascades are read but whose related objects are not deleted yet.
    private var roots: [ManagedObject] = []
    /// The deleted objects, in depth-first order.
    private var order: [ManagedObject] = []
    private var walked: Set<ObjectIdentifier> = []

    init(_ propagator: ChangePropagator, isComplete: Bool) {
        self.propagator = propagator
        self.isComplete = isComplete
    }

    /// Applies the delete rules.
    ///
    /// - Returns: The failures of objects whose deletion is denied, and of objects that must not lose their reference.
    mutating func run() throws -> [ValidationFailure] {
        var rules = DeleteRules(propagator.registry.model)
        try rules.carryOut(on: &self)
        return nullifyReferences() + denials()
    }

    // MARK: Reading

    /// The deleted objects, including new objects that were deleted again.
    ///
    /// If another new object already has the identifier of a deleted one, references to that identifier belong to the
    /// other object.
    private var deletedObjects: [ManagedObject] {
        guard isComplete else {
            return propagator.pending.deletions.unpropagated.filter {
                $0.isDeletedOrDetached && $0.ownership.identityMap?.object($0.rawID)?.state != .inserted
            }
        }
        return propagator.registry.ordered.flatMap { identityMap in
            let discarded = propagator.pending.deletions.discardedObjects(of: identityMap.entity.name)
            return (identityMap.deletedInOrder + discarded).filter { identityMap.object($0.rawID)?.state != .inserted }
        }
    }

    mutating func takeRoots() -> [String: [ManagedObject]] {
        // A hook may have deleted more objects.
        for object in deletedObjects where cascades[ObjectIdentifier(object)] == nil {
            cascades[ObjectIdentifier(object)] = []
            roots.append(object)
        }
        return Dictionary(grouping: roots, by: \.entityName)
    }

    func chunks(_ owners: [ManagedObject]) -> [[ManagedObject]] { [owners] }

    func related(to owners: [ManagedObject], by edge: DeleteEdge) throws -> Related {
        let reader = ContextReader(propagator.reader, keepsPairsOfDeleted: true)
        return try RelationshipNavigator(reader).related(to: owners, by: edge.relationship, edge.place)
    }

    mutating func cascade(_ related: Related, from owners: [ManagedObject], by edge: DeleteEdge) -> [ManagedObject] {
        let objects = RelationshipNavigator<ContextReader>.byOwner(related)
        var new: [ManagedObject] = []
        for owner in owners {
            guard let dependents = objects[owner.rawID] else { continue }
            cascades[ObjectIdentifier(owner), default: []].append(dependents)
            for dependent in dependents where cascades[ObjectIdentifier(dependent)] == nil {
                cascades[ObjectIdentifier(dependent)] = []
                new.append(dependent)
            }
        }
        return new
    }

    mutating func nullify(_ related: Related, column: Int, from owners: [ManagedObject], by edge: DeleteEdge) {
        note(.nullify(column: column), related, owners)
    }

    mutating func deny(_ related: Related, from owners: [ManagedObject], by edge: DeleteEdge) {
        note(.deny(edge), related, owners)
    }

    private mutating func note(_ kind: Consequence.Kind, _ related: Related, _ owners: [ManagedObject]) {
        let objects = RelationshipNavigator<ContextReader>.byOwner(related)
        for owner in owners {
            guard let related = objects[owner.rawID] else { continue }
            consequences[ObjectIdentifier(owner), default: []].append(Consequence(kind: kind, objects: related))
        }
    }

    // MARK: Deleting

    mutating func deleteReached() {
        for root in roots {
            var waiting = [root]
            while let object = waiting.popLast() {
                guard walked.insert(ObjectIdentifier(object)).inserted else { continue }
                order.append(object)
                if object.state != .deleted, object.state != .detached { propagator.delete(object) }
                waiting += (cascades[ObjectIdentifier(object)] ?? []).flatMap(\.self).reversed()
            }
        }
        roots = []
    }

    // MARK: Remaining objects

    /// Sets the references to deleted objects to null in all objects that are not deleted.
    private func nullifyReferences() -> [ValidationFailure] {
        var failures: [ValidationFailure] = []
        for object in order {
            for consequence in consequences[ObjectIdentifier(object)] ?? [] {
                guard case .nullify(let column) = consequence.kind else { continue }
                for dependent in consequence.objects where !dependent.isDeletedOrDetached {
                    if let failure = clear(column, of: dependent, pointingTo: object.rawID) { failures.append(failure) }
                }
            }
        }
        return failures
    }

    /// Sets a reference to a deleted object to null.
    ///
    /// - Returns: The reason why the object cannot be written, such as another unsaved value; otherwise `nil`.
    private func clear(_ column: Int, of object: ManagedObject, pointingTo id: Int64) -> ValidationFailure? {
        guard object.typed.value(at: column) == .integer(id) else { return nil }
        do {
            try object.typed.write(.null, column: column)
            return nil
        } catch {
            return object.ownership.identityMap?.validator.failure(
                .rejected(by: object.entityName, reason: "\(error.cause)"), index: column, value: .integer(id),
                id: object.rawID)
        }
    }

    private func denials() -> [ValidationFailure] {
        order.flatMap { object in
            (consequences[ObjectIdentifier(object)] ?? []).compactMap { consequence in
                guard case .deny(let edge) = consequence.kind else { return nil }
                let remaining = consequence.objects.count { !$0.isDeletedOrDetached }
                return remaining == 0 ? nil : edge.denial(of: object.rawID, count: remaining)
            }
        }
    }
}
