import StrataCore

/// A check whether the values of a column are unique.
///
/// If the column may be part of a reference, the check also stores the values.
///
/// Ascending integers are stored as ranges. If there are too many ascending texts to store, they need no memory.
///
/// The check is in one of five states. It begins with ranges of ascending integers. An integer that is not ascending,
/// or too many ranges, convert the ranges to single integers. The first text converts all integers to hashes of their
/// texts. If the hashes exceed the memory, but the texts are ascending so far, only the last text is stored; the column
/// can then be a key, but it cannot be compared with other columns. In all other cases the check is over, and no values
/// are stored.
struct KeyScan {
    /// The maximum count of ranges of ascending integers; if there are more, the integers are stored individually.
    private static let mostRuns = 10_000
    /// The maximum count of characters of a repeated value that are stored for the report.
    private static let longestText = 80

    /// A Boolean value that indicates whether no value of the column occurred twice.
    private(set) var isUnique = true
    /// A Boolean value that indicates whether a cell of the column is null or an empty text in quotes.
    private(set) var hasNull = false
    /// A Boolean value that indicates whether the column has a value that is not null.
    private(set) var hasValues = false
    /// The line at which the check stopped because there were too many values; `nil` if it did not stop.
    private(set) var unwatchedLine: Int?
    /// The smallest integer of the column; greater than ``greatest`` if there is none.
    private(set) var least = Int64.max
    private(set) var greatest = Int64.min
    /// The first value that occurred a second time, with the line of its second occurrence.
    private(set) var repeated: (line: Int, text: String)?
    /// A Boolean value that indicates whether all values of the column are integers.
    private(set) var areIntegers = true

    /// A Boolean value that indicates whether values are stored even if a value occurred twice.
    ///
    /// It is true for a column that may reference another column.
    private let isKept: Bool
    private let memory: KeyMemory
    /// A Boolean value that indicates whether each integer of the column is greater than the integer before it.
    private(set) var areRising = true
    /// The ranges of consecutive integers in ascending order; `nil` if the values are stored individually or not at
    /// all.
    private var runs: [ClosedRange<Int64>]? = []
    /// The line of the first integer of each range.
    private var runLines: [Int] = []
    private var values = DistinctValues()
    /// The last text, while all texts are ascending.
    private var last: [UInt8]?
    /// A Boolean value that indicates whether each text of the column follows the text before it in the order of bytes.
    private var isRising = true
    /// A Boolean value that indicates whether only the order of the texts is checked, because they exceed the memory.
    private var isRisingOnly = false
    /// A Boolean value that indicates whether the check has ended, so that no values are stored.
    private(set) var isOver = false

    /// Creates a check for a column.
    ///
    /// - Parameters:
    ///   - isKept: A Boolean value that indicates whether the column may reference another column.
    ///   - memory: The limit for the memory of all columns.
    init(isKept: Bool, _ memory: KeyMemory) {
        self.isKept = isKept
        self.memory = memory
    }

    /// A Boolean value that indicates whether the column can be a key that other columns reference.
    var isKey: Bool { isUnique && !hasNull && hasValues && unwatchedLine == nil }

    /// Notes a null cell, after which the column cannot be a key.
    mutating func noteNull() {
        hasNull = true
        // A key has no null values, but a referencing column may have them.
        if !isKept { end() }
    }

    /// Stops the check and drops all stored values.
    private mutating func end() {
        isOver = true
        values.free(memory)
        (runs, last) = (nil, nil)
    }

    /// Stops the check because there are too many values, and stores the line for the report.
    private mutating func rejectCandidate(_ line: Int) {
        unwatchedLine = line
        end()
    }

    /// Adds a value of the column to the check.
    mutating func note(_ text: Span<UInt8>, line: Int) {
        if isOver { return }
        hasValues = true
        guard areIntegers, let number = Self.integer(text) else { return noteText(text, line) }
        if number <= greatest, least <= greatest { areRising = false }
        least = min(least, number)
        greatest = max(greatest, number)
        guard let runs else { return insert(UInt64(bitPattern: number), text, line) }
        let count = runs.count
        if count > 0, runs[count - 1].upperBound == number &- 1, number != .min {
            self.runs?[count - 1] = runs[count - 1].lowerBound...number
        } else if count == 0 || (runs[count - 1].upperBound < number && count < Self.mostRuns) {
            self.runs?.append(number...number)
            runLines.append(line)
        } else if spill(line, as: { UInt64(bitPattern: $0) }) {
            insert(UInt64(bitPattern: number), text, line)
        }
    }

    /// Adds a value that is not an integer, or an integer of a column that also has other values.
    private mutating func noteText(_ text: Span<UInt8>, _ line: Int) {
        if areIntegers {
            areIntegers = false
            guard spill(line, as: { Self.hash(Array(String($0).utf8).span) }) else { return }
        }
        if isRising {
            isRising = isBehindLast(text)
            last = isRising ? text.withUnsafeBufferPointer { Array($0) } : nil
        }
        if isRisingOnly {
            if !isRising { rejectCandidate(line) }
            return
        }
        insert(Self.hash(text), text, line)
    }

    /// Returns a Boolean value that indicates whether a text follows the last text in the order of bytes.
    private func isBehindLast(_ text: Span<UInt8>) -> Bool {
        guard let last else { return true }
        for index in 0..<min(last.count, text.count) where last[index] != text[index] {
            return last[index] < text[index]
        }
        return last.count < text.count
    }

    /// Adds a single value to the stored ones.
    private mutating func insert(_ value: UInt64, _ text: Span<UInt8>, _ line: Int) {
        switch values.insert(value, line: line, memory) {
        case .new: break
        case .repeated:
            guard isUnique else { return }
            isUnique = false
            repeated = (line, String(String(decoding: text).prefix(Self.longestText)))
            if !isKept { end() }
        case .dropped:
            if !areIntegers, isRising, isUnique, !isKept { isRisingOnly = true } else { rejectCandidate(line) }
        }
    }

    /// Replaces the stored ranges of integers by individual values.
    ///
    /// - Returns: `true` if the memory is sufficient for the individual values.
    private mutating func spill(_ line: Int, as code: (Int64) -> UInt64) -> Bool {
        var numbers = values.all.map { (value: Int64(bitPattern: $0.value), line: $0.line) }
        values.free(memory)
        values = DistinctValues()
        let count = (runs ?? []).reduce(0.0) { $0 + Double($1.upperBound) - Double($1.lowerBound) + 1 }
        guard count < Double(KeyMemory.mostValues) else {
            rejectCandidate(line)
            return false
        }
        for (run, line) in zip(runs ?? [], runLines) { numbers += run.map { (value: $0, line: line) } }
        (runs, runLines) = (nil, [])
        for number in numbers {
            if case .dropped = values.insert(code(number.value), line: number.line, memory) {
                rejectCandidate(line)
                return false
            }
        }
        return true
    }

    // MARK: Comparing

    /// Returns the values of this column that occur in none of several keys.
    ///
    /// - Parameter keys: The keys of one dataset: the key column of its file, and the keys of its rows in a store.
    /// - Returns: The count of distinct missing values, and a line at or before the first of them. The result is `nil`
    ///   if values of a column were dropped, or if the columns have different types.
    func missing(from keys: [KeyScan]) -> (count: Int, line: Int)? {
        guard !isOver,
            keys.allSatisfy({ !$0.isOver && !$0.isRisingOnly && ($0.areIntegers == areIntegers || !$0.hasValues) })
        else { return nil }
        var count = 0
        var line = Int.max
        for value in values.all where !keys.contains(where: { $0.contains(value.value) }) {
            count += 1
            line = min(line, value.line)
        }
        for (run, start) in zip(runs ?? [], runLines) {
            let lacking = keys.count == 1 ? run.count - keys[0].count(in: run) : Self.lacking(run, from: keys)
            count += lacking
            if lacking > 0 { line = min(line, start) }
        }
        return (count, count == 0 ? 0 : line)
    }

    /// Returns the count of those integers in a range that occur in none of several keys.
    private static func lacking(_ run: ClosedRange<Int64>, from keys: [KeyScan]) -> Int {
        run.count { number in !keys.contains { $0.contains(UInt64(bitPattern: number)) } }
    }

    /// Treats all values as texts, including integers, because the key in the store is not an integer.
    mutating func keepTexts() {
        areIntegers = false
        runs = nil
    }

    /// Returns a Boolean value that indicates whether the column contains an integer or a hash.
    private func contains(_ value: UInt64) -> Bool {
        guard let runs else { return values.contains(value) }
        let number = Int64(bitPattern: value)
        var (low, high) = (0, runs.count)
        while low < high {
            let middle = (low + high) / 2
            if runs[middle].upperBound < number { low = middle + 1 } else { high = middle }
        }
        return low < runs.count && runs[low].contains(number)
    }

    /// Returns the count of those integers in a range that occur in this column.
    private func count(in run: ClosedRange<Int64>) -> Int {
        if let runs { return runs.reduce(0) { $0 + ($1.overlaps(run) ? $1.clamped(to: run).count : 0) } }
        // The smaller of the two sets is looked up in the other one.
        if run.count > values.count { return values.all.count { run.contains(Int64(bitPattern: $0.value)) } }
        return run.count { values.contains(UInt64(bitPattern: $0)) }
    }

    /// A Boolean value that indicates whether the values are consecutive integers, beginning at 0 or 1, each once.
    var isNumbering: Bool {
        areIntegers && hasValues && !isOver && isUnique && (0...1).contains(least)
            && greatest - least == distinctCount - 1
    }

    /// The count of distinct values of the column.
    var distinctCount: Int { values.count + (runs ?? []).reduce(0) { $0 + $1.count } }

    // MARK: Values

    /// Returns the integer that a text represents; `nil` if Strata would write the integer with a different text.
    private static func integer(_ text: Span<UInt8>) -> Int64? {
        guard text.count <= 18, let number = NumberForm.plain.number(text), number.fraction == 0 else { return nil }
        return number.isNegative ? -Int64(number.digits) : Int64(number.digits)
    }

    /// Returns the hash that represents a text; it is the same in every process.
    private static func hash(_ text: Span<UInt8>) -> UInt64 { StableHash.mixed(StableHash.fnv1a(text)) }
}
