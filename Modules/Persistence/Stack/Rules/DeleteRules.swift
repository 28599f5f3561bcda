import StrataCore

/// A relationship with its entity and its storage.
struct DeleteEdge {
    let entity: EntityDescription
    let relationship: RelationshipDescription
    let place: RelationshipStorage
}

/// An object that deletes: a context deletes its objects, and a batch deletes the rows of a store.
///
/// The target records which objects to delete and changes the remaining objects. ``DeleteRules`` decides which objects
/// these are.
protocol DeletionTarget {
    /// A deleted object, in the form that reading its relationships requires.
    associatedtype DeletedObject
    /// An object that a relationship references.
    associatedtype Object: RelatedObject
    /// The objects that a relationship references, each with the identifier of its owner.
    typealias Related = [(owner: Int64, object: Object)]

    /// Returns the explicitly deleted objects whose rules are still to be applied, by entity.
    ///
    /// The result is empty if there are no more.
    mutating func takeRoots() -> [String: [DeletedObject]]

    /// Divides deleted objects into chunks; the relationships of one chunk are read at once.
    func chunks(_ owners: [DeletedObject]) -> [[DeletedObject]]

    /// Returns the objects that a relationship of deleted objects references.
    func related(to owners: [DeletedObject], by edge: DeleteEdge) throws -> Related

    /// Records the objects that a cascade deletes.
    ///
    /// - Returns: The objects that no cascade had reached before.
    mutating func cascade(_ related: Related, from owners: [DeletedObject], by edge: DeleteEdge) -> [DeletedObject]

    /// Records the objects whose column references deleted objects.
    ///
    /// If such an object is not deleted, its reference becomes null.
    mutating func nullify(_ related: Related, column: Int, from owners: [DeletedObject], by edge: DeleteEdge)

    /// Records the objects that deleted objects reference by a relationship with the rule `deny`.
    ///
    /// If one of these objects is not deleted, the deletion fails.
    mutating func deny(_ related: Related, from owners: [DeletedObject], by edge: DeleteEdge)

    /// Deletes the reached objects; objects that this deletes in turn become new roots.
    mutating func deleteReached()
}

/// The delete rules for contexts and batches.
///
/// The order is that of Core Data. First, explicitly deleted objects are marked. Then the objects that their cascades
/// reach are deleted too, each object once. The remaining objects lose their references. The rule `deny` is checked
/// last, when all deletions of the same save are known.
///
/// For each level, all objects of one relationship are read at once, independent of their count. Everything is read
/// before anything is deleted.
struct DeleteRules {
    private let model: ManagedObjectModel
    private var edges: [String: [DeleteEdge]] = [:]

    init(_ model: ManagedObjectModel) {
        self.model = model
    }

    /// Applies the rules of all objects that a target has deleted.
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
    /// - Returns: The roots and the objects that their cascades reach, by entity.
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

    /// Finds the objects that lose a reference, and the objects that deny the deletion.
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
    /// Returns the failure for an object that cannot be deleted.
    ///
    /// The object's relationship still references a number of other objects.
    func denial(of owner: Int64, count: Int) -> ValidationFailure {
        ValidationFailure(
            entity: entity.name, id: owner, attribute: relationship.name, value: .integer(Int64(count)),
            rule: .deniedDeletion)
    }
}
