import StrataCore

/// A check whether no two records have the same values in two columns, as in a table of join rows.
///
/// Only a dataset with exactly two columns in all of its files is checked. Pairs are stored as hashes. If two different
/// pairs have equal hashes, or the memory is not sufficient, the dataset is not recognized as join rows.
struct PairScan {
    private var values = DistinctValues()
    /// A Boolean value that indicates whether no pair occurred twice; false after the check has ended.
    private(set) var isUnique = true
    /// A Boolean value that indicates whether the check has ended.
    private(set) var isOver = false

    /// Adds the values of a record, which must be in the same order for all records.
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
