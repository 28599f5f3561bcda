import StrataCore

/// The features that a record type opted into, determined once for each context.
struct RecordTraits {
    /// A Boolean value that indicates whether the type has hooks.
    let hasHooks: Bool
    /// A Boolean value that indicates whether the type has rules of its own.
    let hasRules: Bool
    /// A Boolean value that indicates whether the context must be notified of every write.
    ///
    /// The reason is hooks, whose rounds end when no object is written to any more, or `watchesValues`.
    let watchesWrites: Bool
    /// A Boolean value that indicates whether the context must inspect written values.
    ///
    /// The entity has the column of a one-to-one relationship, or a position in an ordered relationship.
    let watchesValues: Bool
    /// The references to the owners of ordered relationships.
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
