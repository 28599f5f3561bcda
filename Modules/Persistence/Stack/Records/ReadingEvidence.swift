import StrataCore

/// What rows have told so far about which column each property of a record is read from.
///
/// A record shows, through its key paths, what it read; a column that holds something else is not where that came from.
struct ReadingEvidence {
    /// A property that shows another column's values.
    struct Mistake {
        let property: Int
        let column: Int
    }

    /// The properties whose values their initialiser writes in another way: no comparison tells where they come from.
    private(set) var rewritten: Set<Int> = []
    /// For each property the columns from which it may be read; its own comes first and is alone once there is no doubt.
    private var candidates: [[Int]]

    /// Nothing is known yet.
    init(count: Int) {
        candidates = (0..<count).map { own in [own] + (0..<count).filter { $0 != own } }
    }

    /// Whether a property is known to be read from its own column.
    func isKnown(_ property: Int) -> Bool { candidates[property].count == 1 }

    /// Whether nothing can be found out any more.
    var isComplete: Bool { candidates.indices.allSatisfy { isKnown($0) || rewritten.contains($0) } }

    /// Takes in what a record shows of the row from which it was read.
    ///
    /// A property whose value no column holds is written in another way by the record's initialiser, and nothing is concluded from it any more.
    ///
    /// - Parameters:
    ///   - shown: What the record's properties hold.
    ///   - row: What the columns hold.
    /// - Returns: The first property that was read from another column than its own, for certain.
    mutating func add(_ shown: [StoredValue], of row: [StoredValue]) -> Mistake? {
        for property in candidates.indices where candidates[property].count > 1 && !rewritten.contains(property) {
            let left = candidates[property].filter { row[$0] == shown[property] }
            guard let first = left.first else {
                rewritten.insert(property)
                continue
            }
            if first != property { return Mistake(property: property, column: first) }
            candidates[property] = left
        }
        return nil
    }
}
