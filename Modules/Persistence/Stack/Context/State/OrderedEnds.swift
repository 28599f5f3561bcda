import StrataCore

/// The greatest sort keys of ordered relationships, as far as they were asked for in the work that is going on: what comes to an end needs no list.
///
/// A value without input or output. No key that it knows is less than that of any object of the relationship: who changes objects says so, and who
/// reads rows anew forgets.
struct OrderedEnds {
    /// A relationship of one owner, by the column that holds its objects' references to it.
    struct Key: Hashable {
        let entity: String
        let column: Int
        let owner: Int64
    }

    /// No key: there is no object, or none with a sort key.
    private var ends: [Key: Int64?] = [:]

    /// The greatest sort key; `nil` when it is not known, and within when there is none.
    subscript(_ key: Key) -> Int64?? { ends[key] }

    /// Keeps what was found.
    mutating func know(_ sortKey: Int64?, of key: Key) { ends[key] = .some(sortKey) }

    /// An object has a sort key in a relationship, if somebody asked for that.
    mutating func note(_ sortKey: Int64, of key: Key) {
        guard let known = ends[key] else { return }
        if let greatest = known, greatest >= sortKey { return }
        ends[key] = .some(sortKey)
    }

    /// Whether nothing is known, so that nothing has to be noted.
    var isEmpty: Bool { ends.isEmpty }

    /// Forgets the relationships to an entity's objects: its rows were read anew.
    mutating func forget(_ entity: String) {
        guard !ends.isEmpty else { return }
        ends = ends.filter { $0.key.entity != entity }
    }

    mutating func clear() { ends = [:] }
}
