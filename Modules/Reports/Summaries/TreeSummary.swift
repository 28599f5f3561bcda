/// The rows of an entity under those that a to-one relationship leads to.
struct TreeSummary: Sendable {
    struct Parent: Sendable {
        let id: Int64
        let label: String
        let count: Int
        /// The first children by id.
        let children: [String]
    }

    let parentEntity: String
    let childEntity: String
    /// All rows of the parents' entity.
    let allParents: Int
    /// How many of them have children; an estimate unless ``isExact``.
    let parentsWithChildren: Int
    let isExact: Bool
    /// How many children a parent may have and not be among those shown; 0 where all were counted.
    let leastListed: Int
    /// Those with the most children, most first.
    let top: [Parent]
    /// How many children have a parent.
    let childCount: Int
    /// How many have none, and the first of them by id.
    let orphanCount: Int
    let orphans: [String]
}
