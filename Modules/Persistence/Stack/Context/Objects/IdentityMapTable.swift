import StrataCore

/// Objects by their identifiers, and which of them nobody else holds.
///
/// A hash table of its own: a `Dictionary` costs more than all the rest of giving a row its object, and cannot say of a value in one step
/// whether it is held elsewhere. Open addressing with linear probing, at most half full.
///
/// An object that goes may run code of its record's, and that may come back here. The table is therefore whole whenever an object is released.
final class IdentityMapTable {
    /// Without an object: free, or the mark of one that went, past which a search goes on.
    private struct Slot {
        static var free: Slot { Slot(id: 0, object: nil) }
        static var mark: Slot { Slot(id: 1, object: nil) }

        var id: Int64
        var object: ManagedObject?

        var isFree: Bool { object == nil && id == 0 }
    }

    private static let leastCapacity = 64
    /// Identifiers mostly follow each other: 32 of them are neighbours here, as their objects mostly are in memory.
    private static let rowBits = 5

    private var slots: UnsafeMutablePointer<Slot>
    private var mask: Int
    /// Leaves as many bits of a product as number the rows.
    private var shift: Int
    /// How many slots are not free.
    private var takenCount = 0
    /// Counts the times that everything was moved.
    private var generation = 0
    /// Counts all changes: a place that was found before one may be another's.
    private(set) var changeCount = 0
    /// The number of objects.
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

    /// The number of slots.
    var capacity: Int { mask + 1 }

    // MARK: Finding

    /// The object with an identifier, whoever holds it.
    subscript(_ id: Int64) -> ManagedObject? { slots[place(of: id)].object }

    /// The object with an identifier, if somebody else holds it too; otherwise it goes.
    func objectInUse(_ id: Int64) -> ManagedObject? {
        let place = place(of: id)
        guard slots[place].object != nil else { return nil }
        if isKnownUniquelyReferenced(&slots[place].object) {
            takeOut(place)
            return nil
        }
        return slots[place].object
    }

    /// All objects, in no order.
    var objects: [ManagedObject] { (0...mask).compactMap { slots[$0].object } }

    // MARK: Changing

    /// Where a search for an identifier ended; good until the table changes.
    struct Place {
        fileprivate let id: Int64
        fileprivate let index: Int
        fileprivate let changeCount: Int
    }

    /// The object with an identifier, if somebody else holds it too, and otherwise where it belongs.
    func objectInUse(_ id: Int64, orPlace place: inout Place?) -> ManagedObject? {
        let index = self.place(of: id)
        if slots[index].object == nil {
            place = Place(id: id, index: index, changeCount: changeCount)
            return nil
        }
        if isKnownUniquelyReferenced(&slots[index].object) {
            takeOut(index)
            return nil
        }
        return slots[index].object
    }

    /// Enters an object in the place of the one with its identifier, if there is one.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - found: Where the last search ended; only looked at where that was for this identifier, and nothing changed since.
    func insert(_ object: ManagedObject, at found: Place? = nil) {
        let id = object.rawID
        var place = found.flatMap { $0.id == id && $0.changeCount == changeCount ? $0.index : nil } ?? place(of: id)
        guard slots[place].object == nil else {
            // The slot has the new object before the old one is released.
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

    /// Enters the objects of a read into an empty table: it is made for as many, once, and nobody is looked for.
    ///
    /// - Returns: False, with the table empty, where two objects have one identifier.
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
            // SAFETY: a free slot holds nothing that would have to be released.
            (slots + place).initialize(to: Slot(id: id, object: object))
            takenCount += 1
            count += 1
        }
        return true
    }

    /// Takes an object out, unless another has its place.
    func remove(_ object: ManagedObject) {
        let place = place(of: object.rawID)
        if slots[place].object === object { takeOut(place) }
    }

    /// Takes all objects out.
    func removeAll() -> [ManagedObject] {
        var objects: [ManagedObject] = []
        objects.reserveCapacity(count)
        for place in 0...mask {
            if let object = slots[place].object.take() { objects.append(object) }
        }
        replaceSlots(capacity: Self.leastCapacity)
        return objects
    }

    /// Takes out the objects that nobody else holds.
    func removeUnused() {
        var place = capacity
        removeUnused(before: &place, count: capacity)
    }

    /// Takes out the objects in some slots that nobody else holds.
    ///
    /// - Parameters:
    ///   - place: The slot before which the last one is, and in the end that before which to go on; from the first it goes to the end again.
    ///   - limit: The most slots to look at.
    func removeUnused(before place: inout Int, count limit: Int) {
        let begun = generation
        if place <= 0 || place > capacity { place = capacity }
        let last = max(0, place - limit)
        // From the end, so that what goes mostly leaves a free slot and no mark.
        while place > last {
            place -= 1
            guard isKnownUniquelyReferenced(&slots[place].object) else { continue }
            takeOut(place)
            // What came back while the object went may have moved everything; the next sweep finds the rest.
            guard generation == begun else { return }
        }
        if last == 0 { tidy() }
    }

    /// Gives back what many removals leave: many marks make searches long, and many free slots the next walk.
    private func tidy() {
        if count == 0 {
            replaceSlots(capacity: Self.leastCapacity)
        } else if takenCount > 2 * count || capacity > Self.leastCapacity && capacity > 16 * count {
            rebuild(for: count)
        }
    }

    /// Frees a slot, or marks it where a search must go on past it, and then releases its object.
    private func takeOut(_ place: Int) {
        changeCount &+= 1
        let object = slots[place].object.take()
        if slots[(place &+ 1) & mask].isFree {
            slots[place] = .free
            takenCount -= 1
        } else {
            slots[place] = .mark
        }
        count -= 1
        // The language lets an object live no longer than to its last use: without this it may go before the count is right.
        withExtendedLifetime(object) {}
    }

    // MARK: Places

    /// Where an object with that identifier is, or the free slot where a search for it ends.
    private func place(of id: Int64) -> Int {
        var place = firstSlot(of: id)
        while slots[place].object == nil ? slots[place].id != 0 : slots[place].id != id { place = (place &+ 1) & mask }
        return place
    }

    /// The slot in which a search begins: neighbours share a row, and the golden ratio spreads the rows.
    private func firstSlot(of id: Int64) -> Int {
        let row = (UInt64(bitPattern: id) >> UInt64(Self.rowBits)) &* 0x9E37_79B9_7F4A_7C15
        let neighbour = UInt64(bitPattern: id) & (1 << UInt64(Self.rowBits) - 1)
        return Int(truncatingIfNeeded: (row &>> UInt64(shift)) << UInt64(Self.rowBits) | neighbour)
    }

    /// Makes room for so many objects, and leaves the marks behind.
    private func rebuild(for expected: Int) {
        var capacity = Self.leastCapacity
        // At most a third full, so that it stays at most half full for a while.
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

    /// Begins with free slots, and gives the old ones back, out of which every object was moved.
    private func replaceSlots(capacity: Int, _ move: (UnsafeMutableBufferPointer<Slot>) -> Void = { _ in }) {
        let old = UnsafeMutableBufferPointer(start: slots, count: mask + 1)
        slots = Self.allocate(capacity)
        (mask, shift) = Self.measures(capacity)
        (count, takenCount) = (0, 0)
        generation &+= 1
        changeCount &+= 1
        move(old)
        // SAFETY: nothing is lost that would have to be released: every object was moved out, here or before.
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
    /// What must be true after every change; for tests.
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
