import StrataCore

/// What a record type opted into, found out once for each context.
struct RecordTraits {
    /// Whether the type has hooks.
    let hasHooks: Bool
    /// Whether the type has rules of its own.
    let hasRules: Bool
    /// Whether every write has to be noticed: because of hooks, whose rounds end when nothing is written any more, or because of its values.
    let watchesWrites: Bool
    /// Whether what was written has to be looked at: the entity has the column of a one-to-one relationship, or a place in an ordered one.
    let watchesValues: Bool
    /// The references to owners of ordered relationships.
    let orderedReferences: [OrderedReference]

    init(_ entity: EntityDescription, orderedReferences: [OrderedReference], hasHooks: Bool, hasRules: Bool) {
        self.hasHooks = hasHooks
        self.hasRules = hasRules
        self.orderedReferences = orderedReferences
        watchesValues =
            !orderedReferences.isEmpty || entity.columns.contains(where: \.isExclusive)
        watchesWrites = hasHooks || watchesValues
    }
}
