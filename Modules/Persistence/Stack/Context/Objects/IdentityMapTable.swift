import StrataCore

/// A hash table of objects by identifier, which detects objects without other references.
///
/// A `Dictionary` takes longer to find an object than all other steps of reading a row. It also cannot report in one
/// step whether a value is referenced elsewhere. This table uses open addressing with linear probing, and at most half
/// of its slots are used.
///
/// The release of an object may run code of its record, which may use this table. The table is therefore consistent
/// whenever an object is released.
final class IdentityMapTable {
    /// A slot of the table.
    ///
    /// A slot without an object is either free or marks a removed object. A search ends at a free slot and continues
    /// after a mark.
    private struct Slot {
        static var free: Slot { Slot(id: 0, object: nil) }
        static var mark: Slot { Slot(id: 1, object: nil) }

        var id: Int64
        var object: ManagedObject?

        var isFree: Bool { object == nil && id == 0 }
    }

    private static let leastCapacity = 64
    /// The number of low bits of an identifier that select a slot inside a group of adjacent slots.
    ///
    /// Most identifiers are consecutive. A group contains 32 consecutive identifiers, whose objects are mostly adjacent
    /// in memory too.
    private static let rowBits = 5

    private var slots: UnsafeMutablePointer<Slot>
    private var mask: Int
    /// The right shift of a hash product that leaves the bits that select a group of slots.
    private var shift: Int
    /// The number of slots with an object or with the mark of a removed object.
    private var takenCount = 0
    /// The number of times that the array of slots was replaced.
    private var generation = 0
    /// The number of changes of the table; a position that was found before a change may be invalid.
    private(set) var changeCount = 0
    /// The number of objects in the table.
    private(set) var count = 0

    init() {
        slots = Self.allocate(Self.leastCapacity)
        (mask, shift) = Self.measures(Self.leastCapacity)
    }

    deinit {
        slots.deinitialize(count: mask + 1)
        slots.deallocate()
    }

    var isEmpty: Bool { count == 0 }

    /// The number of slots of the table.
    var capacity: Int { mask + 1 }

    // MARK: Finding

    /// The object with an identifier, even if only the table references it.
    subscript(_ id: Int64) -> ManagedObject? { slots[place(of: id)].object }

    /// Returns the object with an identifier if other code references it; otherwise removes it and returns `nil`.
    func objectInUse(_ id: Int64) -> ManagedObject? {
        let place = place(of: id)
        guard slots[place].object != nil else { return nil }
        if isKnownUniquelyReferenced(&slots[place].object) {
            remove(place)
            return nil
        }
        return slots[place].object
    }

    /// All objects, in no particular order.
    var objects: [ManagedObject] { (0...mask).compactMap { slots[$0].object } }

    // MARK: Changing

    /// The position at which a search for an identifier ended; valid until the next change of the table.
    struct Place {
        fileprivate let id: Int64
        fileprivate let index: Int
        fileprivate let changeCount: Int
    }

    /// Returns the object with an identifier if other code references it; otherwise removes it and returns `nil`.
    ///
    /// If the result is `nil`, `place` becomes the position at which to insert an object with this identifier.
    func objectInUse(_ id: Int64, orPlace place: inout Place?) -> ManagedObject? {
        let index = self.place(of: id)
        if slots[index].object == nil {
            place = Place(id: id, index: index, changeCount: changeCount)
            return nil
        }
        if isKnownUniquelyReferenced(&slots[index].object) {
            remove(index)
            return nil
        }
        return slots[index].object
    }

    /// Inserts an object, or replaces the object with the same identifier.
    ///
    /// - Parameters:
    ///   - object: The object to insert.
    ///   - found: The position at which the last search ended. It is used only if that search was for this identifier
    ///     and the table has not changed since.
    func insert(_ object: ManagedObject, at found: Place? = nil) {
        let id = object.rawID
        var place = found.flatMap { $0.id == id && $0.changeCount == changeCount ? $0.index : nil } ?? place(of: id)
        guard slots[place].object == nil else {
            // The slot refers to the new object before the old one is released.
            changeCount &+= 1
            let old = slots[place].object.take()
            slots[place].object = object
            return withExtendedLifetime(old) {}
        }
        if takenCount * 2 > mask {
            rebuild(for: count + 1)
            place = self.place(of: id)
        }
        changeCount &+= 1
        slots[place] = Slot(id: id, object: object)
        takenCount += 1
        count += 1
    }

    /// Inserts the objects of a read into an empty table, which is allocated once for all of them.
    ///
    /// - Returns: `false`, with an empty table, if two objects have the same identifier.
    func fill(with objects: [some ManagedObject]) -> Bool {
        var capacity = Self.leastCapacity
        while capacity < objects.count * 2 { capacity *= 2 }
        replaceSlots(capacity: capacity)
        for object in objects {
            let id = object.rawID
            let place = place(of: id)
            guard slots[place].object == nil else {
                _ = removeAll()
                return false
            }
            // SAFETY: a free slot holds no reference that would have to be released.
            (slots + place).initialize(to: Slot(id: id, object: object))
            takenCount += 1
            count += 1
        }
        return true
    }

    /// Removes an object; if another object has replaced it, the table is unchanged.
    func remove(_ object: ManagedObject) {
        let place = place(of: object.rawID)
        if slots[place].object === object { remove(place) }
    }

    /// Removes all objects and returns them.
    func removeAll() -> [ManagedObject] {
        var objects: [ManagedObject] = []
        objects.reserveCapacity(count)
        for place in 0...mask {
            if let object = slots[place].object.take() { objects.append(object) }
        }
        replaceSlots(capacity: Self.leastCapacity)
        return objects
    }

    /// Removes the objects that have no other references.
    func removeUnused() {
        var place = capacity
        removeUnused(before: &place, count: capacity)
    }

    /// Removes the objects without other references from a range of slots, which is scanned backward.
    ///
    /// - Parameters:
    ///   - place: On entry, the slot before which the scan begins; on return, the slot before which the next scan
    ///     begins. If a scan reaches the first slot, the next scan begins at the last slot.
    ///   - limit: The maximum number of slots to inspect.
    func removeUnused(before place: inout Int, count limit: Int) {
        let begun = generation
        if place <= 0 || place > capacity { place = capacity }
        let last = max(0, place - limit)
        // The scan runs backward, so that most removals leave a free slot and no mark.
        while place > last {
            place -= 1
            guard isKnownUniquelyReferenced(&slots[place].object) else { continue }
            remove(place)
            // Code that ran during the release may have moved everything; the next sweep finds the rest.
            guard generation == begun else { return }
        }
        if last == 0 { tidy() }
    }

    /// Shrinks or rebuilds the table after many removals.
    ///
    /// Many marks of removed objects make searches long, and many free slots make the next scan long.
    private func tidy() {
        if count == 0 {
            replaceSlots(capacity: Self.leastCapacity)
        } else if takenCount > 2 * count || capacity > Self.leastCapacity && capacity > 16 * count {
            rebuild(for: count)
        }
    }

    /// Removes the object of a slot and then releases it; the slot is marked if a search must continue after it.
    private func remove(_ place: Int) {
        changeCount &+= 1
        let object = slots[place].object.take()
        if slots[(place &+ 1) & mask].isFree {
            slots[place] = .free
            takenCount -= 1
        } else {
            slots[place] = .mark
        }
        count -= 1
        // Swift may release an object after its last use. Without this call, it could do so before the count is
        // correct.
        withExtendedLifetime(object) {}
    }

    // MARK: Places

    /// Returns the slot of the object with an identifier, or the free slot at which a search for the identifier ends.
    private func place(of id: Int64) -> Int {
        var place = firstSlot(of: id)
        while slots[place].object == nil ? slots[place].id != 0 : slots[place].id != id { place = (place &+ 1) & mask }
        return place
    }

    /// Returns the slot at which a search for an identifier begins.
    ///
    /// Consecutive identifiers share a group of slots. Multiplication by the golden ratio distributes the groups.
    private func firstSlot(of id: Int64) -> Int {
        let row = (UInt64(bitPattern: id) >> UInt64(Self.rowBits)) &* 0x9E37_79B9_7F4A_7C15
        let neighbour = UInt64(bitPattern: id) & (1 << UInt64(Self.rowBits) - 1)
        return Int(truncatingIfNeeded: (row &>> UInt64(shift)) << UInt64(Self.rowBits) | neighbour)
    }

    /// Rebuilds the table with space for a number of objects and without marks of removed objects.
    private func rebuild(for expected: Int) {
        var capacity = Self.leastCapacity
        // The new table is at most a third full, so that it stays at most half full for a while.
        while capacity < expected * 3 { capacity *= 2 }
        replaceSlots(capacity: capacity) { old in
            for index in old.indices where old[index].object != nil {
                let place = place(of: old[index].id)
                slots[place].id = old[index].id
                slots[place].object = old[index].object.take()
                takenCount += 1
            }
            count = takenCount
        }
    }

    /// Replaces all slots with free ones; `move` must move every object out of the old slots before they are
    /// deallocated.
    private func replaceSlots(capacity: Int, _ move: (UnsafeMutableBufferPointer<Slot>) -> Void = { _ in }) {
        let old = UnsafeMutableBufferPointer(start: slots, count: mask + 1)
        slots = Self.allocate(capacity)
        (mask, shift) = Self.measures(capacity)
        (count, takenCount) = (0, 0)
        generation &+= 1
        changeCount &+= 1
        move(old)
        // SAFETY: the old slots hold no reference that would have to be released: every object was moved out, here or
        // before.
        old.deallocate()
    }

    private static func allocate(_ capacity: Int) -> UnsafeMutablePointer<Slot> {
        let slots = UnsafeMutablePointer<Slot>.allocate(capacity: capacity)
        slots.initialize(repeating: .free, count: capacity)
        return slots
    }

    private static func measures(_ capacity: Int) -> (mask: Int, shift: Int) {
        (capacity - 1, 64 - capacity.trailingZeroBitCount + rowBits)
    }
}

extension IdentityMapTable {
    /// Checks that the table is consistent, for tests.
    func checkInvariants() {
        let filled = (0...mask).filter { slots[$0].object != nil }
        let taken = (0...mask).filter { !slots[$0].isFree }
        precondition(filled.count == count && taken.count == takenCount, "the numbers are wrong")
        precondition(takenCount * 2 <= mask + 1, "more than half full")
        for index in filled {
            precondition(slots[index].id == slots[index].object?.rawID, "an object under another's identifier")
            precondition(place(of: slots[index].id) == index, "an object that a search does not find")
        }
    }
}
