import StrataCore

/// The deleted or detached objects that were written to, although no save can store the writes.
///
/// The next save throws one error for all of them.
struct DetachedWrites {
    private var objects: [ManagedObject] = []

    var isEmpty: Bool { objects.isEmpty }

    mutating func note(_ object: ManagedObject) {
        if !objects.contains(where: { $0 === object }) { objects.append(object) }
    }

    mutating func clear() { objects = [] }

    /// Throws an error for the first object if there is one, and removes all objects.
    mutating func throwFirst() throws(PersistenceError) {
        guard let first = objects.first else { return }
        objects = []
        throw PersistenceError(
            .detachedObject,
            "object \(first.rawID) was written to after it was deleted or its context was reset; the write is lost",
            entity: first.entityName)
    }
}
