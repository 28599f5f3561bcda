import StrataCore

/// A relationship, with the entity whose it is and where it is kept.
struct DeleteEdge {
    let entity: EntityDescription
    let relationship: RelationshipDescription
    let place: RelationshipStorage
}

/// Who deletes: a context its objects, a batch the rows of a store.
///
/// It marks what goes and changes what stays; what does is for ``DeleteRules`` to say.
protocol DeletionTarget {
    /// What goes, as it is known when its relationships are followed.
    associatedtype DeletedObject
    /// What relationships lead to.
    associatedtype Object: RelatedObject
    /// What a relationship leads to, each with the identifier of its owner.
    typealias Related = [(owner: Int64, object: Object)]

    /// What was deleted by hand and whose rules were not carried out yet, by entity; empty when there is no more.
    mutating func takeRoots() -> [String: [DeletedObject]]

    /// Divides what goes into parts whose relationships are read at once.
    func chunks(_ owners: [DeletedObject]) -> [[DeletedObject]]

    /// What a relationship of objects that go leads to.
    func related(to owners: [DeletedObject], by edge: DeleteEdge) throws -> Related

    /// Notes what goes along with others.
    ///
    /// - Returns: What of it was not reached before.
    mutating func cascade(_ related: Related, from owners: [DeletedObject], by edge: DeleteEdge) -> [DeletedObject]

    /// Notes who refers to objects that go, in a column: whoever stays loses the reference.
    mutating func nullify(_ related: Related, column: Int, from owners: [DeletedObject], by edge: DeleteEdge)

    /// Notes to whom objects that go lead by a relationship that denies it: while one of them stays, the deletion fails.
    mutating func deny(_ related: Related, from owners: [DeletedObject], by edge: DeleteEdge)

    /// Deletes what was reached; whatever that deletes besides are new roots.
    mutating func deleteReached()
}

/// The delete rules, for contexts and batches alike.
///
/// In the order of Core Data: what is deleted is marked; what its cascades reach goes along, each object once; what stays loses its references; what is
/// denied is judged last, when it is known what goes in the same save. All objects of one relationship are read at once, level by level, however many
/// were deleted, and everything is read before anything is deleted.
struct DeleteRules {
    private let model: ManagedObjectModel
    private var edges: [String: [DeleteEdge]] = [:]

    init(_ model: ManagedObjectModel) {
        self.model = model
    }

    /// Carries out the rules of everything that a target has deleted.
    mutating func carryOut<Target: DeletionTarget>(on target: inout Target) throws {
        while true {
            let roots = target.takeRoots()
            if roots.isEmpty { return }
            let reached = try cascade(from: roots, of: &target)
            try obeyOtherRules(of: reached, of: &target)
            target.deleteReached()
        }
    }

    /// Finds what goes along.
    ///
    /// - Returns: The roots and what their cascades reach, by entity.
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

    /// Finds who loses a reference, and who denies.
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
                        // A reference in the object's own row goes with it, and so do its pairs.
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
    /// Why an object stays: a relationship of it still leads to some.
    func denial(of owner: Int64, count: Int) -> ValidationFailure {
        ValidationFailure(
            entity: entity.name, id: owner, attribute: relationship.name, value: .integer(Int64(count)),
            rule: .deniedDeletion)
    }
}
