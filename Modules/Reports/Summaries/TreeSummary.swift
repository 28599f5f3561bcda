/// The rows of an entity, grouped by the rows that a to-one relationship references.
struct TreeSummary: Sendable {
    struct Parent: Sendable {
        let id: Int64
        let label: String
        let count: Int
        /// The labels of the parent's first children, ordered by identifier.
        let children: [String]
    }

    let parentEntity: String
    let childEntity: String
    /// The number of rows of the parent entity.
    let allParents: Int
    /// The number of parents that have children, which is an estimate unless ``isExact``.
    let parentsWithChildren: Int
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
