/// The objects of a read, of any record type, that are in no table yet.
protocol UnenteredObjects: AnyObject {
    var count: Int { get }

    /// Enters all into a table.
    func enter(into table: IdentityMapTable)

    /// Enters those into a table that somebody else holds.
    func enterUsed(into table: IdentityMapTable)
}

/// The array that a read gave, shared with whoever reads it: most of what is fetched is looked at and never looked for by its identifier.
final class ReadObjects<Object: ManagedObject>: UnenteredObjects {
    private var objects: [Object]

    init(_ objects: [Object]) {
        self.objects = objects
    }

    var count: Int { objects.count }

    func enter(into table: IdentityMapTable) {
        if table.isEmpty, table.fill(with: objects) { return }
        for object in objects { table.insert(object) }
    }

    func enterUsed(into table: IdentityMapTable) {
        // Where somebody has the array, this copies it, and every object has two holders at least.
        objects.withUnsafeMutableBufferPointer { objects in
            for index in objects.indices where !isKnownUniquelyReferenced(&objects[index]) {
                table.insert(objects[index])
            }
        }
    }
}
