import StrataCore

/// A promise of an object: its identifier in a context, not read yet.
///
/// A fault is another type than ``Managed``, so that a property that was not loaded cannot be read.
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

    /// Reads the object, or gives the one the context has already.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/objectNotFound`` when there is none, or
    ///   ``PersistenceError/Code/detachedObject`` when the context has ended.
    public func object() throws -> Managed<Record> {
        guard let context else {
            throw PersistenceError(
                .detachedObject, "the context of object \(id.rawValue) has ended; keep its id instead",
                entity: entity.name)
        }
        return try context.existingObject(with: id, in: entity)
    }
}
