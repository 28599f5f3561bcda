import StrataCore

/// What a context read ahead, until its work ends.
struct Prefetched {
    struct Key: Hashable {
        let entity: String
        let relationship: String
    }

    /// Held so that they are not forgotten before they are asked for.
    var objects: [ManagedObject] = []
    /// What to-many relationships lead to, by owner.
    var lists: [Key: [Int64: [ManagedObject]]] = [:]
}
