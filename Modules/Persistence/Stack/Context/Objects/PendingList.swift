import StrataCore

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
