import StrataCore

/// A context's objects of one entity: one for each identifier.
///
/// An object without changes that nobody else holds is as good as forgotten: looking it up does not find it, and a sweep takes it out. That is a
/// weak reference in effect, without what a weak reference costs each object.
///
/// `@usableFromInline`, as some of its members, because the loop that makes objects of rows is inlined into the record types' modules.
@usableFromInline
final class IdentityMap {
    /// Up to this many objects, every piece of work ends with a sweep through all of them.
    private static let smallCount = 1024
    /// Of more, all are looked through when one in so many came in since, and otherwise some: a piece of work with few of many objects stays
    /// cheap, and what nobody uses goes all the same.
    private static let newcomerShare = 8

    let entity: EntityDescription
    let validator: RowValidator
    unowned let context: any ObjectContext
    /// What its objects know of it.
    @usableFromInline let ownership: ObjectOwnership
    /// What the record type opted into.
    let traits: RecordTraits
    /// Of which records the objects are; `nil` before the first one.
    private(set) var kind: (any AnyRecordEntity)?
    /// Finds or makes the object of a row without a word of the record's type; `nil` where those records have no such way, or have hooks.
    private(set) var find: (@Sendable (RowReader, IdentityMap) throws -> ManagedObject)?

    /// The columns of one-to-one relationships.
    let exclusiveColumns: [Int]
    /// For each of them, who had which partner last; looked up and then looked at, since it may have another by now.
    private var holders: [Int: [Int64: Int64]] = [:]

    private let table = IdentityMapTable()
    /// Objects of a read that nobody has looked for yet; the table has none then.
    private var unentered: ReadObjects?
    /// Where the object belongs that a read asked for last.
    @exclusivity(unchecked) private var place: IdentityMapTable.Place?
    /// How many objects there may be that nobody else holds, before somebody looks.
    private var sweepLimit = IdentityMap.smallCount
    /// How many objects came in since a piece of work ended with a sweep through all.
    private var newcomerCount = 0
    /// Where the next sweep through some begins.
    private var cursor = 0
    /// Whether a sweep after work is under way.
    private var isSweeping = false
    private var insertions = PendingList()
    private var updates = PendingList()
    /// Objects that the next save deletes; one of them may have lost its place to a new object with its identifier.
    private(set) var deleted: [Int64: ManagedObject] = [:]

    init(_ entity: EntityDescription, in context: any ObjectContext, _ traits: RecordTraits) {
        self.entity = entity
        self.context = context
        self.traits = traits
        validator = RowValidator(entity)
        exclusiveColumns = entity.columns.indices.filter { entity.columns[$0].isExclusive }
        ownership = ObjectOwnership(entity)
        ownership.open(self)
    }

    deinit {
        ownership.close()
    }

    /// Has objects of those records and of no others.
    func setKind<Record: ManagedRecord>(_ entity: RecordEntity<Record>) {
        kind = entity
        find = traits.hasHooks ? nil : entity.objectCollector?.find
    }

    // MARK: Finding

    /// The table with all objects.
    private var live: IdentityMapTable {
        if unentered != nil { enterAll() }
        return table
    }

    private func enterAll() {
        unentered.take()?.enter(into: table)
    }

    /// The object with an identifier, if the context has it and somebody uses it.
    func object(_ id: Int64) -> ManagedObject? { live.objectInUse(id) }

    /// The same for a read, which registers a new object where there is none.
    @usableFromInline
    func objectForRead(_ id: Int64) -> ManagedObject? {
        place = nil
        return live.objectInUse(id, orPlace: &place)
    }

    /// All objects somebody uses, by identifier.
    var objects: [ManagedObject] {
        sweep()
        return live.objects.sorted { $0.rawID < $1.rawID }
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

    /// Whether the context has no object, as far as is known without looking who uses which.
    var isEmpty: Bool { count == 0 && deleted.isEmpty }

    /// The number of objects, whoever holds them.
    private var count: Int { table.count + (unentered?.count ?? 0) }

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
        enter(object, at: nil)
        sweepIfFull()
    }

    /// Registers the object of a row that ``objectForRead(_:)`` did not find: as long as it goes on, the result holds them, and looking for unused ones is in vain.
    @usableFromInline
    func registerRead(_ object: ManagedObject) { enter(object, at: place) }

    /// What tells whether objects came or went, where there are none; `nil` where there are some.
    var emptyMark: Int? { count == 0 ? table.changeCount : nil }

    /// Registers the objects of a read that began without any.
    ///
    /// - Parameters:
    ///   - objects: The objects.
    ///   - areAscending: Whether each has a greater identifier than the one before it, so that no two have the same.
    ///   - mark: What ``emptyMark`` was when the read began.
    /// - Returns: False, with nothing done, where others came meanwhile, or two have one identifier: each has to be looked for then.
    func registerAll(_ objects: [some ManagedObject], areAscending: Bool, since mark: Int) -> Bool {
        guard emptyMark == mark else { return false }
        if areAscending, exclusiveColumns.isEmpty {
            if !objects.isEmpty { unentered = ReadObjects(objects) }
        } else {
            guard table.fill(with: objects) else { return false }
            if !exclusiveColumns.isEmpty { for object in objects { noteHolder(object) } }
        }
        newcomerCount += objects.count
        return true
    }

    private func enter(_ object: ManagedObject, at place: IdentityMapTable.Place?) {
        live.insert(object, at: place)
        newcomerCount += 1
        if !exclusiveColumns.isEmpty { noteHolder(object) }
    }

    /// A read found a newer row of an object: lists of before may be wrong.
    @usableFromInline
    func sawNewerRow() { context.sawNewerRows(of: entity.name) }

    private func noteHolder(_ object: ManagedObject) {
        for column in exclusiveColumns where object.state != .inserted {
            guard case .integer(let target) = object.typed.value(at: column) else { continue }
            // Who took the partner here has it, though the row that is read now says otherwise.
            if let other = holder(of: target, column), other.typed.value(at: column) == .integer(target) { continue }
            setHolder(object, of: target, column)
        }
    }

    /// The object that had a partner last, if somebody uses it.
    func holder(of target: Int64, _ column: Int) -> ManagedObject? {
        holders[column]?[target].flatMap { object($0) }
    }

    func setHolder(_ object: ManagedObject, of target: Int64, _ column: Int) {
        holders[column, default: [:]][target] = object.rawID
    }

    /// After a change was taken back: who has a partner again is who is found.
    func reclaimPartners(of object: ManagedObject) {
        for column in exclusiveColumns {
            guard !object.isGone, case .integer(let target) = object.typed.value(at: column) else { continue }
            setHolder(object, of: target, column)
        }
    }

    func forget(_ object: ManagedObject) { live.remove(object) }

    func forgetAll() {
        for object in live.removeAll() { move(object, to: .detached) }
        for object in deleted.values { move(object, to: .detached) }
        holders = [:]
    }

    // MARK: Sweeping

    /// How many objects nobody else may hold; those that wait for a save are held.
    private var unheldCount: Int { count - insertions.count - updates.count }

    /// Enters what somebody uses; what nobody uses goes without having been entered.
    private func enterUsed() {
        guard let read = unentered else { return }
        // It stays meanwhile: what comes back while an object goes finds those that were not looked at yet.
        read.enterUsed(into: table)
        if unentered === read { unentered = nil }
    }

    /// Takes out what nobody uses.
    private func sweep() {
        enterUsed()
        live.removeUnused()
        for column in holders.keys { holders[column] = holders[column]?.filter { live[$0.value] != nil } }
        sweepLimit = max(Self.smallCount, unheldCount + unheldCount / 2)
    }

    /// Sweeps where enough may be found.
    func sweepIfFull() {
        if unheldCount >= sweepLimit { sweep() }
    }

    /// Sweeps after a piece of work: through all objects, or some where all would cost more than the work may have.
    func sweepAfterWork() {
        // An object that goes may run code of its record's, and that may be work in this context, which ends here too.
        guard count > 0, !isSweeping else { return }
        isSweeping = true
        defer { isSweeping = false }
        enterUsed()
        if live.count <= Self.smallCount || newcomerCount * Self.newcomerShare >= live.count {
            sweep()
            newcomerCount = 0
        } else {
            live.removeUnused(before: &cursor, count: 2 * Self.smallCount)
        }
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

    /// Gives up an object's change: a new one is detached, a changed or deleted one is as it was read.
    func giveUp(_ object: ManagedObject) {
        let wasInserted = object.state == .inserted
        move(object, to: object.state.rolledBack)
        object.typed.revert()
        // An object that was deleted gets its place back from a new one that had taken its identifier.
        if wasInserted { forget(object) } else { register(object) }
    }

    /// Puts the new objects in an order; they are all there is of them.
    func orderInsertions(_ objects: [ManagedObject]) {
        guard !insertions.objects.elementsEqual(objects, by: ===) else { return }
        _ = insertions.removeAll()
        for object in objects { insertions.append(object) }
    }

    /// After a save: takes what was pending as what the parent has.
    ///
    /// - Parameter raised: The identifiers of the updated objects whose rows have the next version.
    func commit(raised: Set<Int64>) {
        for object in insertions.removeAll() { settle(object, version: object.version) }
        for object in updates.removeAll() {
            settle(object, version: raised.contains(object.rawID) ? object.version + 1 : object.version)
        }
        let gone = deleted.isEmpty ? [] : deletedInOrder
        deleted = [:]
        for object in gone {
            object.state = object.state.saved
            noticed(object)
            live.remove(object)
        }
    }

    private func settle(_ object: ManagedObject, version: Int64) {
        object.typed.commit(version: version)
        object.state = object.state.saved
        noticed(object)
    }

    /// Decides whether the context has to hear of the object's next write.
    func noticed(_ object: ManagedObject) {
        object.needsNotice =
            traits.watchesWrites || !object.wasWritten || (object.state != .inserted && object.state != .updated)
    }
}
