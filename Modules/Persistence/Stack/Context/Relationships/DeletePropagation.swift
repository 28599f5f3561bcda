import StrataCore

/// Carries out the delete rules of a context's deleted objects.
///
/// In the order of Core Data: the deleted objects are marked; then the cascades are walked depth first, each object once; then what stays loses its
/// references; what is denied is checked last, when it is known what goes in the same save. All objects of one relationship are read at once, level by
/// level, however many were deleted.
struct DeletePropagation {
    /// The objects to which one relationship of a deleted object leads.
    private struct Edge {
        let relationship: RelationshipDescription
        let place: RelationshipStorage
        let objects: [ManagedObject]
    }

    let context: ConfinedContext
    /// Whether the rules of everything deleted are carried out, or only of what was deleted since they were carried out last.
    let isComplete: Bool
    private var edges: [ObjectIdentifier: [Edge]] = [:]
    private var order: [ManagedObject] = []

    init(_ context: ConfinedContext, isComplete: Bool) {
        self.context = context
        self.isComplete = isComplete
    }

    /// - Returns: Objects whose deletion is denied, and those whose reference cannot be taken away.
    mutating func run() throws -> [ValidationFailure] {
        var roots = roots
        while !roots.isEmpty {
            try read(from: roots)
            walk(from: roots)
            // A hook may have deleted more.
            roots = self.roots.filter { edges[ObjectIdentifier($0)] == nil }
        }
        return try nullify() + denials()
    }

    /// What was deleted, new objects too; who points to an identifier that a new object has by now points to that one.
    private var roots: [ManagedObject] {
        guard isComplete else {
            return context.deletions.unpropagated.filter {
                $0.isGone && $0.ownership.identityMap?.object($0.rawID)?.state != .inserted
            }
        }
        return context.orderedIdentityMaps.flatMap { identityMap in
            let discarded = context.deletions.discardedObjects(of: identityMap.entity.name)
            return (identityMap.deletedInOrder + discarded).filter { identityMap.object($0.rawID)?.state != .inserted }
        }
    }

    // MARK: Reading

    /// Reads what the objects lead to, and what that leads to by cascades.
    private mutating func read(from roots: [ManagedObject]) throws {
        var level = roots
        while !level.isEmpty {
            var next: [ManagedObject] = []
            for (name, objects) in Dictionary(grouping: level, by: \.entityName).sorted(by: { $0.key < $1.key }) {
                for object in objects { edges[ObjectIdentifier(object)] = [] }
                for relationship in try context.model.entity(named: name).relationships
                where relationship.deleteRule != .noAction {
                    next += try read(relationship, of: objects)
                }
            }
            level = next
        }
    }

    private mutating func read(
        _ relationship: RelationshipDescription, of objects: [ManagedObject]
    ) throws -> [ManagedObject] {
        guard let owner = objects.first else { return [] }
        let place = try context.model.relationship(relationship.name, of: owner.ownership.entity).place
        guard relationship.deleteRule != .nullify || leavesReferences(place) else { return [] }
        let reader = ContextReader(context: context, keepsPairsOfDeleted: true)
        let found = try RelationshipNavigator(reader).relatedByOwner(to: objects, by: relationship, place)
        var next: [ManagedObject] = []
        for object in objects {
            let related = found[object.rawID] ?? []
            edges[ObjectIdentifier(object)]?.append(
                Edge(relationship: relationship, place: place, objects: related))
            guard relationship.deleteRule == .cascade else { continue }
            for dependent in related where edges[ObjectIdentifier(dependent)] == nil {
                edges[ObjectIdentifier(dependent)] = []
                next.append(dependent)
            }
        }
        return next
    }

    /// Whether somebody would still point to an object with this relationship after it went.
    ///
    /// A reference in the object's own row goes with it, and so do its pairs.
    private func leavesReferences(_ place: RelationshipStorage) -> Bool {
        if case .inverseColumn = place { true } else { false }
    }

    // MARK: Cascading

    private mutating func walk(from roots: [ManagedObject]) {
        var visited = Set(order.map(ObjectIdentifier.init))
        for root in roots {
            var waiting = [root]
            while let object = waiting.popLast() {
                guard visited.insert(ObjectIdentifier(object)).inserted else { continue }
                order.append(object)
                if object.state != .deleted, object.state != .detached { context.delete(object) }
                let cascades = (edges[ObjectIdentifier(object)] ?? []).filter { $0.relationship.deleteRule == .cascade }
                waiting += cascades.flatMap(\.objects).reversed()
            }
        }
    }

    // MARK: References

    /// Takes references away from what stays.
    private func nullify() throws -> [ValidationFailure] {
        var failures: [ValidationFailure] = []
        for object in order {
            for edge in edges[ObjectIdentifier(object)] ?? [] where edge.relationship.deleteRule == .nullify {
                guard case .inverseColumn(let column) = edge.place else { continue }
                for dependent in edge.objects where !dependent.isGone {
                    if let failure = clear(column, of: dependent, pointingTo: object.rawID) { failures.append(failure) }
                }
            }
        }
        return failures
    }

    /// - Returns: Why the object cannot be written: because of another value that was not saved yet.
    private func clear(_ column: Int, of object: ManagedObject, pointingTo id: Int64) -> ValidationFailure? {
        guard object.value(at: column) == .integer(id) else { return nil }
        do {
            try object.write(.null, column: column)
            return nil
        } catch {
            return object.ownership.identityMap?.validator.failure(
                .format("\(error)"), index: column, value: .integer(id), id: object.rawID)
        }
    }

    private func denials() -> [ValidationFailure] {
        order.flatMap { object in
            (edges[ObjectIdentifier(object)] ?? []).compactMap { edge in
                let remaining = edge.objects.filter { !$0.isGone }
                guard edge.relationship.deleteRule == .deny, !remaining.isEmpty else { return nil }
                return ValidationFailure(
                    entity: object.entityName, id: object.rawID, attribute: edge.relationship.name,
                    value: .integer(Int64(remaining.count)), rule: .deniedDeletion)
            }
        }
    }
}
