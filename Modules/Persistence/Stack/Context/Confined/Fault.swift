import StrataCore

/// A reference to an object by its identifier in a context; the object need not be read yet.
///
/// `Fault` and ``Managed`` are different types, so that code cannot read a property of an object that was not read.
public struct Fault<Record: ManagedRecord> {
    /// The identifier of the object.
    public let id: Record.ID
    private let entity: RecordEntity<Record>
    private weak var context: ConfinedContext?

    init(_ id: Record.ID, _ entity: RecordEntity<Record>, _ context: ConfinedContext) {
        self.id = id
        self.entity = entity
        self.context = context
    }

    /// Returns the object, and reads it if the context does not have it.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/objectNotFound`` if no such object exists, or
    ///   ``PersistenceError/Code/detachedObject`` if the context was released.
    public func object() throws -> Managed<Record> {
        guard let context else {
            throw PersistenceError(
                .detachedObject, "the context of object \(id.rawValue) has ended; keep its id instead",
                entity: entity.name)
        }
        return try context.existingObject(with: id, in: entity)
    }
}
