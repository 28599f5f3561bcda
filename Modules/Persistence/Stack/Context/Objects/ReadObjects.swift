/// The objects of a read that are in no table yet.
///
/// The array that the read gave, shared with whoever reads it: most of what is fetched is looked at and never looked for by its identifier.
///
/// An object that goes may run code of its record's, and that may come back here: what is left is whole whenever an object is released.
final class ReadObjects {
    /// Unchecked because looking for overlapping accesses took a fiftieth of a fetch: each access is over before an object is released.
    @exclusivity(unchecked) private var objects: [ManagedObject]

    init(_ objects: [some ManagedObject]) {
        // SAFETY: an array of a subclass's objects has the same references in the same places, and its storage knows itself how to release them.
        // Converting it makes another array.
        self.objects = unsafe unsafeBitCast(objects, to: [ManagedObject].self)
    }

    var count: Int { objects.count }

    /// Enters all into a table.
    func enter(into table: IdentityMapTable) {
        let entered = objects
        objects = []
        if table.isEmpty, table.fill(with: entered) { return }
        for object in entered { table.insert(object) }
    }

    /// Enters those into a table that somebody else holds, and lets the others go.
    ///
    /// One after the other, and the last one first, which was used last: each is looked at and released while the processor has it at hand.
    func enterUsed(into table: IdentityMapTable) {
        // Where somebody has the array, this begins with a copy, and every object has two holders at least.
        while var object = objects.popLast() {
            if !isKnownUniquelyReferenced(&object) { table.insert(object) }
        }
    }
}
