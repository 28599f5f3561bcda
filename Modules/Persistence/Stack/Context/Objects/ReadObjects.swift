/// The objects of a read that are in no table yet.
///
/// The array is the result of the read, shared with the reader. Most fetched objects are used, but never looked up by
/// their identifiers.
///
/// The release of an object may run code of its record, which may use this instance. The array is therefore consistent
/// whenever an object is released.
final class ReadObjects {
    /// The objects that are in no table yet.
    ///
    /// The attribute is unchecked because exclusivity checks took a fiftieth of a fetch. Each access ends before an
    /// object is released.
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

    /// Inserts the objects that have other references into a table, and releases the others.
    ///
    /// The loop processes the objects one by one, beginning with the last one, which was used last. Each is inspected
    /// and released while it is in the processor's cache.
    func enterUsed(into table: IdentityMapTable) {
        // If the caller has the array, the first removal copies it, and every object then has at least two references.
        while var object = objects.popLast() {
            if !isKnownUniquelyReferenced(&object) { table.insert(object) }
        }
    }
}
