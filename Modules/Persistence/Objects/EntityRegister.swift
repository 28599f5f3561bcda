/// A context's objects of one entity: one for each identifier.
///
/// An object without changes that nobody else holds is as good as forgotten: looking it up does not find it, and a sweep takes it out. That is a
/// weak reference in effect, without what a weak reference costs each object.
final class EntityRegister {
    /// Up to this many objects, every piece of work ends with a sweep; beyond, a sweep comes when the number has grown by half.
    private static let smallCount = 1024

    let entity: EntityDescription
    let validator: RowValidator
    unowned let context: WorkingContext
    let home: ObjectHome
    /// What the record type opted into.
    let traits: RecordTraits

    /// The columns of one-to-one relationships.
    let exclusiveColumns: [Int]
    /// For each of them, who had which partner last; looked up and then looked at, since it may have another by now.
    private var holders: [Int: [Int64: Int64]] = [:]

    private var live: [Int64: ManagedObject] = [:]
    private var sweepLimit = EntityRegister.smallCount
    private var insertions = PendingList()
    private var updates = PendingList()
    /// Objects that the next save deletes; one of them may have lost its place to a new object with its identifier.
    private(set) var deleted: [Int64: ManagedObject] = [:]

    init(_ entity: EntityDescription, in context: WorkingContext, _ traits: RecordTraits) {
        self.entity = entity
        self.context = context
        self.traits = traits
        validator = RowValidator(entity)
        exclusiveColumns = entity.columns.indices.filter {
            entity.columns[$0].destination != nil && entity.columns[$0].isUnique
        }
        home = ObjectHome(entity)
        home.open(self)
    }

    deinit {
        home.close()
    }

    // MARK: Finding

    /// The object with an identifier, if the context has it and somebody uses it.
    func object(_ id: Int64) -> ManagedObject? {
        guard let index = live.index(forKey: id) else { return nil }
        if isKnownUniquelyReferenced(&live.values[index]) {
            live.remove(at: index)
            return nil
        }
        return live.values[index]
    }

    /// All objects somebody uses, by identifier.
    var objects: [ManagedObject] {
        sweep()
        return live.values.sorted { $0.rawID < $1.rawID }
    }

    /// New objects in the order in which they were inserted.
    var inserted: [ManagedObject] { insertions.objects }

    /// Objects that were written to, in that order; some may have their old values again.
    var updated: [ManagedObject] { updates.objects }

    /// Objects to delete, by identifier.
    var deletedInOrder: [ManagedObject] { deleted.values.sorted { $0.rawID < $1.rawID } }

    /// New and written objects.
    var current: [ManagedObject] { inserted + updated }

    /// Whether a save would write any of the objects.
    var hasChanges: Bool { !insertions.isEmpty || !deleted.isEmpty || updates.contains(where: \.hasChanges) }

    var hasPending: Bool { !insertions.isEmpty || !updates.isEmpty || !deleted.isEmpty }

    /// The identifiers of rows that the store has and that are otherwise here.
    var storedPendingIDs: Set<Int64> { Set(updates.objects.map(\.rawID)).union(deleted.keys) }

    /// The object that waits for a save under an identifier: the one to update or to delete.
    func pendingObject(_ id: Int64) -> ManagedObject? {
        if let object = deleted[id] { return object }
        guard let object = live[id], object.state == .updated || object.state == .inserted else { return nil }
        return object
    }

    // MARK: Registering

    func register(_ object: ManagedObject) {
        live[object.rawID] = object
        for column in exclusiveColumns where object.state != .inserted {
            if case .integer(let target) = object.value(at: column) { setHolder(object, of: target, column) }
        }
        if live.count >= sweepLimit { sweep() }
    }

    /// The object that had a partner last, if somebody uses it.
    func holder(of target: Int64, _ column: Int) -> ManagedObject? {
        holders[column]?[target].flatMap { object($0) }
    }

    func setHolder(_ object: ManagedObject, of target: Int64, _ column: Int) {
        holders[column, default: [:]][target] = object.rawID
    }

    func forget(_ object: ManagedObject) {
        if live[object.rawID] === object { live[object.rawID] = nil }
    }

    func forgetAll() {
        for object in live.values { move(object, to: .detached) }
        for object in deleted.values { move(object, to: .detached) }
        (live, holders) = ([:], [:])
    }

    /// Takes out what nobody uses.
    private func sweep() {
        var unused: [Int64] = []
        var index = live.startIndex
        while index != live.endIndex {
            if isKnownUniquelyReferenced(&live.values[index]) { unused.append(live.keys[index]) }
            live.formIndex(after: &index)
        }
        if unused.count == live.count {
            live = [:]
        } else {
            for id in unused { live[id] = nil }
        }
        for column in holders.keys { holders[column] = holders[column]?.filter { live[$0.value] != nil } }
        sweepLimit = max(Self.smallCount, live.count + live.count / 2)
    }

    /// Sweeps after a piece of work, unless that would cost more than the work may have.
    func sweepAfterWork() {
        if !live.isEmpty, live.count <= Self.smallCount || live.count >= sweepLimit { sweep() }
    }

    // MARK: States

    /// Changes an object's state, and puts the object where the new one belongs.
    func move(_ object: ManagedObject, to state: ObjectState) {
        guard object.state != state else { return }
        switch object.state {
        case .inserted: insertions.remove(object)
        case .updated: updates.remove(object)
        case .deleted: if deleted[object.rawID] === object { deleted[object.rawID] = nil }
        case .unchanged, .detached: break
        }
        object.state = state
        enter(object)
    }

    /// Puts an object where its state belongs.
    func enter(_ object: ManagedObject) {
        switch object.state {
        case .inserted: insertions.append(object)
        case .updated: updates.append(object)
        case .deleted: deleted[object.rawID] = object
        case .unchanged, .detached: break
        }
        noticed(object)
    }

    /// Decides whether the context has to hear of the object's next write.
    func noticed(_ object: ManagedObject) {
        object.needsNotice =
            traits.watchesWrites || !object.wasWritten || (object.state != .inserted && object.state != .updated)
    }
}
