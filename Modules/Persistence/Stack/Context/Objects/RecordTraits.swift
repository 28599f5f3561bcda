import StrataCore

/// What a record type opted into, found out once for each context.
struct RecordTraits {
    /// Whether the type has hooks.
    let hasHooks: Bool
    /// Whether the type has rules of its own.
    let hasRules: Bool
    /// Whether every write has to be noticed: because of hooks, whose rounds end when nothing is written any more, or because the entity has the
    /// column of a one-to-one relationship.
    let watchesWrites: Bool

    init(_ entity: EntityDescription, hasHooks: Bool, hasRules: Bool) {
        self.hasHooks = hasHooks
        self.hasRules = hasRules
        watchesWrites = hasHooks || entity.columns.contains { $0.destination != nil && $0.isUnique }
    }
}
