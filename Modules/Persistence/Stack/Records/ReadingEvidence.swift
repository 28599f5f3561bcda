import StrataCore

/// The evidence from the rows read so far for the column from which each property of a record is read.
///
/// The key paths of a record show the values that it read. A property is not read from a column whose value differs.
struct ReadingEvidence {
    /// A property that shows the values of another column.
    struct Mistake {
        let property: Int
        let column: Int
    }

    /// The properties whose values the record's initializer rewrites.
    ///
    /// A comparison cannot find the column of such a property.
    private(set) var rewritten: Set<Int> = []
    /// For each property, the columns from which it may be read.
    ///
    /// The property's own column is first. It is the only one as soon as there is no doubt.
    private var candidates: [[Int]]

    /// Creates evidence without any row.
    init(count: Int) {
        candidates = (0..<count).map { own in [own] + (0..<count).filter { $0 != own } }
    }

    /// Returns a Boolean value that indicates whether a property is known to be read from its own column.
    func isKnown(_ property: Int) -> Bool { candidates[property].count == 1 }

    /// A Boolean value that indicates whether more rows cannot add evidence.
    var isComplete: Bool { candidates.indices.allSatisfy { isKnown($0) || rewritten.contains($0) } }

    /// Adds the values that a record shows, and the row from which it was read.
    ///
    /// If no column contains the value of a property, the record's initializer rewrites the value. The property is then
    /// excluded from all further comparisons.
    ///
    /// - Parameters:
    ///   - shown: The values of the record's properties.
    ///   - row: The values of the columns.
    /// - Returns: The first property that was certainly read from another column than its own.
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
