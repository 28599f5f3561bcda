import StrataCore

/// A check whether no two records have the same values in two columns, as in a table of join rows.
struct PairScan {
    private var values = DistinctValues()
    private(set) var isUnique = true
    private(set) var isOver = false

    mutating func note(_ first: String, _ second: String, line: Int, _ memory: KeyMemory) {
        let pair = StableHash.fnv1a(first.utf8) &* 31 ^ StableHash.mixed(StableHash.fnv1a(second.utf8))
        switch values.insert(pair, line: line, memory) {
        case .new: return
        case .repeated: isUnique = false
        case .dropped: isUnique = false
        }
        end(memory)
    }

    /// Stops the check and releases its memory.
    mutating func end(_ memory: KeyMemory) {
        (isUnique, isOver) = (false, true)
        values.free(memory)
    }
}
