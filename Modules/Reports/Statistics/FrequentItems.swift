import Foundation

/// Counts how often each of many items occurs, in bounded memory.
///
/// As long as there are no more different items than the capacity, all counts are right. Beyond that the rare ones
/// are forgotten (Misra and Gries): ``error`` is then how much any count may be too low, and so how often an item may
/// occur that is not here at all.
struct FrequentItems<Item: Hashable> {
    /// The most items that are kept.
    let capacity: Int
    /// The items that are kept, each with its count, which may be too low by ``error``.
    private(set) var counts: [Item: Int] = [:]
    /// How much a count may be too low; 0 where all are right.
    private(set) var error = 0
    /// How many different items there were; only where some were forgotten.
    private var estimate: DistinctEstimate?
    private var added = 0
    private let digest: (Item) -> UInt64

    /// Nothing counted yet.
    ///
    /// - Parameters:
    ///   - capacity: At least 1.
    ///   - digest: A hash of an item that is the same on every machine.
    init(capacity: Int, digest: @escaping (Item) -> UInt64) {
        self.capacity = capacity
        self.digest = digest
    }

    /// Whether every item was counted.
    var isExact: Bool { error == 0 }

    /// How many different items there were; an estimate unless ``isExact``.
    ///
    /// No estimate is more than there were items at all.
    var distinctCount: Int { estimate.map { min($0.count, added) } ?? counts.count }

    /// Counts an item once.
    mutating func add(_ item: Item) {
        added += 1
        if estimate != nil { estimate?.add(digest(item)) }
        if counts[item] == nil, counts.count >= capacity { return forgetOneOfEach(with: item) }
        counts[item, default: 0] += 1
    }

    /// The new item and one of each that is kept cancel each other out.
    private mutating func forgetOneOfEach(with item: Item) {
        if estimate == nil {
            var all = DistinctEstimate()
            for kept in counts.keys { all.add(digest(kept)) }
            all.add(digest(item))
            estimate = all
        }
        error += 1
        var rest: [Item: Int] = [:]
        rest.reserveCapacity(capacity)
        for (item, count) in counts where count > 1 { rest[item] = count - 1 }
        counts = rest
    }

    /// The items that occur most often, most often first; `precedes` is the order of those that occur equally often.
    func top(_ most: Int, _ precedes: (Item, Item) -> Bool) -> [(item: Item, count: Int)] {
        let sorted = counts.sorted { left, right in
            left.value == right.value ? precedes(left.key, right.key) : left.value > right.value
        }
        return sorted.prefix(most).map { ($0.key, $0.value) }
    }
}

/// How many different hashes there were, with a standard error of 0.8 percent, in 16 KiB (HyperLogLog).
struct DistinctEstimate {
    private static let indexBits: UInt64 = 14
    private static let registerCount = 1 << 14

    private var registers = [UInt8](repeating: 0, count: registerCount)

    mutating func add(_ hash: UInt64) {
        let index = Int(hash >> (64 - Self.indexBits))
        let rest = hash << Self.indexBits | (1 << (Self.indexBits - 1))
        registers[index] = max(registers[index], UInt8(rest.leadingZeroBitCount + 1))
    }

    /// The estimate, rounded to three digits.
    var count: Int {
        let registerCount = Double(Self.registerCount)
        var sum: Double = 0
        var empty = 0
        for register in registers {
            sum += 1 / Double(1 << UInt64(register))
            if register == 0 { empty += 1 }
        }
        let raw = 0.7213 / (1 + 1.079 / registerCount) * registerCount * registerCount / sum
        // With many registers empty their number says more.
        let isSmall = raw <= 2.5 * registerCount && empty > 0
        let estimate = isSmall ? registerCount * log(registerCount / Double(empty)) : raw
        let rounded = DecimalNumber(Int128(estimate.rounded()), exponent: 0).rounded(toDigits: 3)
        var count = Int(rounded.coefficient)
        for _ in 0..<rounded.exponent { count *= 10 }
        return count
    }
}
