/// The rows of an entity, grouped by the rows that a to-one relationship references.
struct TreeSummary: Sendable {
    /// A referenced row with some of the rows that reference it.
    struct Parent: Sendable {
        /// The identifier of the row.
        let id: Int64
        /// The label of the row; if it has no name or does not exist, the name of its entity with its identifier.
        let label: String
        /// The exact number of rows that reference the row.
        let count: Int
        /// The labels of the parent's first children, ordered by identifier.
        let children: [String]
    }

    /// The name of the referenced entity.
    let parentEntity: String
    /// The name of the entity with the relationship.
    let childEntity: String
    /// The number of rows of the parent entity.
    let allParents: Int
    /// The number of parents that have children, which is an estimate unless ``isExact``.
    let parentsWithChildren: Int
    /// A Boolean value that indicates whether all parents were counted.
    let isExact: Bool
    /// The maximum number of children of a parent that is not listed, or 0 if all parents were counted.
    let leastListed: Int
    /// The parents with the most children, in descending order.
    let top: [Parent]
    /// The number of children that have a parent.
    let childCount: Int
    /// The number of children without a parent, and the first of them by identifier.
    let orphanCount: Int
    let orphans: [String]
}
