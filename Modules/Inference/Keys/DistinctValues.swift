import StrataCore

/// The distinct values of a column as 64-bit numbers, each with the line on which the value first occurred.
///
/// An integer represents itself, and a text is represented by its 64-bit hash. In one of 37 million columns with a
/// million texts, two different texts have equal hashes. The only consequence is that the column is not recognized as a
/// key.
///
/// The set is a hash table with open addressing and at most half of its slots used. A slot takes 12 bytes, which is
/// much less than in a `Set` of texts. All memory is reserved from a ``KeyMemory``; if none is left, the set drops all
/// of its values and releases the memory.
struct DistinctValues {
    /// The size of a slot in bytes: a value of 8 bytes and a line of 4 bytes.
    private static let bytesPerSlot = 12
    private var slots: [UInt64] = []
    /// The line of the value in each slot; a line above 2^32 - 1 is stored as that number.
    private var lines: [UInt32] = []
    private(set) var count = 0
    /// The line on which the value zero first occurred; it is stored separately because zero marks an empty slot.
    private var zeroLine: UInt32?

    enum Outcome {
        case new, repeated
        /// The value was not added: the memory was not sufficient, and all values of the column were dropped.
        case dropped
    }

    /// Inserts a value, unless the set contains it.
    ///
    /// - Parameters:
    ///   - value: The integer or hash.
    ///   - line: The line on which the value occurs.
    ///   - memory: The limit from which the set reserves its memory.
    /// - Returns: The outcome; after `dropped`, the set is empty and must not be used.
    /// - Complexity: O(1) on average.
    mutating func insert(_ value: UInt64, line: Int, _ memory: KeyMemory) -> Outcome {
        let line = UInt32(clamping: line)
        if value == 0 {
            if zeroLine != nil { return .repeated }
            zeroLine = line
            count += 1
            return .new
        }
        if (count + 1) * 2 > slots.count {
            guard grow(memory) else { return .dropped }
        }
        var slot = Int(truncatingIfNeeded: StableHash.mixed(value)) & (slots.count - 1)
        while slots[slot] != 0 {
            if slots[slot] == value { return .repeated }
            slot = (slot + 1) & (slots.count - 1)
        }
        slots[slot] = value
        lines[slot] = line
        count += 1
        return .new
    }

    /// Returns a Boolean value that indicates whether the set contains a value.
    func contains(_ value: UInt64) -> Bool {
        if value == 0 { return zeroLine != nil }
        guard !slots.isEmpty else { return false }
        var slot = Int(truncatingIfNeeded: StableHash.mixed(value)) & (slots.count - 1)
        while slots[slot] != 0 {
            if slots[slot] == value { return true }
            slot = (slot + 1) & (slots.count - 1)
        }
        return false
    }

    /// All values with the lines on which they first occurred, in an undefined order.
    var all: [(value: UInt64, line: Int)] {
        var all = zip(slots, lines).filter { $0.0 != 0 }.map { (value: $0.0, line: Int($0.1)) }
        if let zeroLine { all.append((value: 0, line: Int(zeroLine))) }
        return all
    }

    /// Doubles the count of slots; if there are too many values, or too little memory, drops all values and returns
    /// `false`.
    private mutating func grow(_ memory: KeyMemory) -> Bool {
        let size = max(64, slots.count * 2)
        guard count < KeyMemory.mostValues, memory.take((size - slots.count) * Self.bytesPerSlot) else {
            free(memory)
            return false
        }
        let old = zip(slots, lines).filter { $0.0 != 0 }
        slots = [UInt64](repeating: 0, count: size)
        lines = [UInt32](repeating: 0, count: size)
        for (value, line) in old {
            var slot = Int(truncatingIfNeeded: StableHash.mixed(value)) & (size - 1)
            while slots[slot] != 0 { slot = (slot + 1) & (size - 1) }
            slots[slot] = value
            lines[slot] = line
        }
        return true
    }

    /// Drops the stored values and releases their memory.
    mutating func free(_ memory: KeyMemory) {
        memory.release(slots.count * Self.bytesPerSlot)
        (slots, lines) = ([], [])
    }
}
