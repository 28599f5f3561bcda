import StrataCore

/// A record type, bound to its entity.
private final class RecordBinding: EntityBinding {
    let type: any PersistentRecord.Type

    init(_ type: any PersistentRecord.Type) {
        self.type = type
    }
}

extension ManagedObjectModel {
    /// Makes the model of record types: what contexts work with.
    ///
    /// - Parameter records: The record types, one for each entity.
    /// - Throws: As ``init(_:)``; and ``PersistenceError`` with code ``PersistenceError/Code/invalidModel`` when a record type's closure reads
    ///   the values in another order than they are declared in.
    public init(records: [any PersistentRecord.Type]) throws {
        try self.init(
            records.map { Self.description(of: $0) },
            bindings: Dictionary(
                records.map { (Self.description(of: $0).name, RecordBinding($0)) },
                uniquingKeysWith: { first, _ in first }))
        for type in records {
            try checkDestinations(of: type)
            try Self.tryReading(type)
        }
    }

    /// Makes records of sample rows, so that a declaration that reads values in another order is found before any row is.
    private static func tryReading<Record: PersistentRecord>(_ type: Record.Type) throws {
        let entity = Record.entity
        try entity.order.trySamples(entity.read)
    }

    /// A typed relationship leads to the record type that the model has for its entity.
    private func checkDestinations<Record: PersistentRecord>(of type: Record.Type) throws {
        let entity = Record.entity
        for relationship in entity.description.relationships {
            guard let wanted = entity.destinations[relationship.name],
                let found = registeredType(of: relationship.destination), found != wanted
            else { continue }
            throw PersistenceError(
                .invalidModel, "leads to \(wanted), but the records of \(relationship.destination) are \(found)",
                entity: entity.name, attribute: relationship.name)
        }
    }

    private static func description<Record: PersistentRecord>(of type: Record.Type) -> EntityDescription {
        Record.entity.description
    }

    /// The record type of an entity.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidModel`` when the model was made without record types.
    func recordType(of entity: String) throws -> any PersistentRecord.Type {
        guard let type = registeredType(of: entity) else {
            throw PersistenceError(
                .invalidModel, "the model was made without this entity's record type", entity: entity)
        }
        return type
    }

    /// The record type of an entity; `nil` when the model was made without record types.
    func registeredType(of entity: String) -> (any PersistentRecord.Type)? {
        (bindings[entity] as? RecordBinding)?.type
    }
}
