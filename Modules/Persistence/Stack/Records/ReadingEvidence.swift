import StrataCore

/// Evidence about the column from which a record's closure reads each property, collected from rows and their records.
///
/// A property's value in the record is compared with the values of the row. If a column's value differs, the property
/// is not read from that column.
struct ReadingEvidence {
    /// A property that contains the value of another column.
    struct Mistake {
        let property: Int
        let column: Int
    }

    /// The indexes of the properties whose values the record's initializer changes.
    ///
    /// For such a property, comparisons cannot determine the column.
    private(set) var rewritten: Set<Int> = []
    /// The columns from which each property may be read, by the index of the property.
    ///
    /// The property's own column is first. When it is the only one, the property is known to be read from it.
    private var candidates: [[Int]]

    /// Creates evidence for a number of properties without any row.
    init(count: Int) {
        candidates = (0..<count).map { own in [own] + (0..<count).filter { $0 != own } }
    }

    /// Returns a Boolean value that indicates whether a property is known to be read from its own column.
    func isKnown(_ property: Int) -> Bool { candidates[property].count == 1 }

    /// A Boolean value that indicates whether more rows cannot add evidence.
    var isComplete: Bool { candidates.indices.allSatisfy { isKnown($0) || rewritten.contains($0) } }

    /// Adds evidence from a row and the record that was created from it.
    ///
    /// If no column contains the value of a property, the record's initializer changed the value. The property is then
    /// excluded from all further comparisons.
    ///
    /// - Parameters:
    ///   - shown: The values of the record's properties.
    ///   - row: The values of the row's columns.
    /// - Returns: The first property that was certainly read from a column other than its own, or `nil` if there is
    ///   none.
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
