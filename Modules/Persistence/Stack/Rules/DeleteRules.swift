import StrataCore
import StrataStoreKit

/// A relationship with the entity that declares it and with its storage.
struct DeleteEdge {
    let entity: EntityDescription
    let relationship: RelationshipDescription
    let place: RelationshipStorage
}

/// The context or batch to which ``DeleteRules`` are applied: a context deletes objects, and a batch deletes rows.
///
/// The target records the objects to delete and changes the remaining objects. ``DeleteRules`` determines which objects
/// these are.
protocol DeletionTarget {
    /// The type of a deleted object, which contains what is needed to read the object's relationships.
    associatedtype DeletedObject
    /// The type of an object that a relationship references.
    associatedtype Object: RelatedObject
    /// A list of objects that a relationship references, each with the identifier of its owner.
    typealias Related = [(owner: Int64, object: Object)]

    /// Removes and returns the explicitly deleted objects to which the rules were not applied yet, by entity name.
    ///
    /// The result is empty if there are no such objects.
    mutating func takeRoots() -> [String: [DeletedObject]]

    /// Divides deleted objects into chunks; for the objects of one chunk, a relationship is read at once.
    func chunks(_ owners: [DeletedObject]) -> [[DeletedObject]]

    /// Returns the objects that a relationship of deleted objects references.
    func related(to owners: [DeletedObject], by edge: DeleteEdge) throws -> Related

    /// Records the objects that a cascade deletes.
    ///
    /// - Returns: The objects that no earlier cascade had deleted.
    mutating func cascade(_ related: Related, from owners: [DeletedObject], by edge: DeleteEdge) -> [DeletedObject]

    /// Records the objects that reference deleted objects in a column.
    ///
    /// If such an object is not deleted itself, its reference becomes null.
    mutating func nullify(_ related: Related, column: Int, from owners: [DeletedObject], by edge: DeleteEdge)

    /// Records the objects that deleted objects reference by a relationship with the rule `deny`.
    ///
    /// If one of these objects is not deleted itself, the deletion fails.
    mutating func deny(_ related: Related, from owners: [DeletedObject], by edge: DeleteEdge)

    /// Deletes the objects that cascades reached; ``takeRoots()`` then returns the objects that are deleted as a
    /// consequence.
    mutating func deleteReached()
}

/// An application of the model's delete rules to the deletions of a context or batch.
///
/// The order is the same as in Core Data. First, explicitly deleted objects are marked. Then the objects that their
/// cascades reach are deleted too, each object once. Then the objects that are not deleted lose their references. The
/// rule `deny` is checked last, when all deletions of the same save are known.
///
/// On each level of the cascades, one relationship is read at once for all objects. All relationships are read before
/// any object is deleted.
struct DeleteRules {
    private let model: ManagedObjectModel
    private var edges: [String: [DeleteEdge]] = [:]

    init(_ model: ManagedObjectModel) {
        self.model = model
    }

    /// Applies the rules to all objects that the target has deleted.
    mutating func carryOut<Target: DeletionTarget>(on target: inout Target) throws {
        while true {
            let roots = target.takeRoots()
            if roots.isEmpty { return }
            let reached = try cascade(from: roots, of: &target)
            try obeyOtherRules(of: reached, of: &target)
            target.deleteReached()
        }
    }

    /// Finds the objects that the cascades of deleted objects delete.
    ///
    /// - Returns: The explicitly deleted objects and the objects that their cascades reach, by entity name.
    private mutating func cascade<Target: DeletionTarget>(
        from roots: [String: [Target.DeletedObject]], of target: inout Target
    ) throws -> [String: [Target.DeletedObject]] {
        var (level, reached) = (roots, roots)
        while !level.isEmpty {
            var next: [String: [Target.DeletedObject]] = [:]
            for entity in model.entities {
                guard let owners = level[entity.name] else { continue }
                for edge in try edges(of: entity) where edge.relationship.deleteRule == .cascade {
                    for chunk in target.chunks(owners) {
                        let related = try target.related(to: chunk, by: edge)
                        let new = target.cascade(related, from: chunk, by: edge)
                        if !new.isEmpty { next[edge.relationship.destination, default: []] += new }
                    }
                }
            }
            for (entity, owners) in next { reached[entity, default: []] += owners }
            level = next
        }
        return reached
    }

    /// Finds the objects that lose a reference, and the objects whose existence denies the deletion of their owner.
    private mutating func obeyOtherRules<Target: DeletionTarget>(
        of reached: [String: [Target.DeletedObject]], of target: inout Target
    ) throws {
        for entity in model.entities {
            guard let owners = reached[entity.name] else { continue }
            let edges = try edges(of: entity)
            for chunk in target.chunks(owners) {
                for edge in edges {
                    switch edge.relationship.deleteRule {
                    case .cascade, .noAction: continue
                    case .nullify:
                        // The reference in the object's own row and its join rows are deleted with the object.
                        guard case .inverseColumn(let column) = edge.place else { continue }
                        target.nullify(try target.related(to: chunk, by: edge), column: column, from: chunk, by: edge)
                    case .deny: target.deny(try target.related(to: chunk, by: edge), from: chunk, by: edge)
                    }
                }
            }
        }
    }

    private mutating func edges(of entity: EntityDescription) throws -> [DeleteEdge] {
        if let known = edges[entity.name] { return known }
        let found = try entity.relationships.map { relationship in
            DeleteEdge(
                entity: entity, relationship: relationship,
                place: try model.relationship(relationship.name, of: entity).place)
        }
        edges[entity.name] = found
        return found
    }
}

extension DeleteEdge {
    /// Returns the failure for an object whose deletion a rule denies.
    ///
    /// The object's relationship still references `count` other objects.
    func denial(of owner: Int64, count: Int) -> ValidationFailure {
        ValidationFailure(
            entity: entity.name, id: owner, attribute: relationship.name, value: .integer(Int64(count)),
            rule: .deniedDeletion)
    }
}
