import StrataCore

/// The optional features of a record type that a context uses, determined once for each context.
struct RecordTraits {
    /// A Boolean value that indicates whether the record type conforms to ``LifecycleHooks``.
    let hasHooks: Bool
    /// A Boolean value that indicates whether the record type conforms to ``ValidatedRecord``.
    let hasRules: Bool
    /// A Boolean value that indicates whether the context must be notified of every write to an object.
    ///
    /// It is `true` for a type with hooks, whose rounds end when no further object is written to, or if `watchesValues`
    /// is `true`.
    let watchesWrites: Bool
    /// A Boolean value that indicates whether the context must inspect written values.
    ///
    /// It is `true` if the entity has a column of a one-to-one relationship, or a position in an ordered relationship.
    let watchesValues: Bool
    /// The references to the owners of ordered relationships that contain objects of the entity.
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
