import StrataCore

/// The greatest sort keys of ordered relationships, as far as the current work needed them.
///
/// An object that is appended to a relationship needs this key, and not the list. The value performs no input or
/// output.
///
/// A known key is never less than the key of any object of the relationship. Code that changes objects therefore notes
/// their keys, and code that reads rows again forgets the known keys.
struct OrderedEnds {
    /// A relationship of one owner, by the column that holds the references to it.
    struct Key: Hashable {
        let entity: String
        let column: Int
        let owner: Int64
    }

    /// The known keys; `nil` inside if the relationship has no object, or none with a sort key.
    private var ends: [Key: Int64?] = [:]

    /// The greatest sort key; `nil` if it is unknown, and `.some(nil)` if there is none.
    subscript(_ key: Key) -> Int64?? { ends[key] }

    /// Stores the greatest sort key of a relationship.
    mutating func know(_ sortKey: Int64?, of key: Key) { ends[key] = .some(sortKey) }

    /// Notes the sort key of an object in a relationship, if the greatest key of the relationship is known.
    mutating func note(_ sortKey: Int64, of key: Key) {
        guard let known = ends[key] else { return }
        if let greatest = known, greatest >= sortKey { return }
        ends[key] = .some(sortKey)
    }

    /// A Boolean value that indicates whether no greatest sort key is known, so that keys need not be noted.
    var isEmpty: Bool { ends.isEmpty }

    /// Forgets the relationships to an entity's objects, because its rows were read again.
    mutating func forget(_ entity: String) {
        guard !ends.isEmpty else { return }
        ends = ends.filter { $0.key.entity != entity }
    }

    mutating func clear() { ends = [:] }
}
