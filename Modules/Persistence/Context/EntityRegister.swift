/// A context's objects of one entity.
///
/// Objects without changes are held weakly: a context forgets what nobody uses. Objects with changes are held until the save.
final class EntityRegister {
    private struct Reference {
        weak var object: ManagedObject?
    }

    let entity: EntityDescription
    let validator: RowValidator
    private var live: [Int64: Reference] = [:]
    /// When the dead references are swept out next.
    private var sweepLimit = 1024

    private(set) var inserted: [Int64: ManagedObject] = [:]
    private var insertionOrder: [Int64] = []
    private(set) var updated: [Int64: ManagedObject] = [:]
    private(set) var deleted: [Int64: ManagedObject] = [:]

    init(_ entity: EntityDescription) {
        self.entity = entity
        validator = RowValidator(entity)
    }

    func object(_ id: Int64) -> ManagedObject? { live[id]?.object }

    var objects: [ManagedObject] { live.values.compactMap(\.object) }

    /// New objects in the order in which they were inserted.
    var insertedInOrder: [ManagedObject] { insertionOrder.compactMap { inserted[$0] } }

    var hasPending: Bool { !inserted.isEmpty || !updated.isEmpty || !deleted.isEmpty }

    /// The identifiers of rows that the store has and that are otherwise here.
    var storedPendingIDs: Set<Int64> { Set(updated.keys).union(deleted.keys) }

    func register(_ object: ManagedObject) {
        live[object.rawID] = Reference(object: object)
        if live.count >= sweepLimit {
            live = live.filter { $0.value.object != nil }
            sweepLimit = max(1024, live.count * 2)
        }
    }

    func forget(_ object: ManagedObject) {
        live[object.rawID] = nil
    }

    /// Puts the object where its state belongs.
    func file(_ object: ManagedObject) {
        let id = object.rawID
        if updated[id] === object, object.state != .updated { updated[id] = nil }
        if inserted[id] === object, object.state != .inserted { removeInsertion(id) }
        if deleted[id] === object, object.state != .deleted { deleted[id] = nil }
        switch object.state {
        case .inserted:
            if inserted[id] == nil { insertionOrder.append(id) }
            inserted[id] = object
        case .updated: updated[id] = object
        case .deleted: deleted[id] = object
        case .unchanged, .detached: break
        }
    }

    private func removeInsertion(_ id: Int64) {
        inserted[id] = nil
        if insertionOrder.last == id {
            insertionOrder.removeLast()
        } else if inserted.isEmpty {
            insertionOrder.removeAll()
        } else if insertionOrder.count > 2 * inserted.count {
            insertionOrder.removeAll { inserted[$0] == nil }
        }
    }
}
