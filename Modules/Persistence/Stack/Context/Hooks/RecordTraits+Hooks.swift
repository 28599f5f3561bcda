import StrataCore

extension RecordTraits {
    /// Creates the traits of the record type that a model has for an entity.
    init(of entity: EntityDescription, in model: ManagedObjectModel) {
        let type = model.registeredType(of: entity.name)
        self.init(
            entity, orderedReferences: entity.orderedReferences(in: model), hasHooks: type is any LifecycleHooks.Type,
            hasRules: type is any ValidatedRecord.Type)
    }
}
