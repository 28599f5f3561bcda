import StrataCore

/// The greatest sort keys of ordered relationships that the running closure of a context has determined.
///
/// To append an object to a relationship, a context needs only this key, not the list of objects.
///
/// A stored key is never less than the sort key of any object in the relationship. Code that changes objects therefore
/// records their sort keys, and code that reads rows again removes the stored keys.
struct OrderedEnds {
    /// An ordered relationship of one owner, identified by the column that references the owner.
    struct Key: Hashable {
        let entity: String
        let column: Int
        let owner: Int64
    }

    /// The known greatest sort keys; the inner optional is `nil` if no object of the relationship has a sort key.
    private var ends: [Key: Int64?] = [:]

    /// The greatest sort key: `nil` if it is unknown, or `.some(nil)` if no object of the relationship has a sort key.
    subscript(_ key: Key) -> Int64?? { ends[key] }

    /// Stores the greatest sort key of a relationship.
    mutating func know(_ sortKey: Int64?, of key: Key) { ends[key] = .some(sortKey) }

    /// Records the sort key of an object in a relationship, if the greatest sort key of the relationship is known.
    mutating func note(_ sortKey: Int64, of key: Key) {
        guard let known = ends[key] else { return }
        if let greatest = known, greatest >= sortKey { return }
        ends[key] = .some(sortKey)
    }

    /// A Boolean value that indicates whether no greatest sort key is known, so that sort keys need not be recorded.
    var isEmpty: Bool { ends.isEmpty }

    /// Removes the keys of relationships to an entity's objects, because rows of the entity were read again.
    mutating func forget(_ entity: String) {
        guard !ends.isEmpty else { return }
        ends = ends.filter { $0.key.entity != entity }
    }

    mutating func clear() { ends = [:] }
}
