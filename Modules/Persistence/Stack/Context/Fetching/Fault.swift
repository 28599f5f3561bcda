import StrataCore

/// A reference to an object that may not be read yet: its identifier in a context.
///
/// `Fault` and ``Managed`` are different types, so that a property that was not loaded cannot be read.
public struct Fault<Record: ManagedRecord> {
    /// The identifier.
    public let id: Record.ID
    private let entity: RecordEntity<Record>
    private weak var context: ConfinedContext?

    init(_ id: Record.ID, _ entity: RecordEntity<Record>, _ context: ConfinedContext) {
        self.id = id
        self.entity = entity
        self.context = context
    }

    /// Returns the object, which is read unless the context has it already.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/objectNotFound`` if there is none, or
    ///   ``PersistenceError/Code/detachedObject`` if the context does not exist any more.
    public func object() throws -> Managed<Record> {
        guard let context else {
            throw PersistenceError(
                .detachedObject, "the context of object \(id.rawValue) has ended; keep its id instead",
                entity: entity.name)
        }
        return try context.existingObject(with: id, in: entity)
    }
}
