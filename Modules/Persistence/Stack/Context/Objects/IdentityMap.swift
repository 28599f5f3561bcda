import StrataCore

/// The objects of one entity in a context, at most one for each identifier.
///
/// An object without changes that only the map references counts as released: lookups do not find it, and a sweep
/// removes it. The map thereby works like a table of weak references, without the cost of a weak reference for each
/// object.
///
/// The class and some of its members are `@usableFromInline`, because the loop that creates objects from rows is
/// inlined into the modules of the record types.
@usableFromInline
final class IdentityMap {
    /// The maximum number of objects with which every closure of the context ends with a sweep through all objects.
    private static let smallCount = 1024
    /// The reciprocal of the share of new objects that triggers a full sweep of a larger map.
    ///
    /// A full sweep of a larger map happens if at least one of this many objects was added since the last full sweep.
    /// Otherwise only a part of the map is swept. The cost of work with few of many objects is thereby small, and
    /// unused objects are still removed.
    private static let newcomerShare = 8

    let entity: EntityDescription
    let validator: RowValidator
    unowned let context: any ObjectContext
    /// The ownership that all objects of the map share.
    @usableFromInline let ownership: ObjectOwnership
    /// The features that the record type opted into.
    let traits: RecordTraits
    /// The record entity of the objects, or `nil` before the first object is registered.
    private(set) var kind: (any AnyRecordEntity)?
    /// A closure that finds or creates the object of a row without generic code for the record type.
    ///
    /// It is `nil` if the entity has no object collector, or if the record type has hooks.
    private(set) var find: (@Sendable (RowReader, IdentityMap) throws -> ManagedObject)?

    /// The indexes of the columns of one-to-one relationships.
    let exclusiveColumns: [Int]
    /// The last known owner of each one-to-one counterpart, by column and by the counterpart's identifier.
    ///
    /// Code that finds an owner must check that the owner still has the counterpart.
    private var holders: [Int: [Int64: Int64]] = [:]

    private let table = IdentityMapTable()
    /// The objects of a fetch that were not looked up yet; while it is not `nil`, the table is empty.
    private var unentered: ReadObjects?
    /// The table position that the last lookup for a read found.
    @exclusivity(unchecked) private var place: IdentityMapTable.Place?
    /// The number of objects without known references that triggers the next sweep.
    private var sweepLimit = IdentityMap.smallCount
    /// The number of objects that were added since the last full sweep.
    private var newcomerCount = 0
    /// The position at which the next partial sweep begins.
    private var cursor = 0
    /// A Boolean value that indicates whether a sweep after work is in progress.
    private var isSweeping = false
    private var insertions = PendingList()
    private var updates = PendingList()
    /// The objects that the next save deletes, by identifier.
    ///
    /// A new object with the same identifier may have replaced a deleted object in the table.
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

    /// Sets the record entity of all objects of the map.
    func setKind<Record: ManagedRecord>(_ entity: RecordEntity<Record>) {
        kind = entity
        find = traits.hasHooks ? nil : entity.objectCollector?.find
    }

    // MARK: Finding

    /// The table with all objects, including those of the last fetch.
    private var live: IdentityMapTable {
        if unentered != nil { enterAll() }
        return table
    }

    private func enterAll() {
        unentered.take()?.enter(into: table)
    }

    /// Returns the object with an identifier if the context has it and other code references it; otherwise `nil`.
    func object(_ id: Int64) -> ManagedObject? { live.objectInUse(id) }

    /// Returns the object with an identifier for a read, or `nil`; the read then registers a new object.
    @usableFromInline
    func objectForRead(_ id: Int64) -> ManagedObject? {
        place = nil
        return live.objectInUse(id, orPlace: &place)
    }

    /// All objects that other code references or that have changes, ordered by identifier.
    var objects: [ManagedObject] {
        sweep()
        return live.objects.sorted { $0.rawID < $1.rawID }
    }

    /// The objects that are not saved yet, in the order of their insertion.
    var inserted: [ManagedObject] { insertions.objects }

    /// The objects that were written to, in the order of their first write; some may have their old values again.
    var updated: [ManagedObject] { updates.objects }

    /// The objects that the next save deletes, ordered by identifier.
    var deletedInOrder: [ManagedObject] { deleted.values.sorted { $0.rawID < $1.rawID } }

    /// The new objects and the objects that were written to.
    var current: [ManagedObject] { inserted + updated }

    /// A Boolean value that indicates whether a save would write any of the objects.
    var hasChanges: Bool { !insertions.isEmpty || !deleted.isEmpty || updates.contains(where: \.hasChanges) }

    /// A Boolean value that indicates whether the map contains no object, referenced or not.
    var isEmpty: Bool { count == 0 && deleted.isEmpty }

    /// The number of objects, referenced or not.
    private var count: Int { table.count + (unentered?.count ?? 0) }

    var hasPending: Bool { !insertions.isEmpty || !updates.isEmpty || !deleted.isEmpty }

    /// The identifiers of stored rows whose objects have unsaved updates or deletions.
    var storedPendingIDs: Set<Int64> { Set(updates.objects.map(\.rawID)).union(deleted.keys) }

    /// Returns the object with an identifier if it has an unsaved insertion, update, or deletion; otherwise `nil`.
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

    /// Registers a new object for a row whose identifier ``objectForRead(_:)`` did not find.
    ///
    /// This method does not sweep the map: the result of the running read references its objects, so that a sweep would
    /// find few unused ones.
    @usableFromInline
    func registerRead(_ object: ManagedObject) { enter(object, at: place) }

    /// The change count of the table if the map has no objects; otherwise `nil`.
    ///
    /// If the change count differs later, objects were added or removed meanwhile.
    var emptyMark: Int? { count == 0 ? table.changeCount : nil }

    /// Registers the objects of a read that began when the map had no objects.
    ///
    /// - Parameters:
    ///   - objects: The objects that the read created.
    ///   - areAscending: A Boolean value that indicates whether each identifier is greater than the previous one, so
    ///     that no two are equal.
    ///   - mark: The value of ``emptyMark`` when the read began.
    /// - Returns: `false`, without any change, if other objects were added meanwhile or two objects have the same
    ///   identifier. The caller must then look up each object.
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

    /// Notifies the context that a read found a newer row of an object; prefetched lists may be outdated.
    @usableFromInline
    func sawNewerRow() { context.sawNewerRows(of: entity.name) }

    private func noteHolder(_ object: ManagedObject) {
        for column in exclusiveColumns where object.state != .inserted {
            guard case .integer(let target) = object.typed.value(at: column) else { continue }
            // An object that an unsaved change assigned the counterpart keeps it, even if the row has another owner.
            if let other = holder(of: target, column), other.typed.value(at: column) == .integer(target) { continue }
            setHolder(object, of: target, column)
        }
    }

    /// Returns the object that last had a one-to-one counterpart, if other code references the object; otherwise `nil`.
    func holder(of target: Int64, _ column: Int) -> ManagedObject? {
        holders[column]?[target].flatMap { object($0) }
    }

    func setHolder(_ object: ManagedObject, of target: Int64, _ column: Int) {
        holders[column, default: [:]][target] = object.rawID
    }

    /// Records an object as the owner of its one-to-one counterparts, after its change was rolled back.
    func restoreCounterparts(of object: ManagedObject) {
        for column in exclusiveColumns {
            guard !object.isDeletedOrDetached, case .integer(let target) = object.typed.value(at: column) else {
                continue
            }
            setHolder(object, of: target, column)
        }
    }

    func forget(_ object: ManagedObject) { live.remove(object) }

    /// Detaches an object and removes it from the map.
    ///
    /// For a new object, the effect is that of never having been inserted.
    func detach(_ object: ManagedObject) {
        move(object, to: .detached)
        forget(object)
    }

    func forgetAll() {
        for object in live.removeAll() { move(object, to: .detached) }
        for object in deleted.values { move(object, to: .detached) }
        holders = [:]
    }

    // MARK: Sweeping

    /// The number of objects that may have no other references; the lists of unsaved objects reference theirs.
    private var unheldCount: Int { count - insertions.count - updates.count }

    /// Adds the fetched objects that other code references to the table, and releases the others.
    private func enterUsed() {
        guard let read = unentered else { return }
        // `unentered` stays set meanwhile: code that runs during the release of an object finds the objects that were
        // not inspected yet.
        read.enterUsed(into: table)
        if unentered === read { unentered = nil }
    }

    /// Removes the objects that only the map references.
    private func sweep() {
        enterUsed()
        live.removeUnused()
        for column in holders.keys { holders[column] = holders[column]?.filter { live[$0.value] != nil } }
        sweepLimit = max(Self.smallCount, unheldCount + unheldCount / 2)
    }

    /// Sweeps the map if the number of possibly unreferenced objects has reached the limit.
    func sweepIfFull() {
        if unheldCount >= sweepLimit { sweep() }
    }

    /// Sweeps the map after a closure of the context.
    ///
    /// The sweep covers all objects, or a part of them if a full sweep would be expensive in comparison with the
    /// closure's work.
    func sweepAfterWork() {
        // The release of an object may run code of its record. That code may be work in this context, which ends here
        // too.
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

    /// Changes an object's state, and moves the object to the list of the new state.
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

    /// Adds an object to the table and to the list of its state.
    func enter(_ object: ManagedObject) {
        switch object.state {
        case .inserted: insertions.append(object)
        case .updated: updates.append(object)
        case .deleted: deleted[object.rawID] = object
        case .unchanged, .detached: break
        }
        noticed(object)
    }

    /// Discards an object's change: a new object is detached; a changed or deleted one regains the values last read or
    /// saved.
    func release(_ object: ManagedObject) {
        let wasInserted = object.state == .inserted
        move(object, to: object.state.rolledBack)
        object.typed.revert()
        // If a new object had taken the identifier of a deleted one, the deleted one replaces it in the table.
        if wasInserted { forget(object) } else { register(object) }
    }

    /// Replaces the order of the unsaved new objects; `objects` must contain all of them.
    func orderInsertions(_ objects: [ManagedObject]) {
        guard !insertions.objects.elementsEqual(objects, by: ===) else { return }
        _ = insertions.removeAll()
        for object in objects { insertions.append(object) }
    }

    /// Marks all unsaved changes as saved in the parent context or the store.
    ///
    /// - Parameter raised: The identifiers of the updated objects whose row version increased by one.
    func commit(raised: Set<Int64>) {
        for object in insertions.removeAll() { settle(object, version: object.version) }
        for object in updates.removeAll() {
            settle(object, version: raised.contains(object.rawID) ? object.version + 1 : object.version)
        }
        let deletedObjects = deleted.isEmpty ? [] : deletedInOrder
        deleted = [:]
        for object in deletedObjects {
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

    /// Determines whether the context must be notified of the next write to an object.
    func noticed(_ object: ManagedObject) {
        object.needsNotice =
            traits.watchesWrites || !object.wasWritten || (object.state != .inserted && object.state != .updated)
    }
}

/// A list of objects with unsaved changes, in the order in which they were added.
///
/// Each object stores its index in the list, so that additions and removals take constant time.
struct PendingList {
    private var slots: [ManagedObject?] = []
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// The objects, in the order in which they were added.
    var objects: [ManagedObject] {
        var objects: [ManagedObject] = []
        objects.reserveCapacity(count)
        for case let object? in slots { objects.append(object) }
        return objects
    }

    func contains(where isWanted: (ManagedObject) -> Bool) -> Bool {
        slots.contains { $0.map(isWanted) ?? false }
    }

    mutating func append(_ object: ManagedObject) {
        object.slot = Int32(slots.count)
        slots.append(object)
        count += 1
    }

    mutating func remove(_ object: ManagedObject) {
        let slot = Int(object.slot)
        guard slots.indices.contains(slot), slots[slot] === object else { return }
        slots[slot] = nil
        object.slot = -1
        count -= 1
        while let last = slots.last, last == nil { slots.removeLast() }
        if slots.count > 64, slots.count > 4 * count { compact() }
    }

    /// Removes all objects from the list.
    ///
    /// - Returns: The removed objects, in the order in which they were added.
    mutating func removeAll() -> [ManagedObject] {
        let objects = objects
        for object in objects { object.slot = -1 }
        slots = []
        count = 0
        return objects
    }

    private mutating func compact() {
        let objects = self.objects
        slots = []
        count = 0
        for object in objects { append(object) }
    }
}

/// The objects of a fetch that the identity map has not entered into its table yet.
///
/// The array is shared with the result of the fetch. Most fetched objects are used without ever being looked up by
/// their identifiers, so entering them would have no benefit.
///
/// When an object is released, code of its record may run and use this instance. The array is therefore consistent
/// whenever an object is released.
final class ReadObjects {
    /// The objects that are not in the table yet.
    ///
    /// The attribute is unchecked because exclusivity checks took a fiftieth of the time of a fetch. Each access ends
    /// before an object is released.
    @exclusivity(unchecked) private var objects: [ManagedObject]

    init(_ objects: [some ManagedObject]) {
        // SAFETY: an array of subclass instances has the same references at the same offsets, and its storage releases
        // them by itself. A conversion would create another array.
        self.objects = unsafe unsafeBitCast(objects, to: [ManagedObject].self)
    }

    var count: Int { objects.count }

    /// Inserts all objects into a table.
    func enter(into table: IdentityMapTable) {
        let entered = objects
        objects = []
        if table.isEmpty, table.fill(with: entered) { return }
        for object in entered { table.insert(object) }
    }

    /// Inserts the objects that other code references into a table, and releases the others.
    ///
    /// The loop begins with the last object, which was used last. It releases each object immediately after inspecting
    /// it, while the object is in the processor's cache.
    func enterUsed(into table: IdentityMapTable) {
        // If the caller has the array, the first removal copies it, and every object then has at least two references.
        while var object = objects.popLast() {
            if !isKnownUniquelyReferenced(&object) { table.insert(object) }
        }
    }
}
