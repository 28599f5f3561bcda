import StrataCore

/// The binding of a record type to its entity.
private final class RecordBinding: EntityBinding {
    let type: any PersistentRecord.Type
    let form: RecordForm?

    init<Record: PersistentRecord>(_ type: Record.Type) {
        self.type = type
        let entity = Record.entity
        let isStoredAsItIs = entity.rules == .model && entity.description.computedColumns.isEmpty
        form =
            isStoredAsItIs
            ? nil
            : RecordForm { row in
                var (values, failures) = entity.encode(try entity.read(row))
                if let failure = failures.first { throw failure }
                if let position = entity.description.positionColumn { values[position] = try row.value(at: position) }
                return values
            }
    }
}

extension ManagedObjectModel {
    /// Creates a model from record types; contexts require a model that is created in this way.
    ///
    /// - Parameter records: The record types, one for each entity.
    /// - Throws: The errors of ``init(_:)``; ``PersistenceError`` with code ``PersistenceError/Code/invalidModel`` if
    ///   the closure of a record type does not read the values in the declared order.
    public init(records: [any PersistentRecord.Type]) throws {
        try self.init(
            records.map { Self.description(of: $0) },
            bindings: Dictionary(
                records.map { (Self.description(of: $0).name, RecordBinding($0)) },
                uniquingKeysWith: { first, _ in first }))
        for type in records {
            try Self.checkProperties(of: type)
            try checkDestinations(of: type)
            try Self.tryReading(type)
        }
    }

    private static func checkProperties<Record: PersistentRecord>(of type: Record.Type) throws {
        let entity = Record.entity
        if let property = entity.properties.first(where: { ObjectMembers.names.contains($0.propertyName) }) {
            throw PersistenceError(
                .invalidModel,
                "an object of the entity has a member “\(property.propertyName)” of its own, which hides the property; "
                    + "give the property another name", entity: entity.name, attribute: property.name)
        }
        guard let misuse = entity.misuse else { return }
        throw PersistenceError(.invalidModel, misuse.reason, entity: entity.name, attribute: misuse.property)
    }

    /// Creates records from sample rows to check the reading order of a record type before any stored row is read.
    private static func tryReading<Record: PersistentRecord>(_ type: Record.Type) throws {
        let entity = Record.entity
        try entity.order.trySamples(obeying: entity.rules, entity.read)
    }

    /// Checks that the destination type of each typed relationship is the record type that the model has for the
    /// destination entity.
    private func checkDestinations<Record: PersistentRecord>(of type: Record.Type) throws {
        let entity = Record.entity
        for relationship in entity.description.relationships {
            guard let wanted = entity.destinations[relationship.name],
                let found = registeredType(of: relationship.destination), found != wanted
            else { continue }
            throw PersistenceError(
                .invalidModel, "refers to \(wanted), but the records of \(relationship.destination) are \(found)",
                entity: entity.name, attribute: relationship.name)
        }
    }

    private static func description<Record: PersistentRecord>(of type: Record.Type) -> EntityDescription {
        Record.entity.description
    }

    /// Returns the record type of the entity with a name, or `nil` if the model was created without record types.
    func registeredType(of entity: String) -> (any PersistentRecord.Type)? {
        (bindings[entity] as? RecordBinding)?.type
    }

    /// Returns the entity with a name and its record type, or `nil` if the model has no record type for the name.
    func registeredEntity(of name: String) -> (any AnyRecordEntity)? {
        func entity<Record: PersistentRecord>(_ type: Record.Type) -> any AnyRecordEntity { Record.entity }
        return registeredType(of: name).map { entity($0) }
    }
}
