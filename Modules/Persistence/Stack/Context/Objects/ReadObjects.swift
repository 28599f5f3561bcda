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
