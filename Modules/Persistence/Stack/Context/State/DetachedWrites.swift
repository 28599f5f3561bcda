import StrataCore

/// Writes to objects that no save would reach: deleted objects, and objects that their context forgot.
///
/// The next save throws one error for them.
struct DetachedWrites {
    private var objects: [ManagedObject] = []

    var isEmpty: Bool { objects.isEmpty }

    mutating func note(_ object: ManagedObject) {
        if !objects.contains(where: { $0 === object }) { objects.append(object) }
    }

    mutating func clear() { objects = [] }

    /// Throws an error for the first object, and forgets all of them.
    mutating func throwFirst() throws(PersistenceError) {
        guard let first = objects.first else { return }
        objects = []
        throw PersistenceError(
            .detachedObject,
            "object \(first.rawID) was written to after it was deleted or its context was reset; the write is lost",
            entity: first.entityName)
    }
}
