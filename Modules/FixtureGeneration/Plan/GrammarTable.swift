/// Functions that encode grammars as integers in the numbers of a plan.
///
/// - A node with a list of texts is `0`, the index of the first text in the pool, and the count of texts.
/// - A sequence is `1` and the count of parts. The index and the count of texts of each part follow. The count is
///   negative if the text's number does not determine the text of the part.
/// - A choice is `2` and the count of parts. The index and the cumulative count of texts of each part follow.
enum GrammarTable {
    private static let texts: Int64 = 0
    private static let sequence: Int64 = 1
    private static let choice: Int64 = 2

    /// Adds a grammar to the text pool and the numbers of a plan.
    ///
    /// - Returns: The index of the grammar's root node in the numbers.
    static func add(_ grammar: TextGrammar, to pool: inout TextPool, _ numbers: inout [Int64]) -> Int {
        var places: [Int64] = []
        for node in grammar.nodes {
            places.append(Int64(numbers.count))
            switch node {
            case .texts(let list):
                let range = pool.add(list)
                numbers += [texts, Int64(range.first), Int64(range.count)]
            case .sequence(let parts):
                numbers += [sequence, Int64(parts.count)]
                for part in parts {
                    numbers += [places[part.node], part.isCounted ? Int64(part.count) : -Int64(part.count)]
                }
            case .choice(let parts, let sums):
                numbers += [choice, Int64(parts.count)]
                for (part, sum) in zip(parts, sums) { numbers += [places[part], Int64(sum)] }
            }
        }
        return Int(places.last ?? 0)
    }

    /// Writes the text of a grammar with a number.
    static func write(
        _ number: UInt64, at place: Int, numbers: UnsafeBufferPointer<Int64>, texts pool: BorrowedTexts,
        _ put: (UnsafeBufferPointer<UInt8>) -> Void
    ) {
        switch numbers[place] {
        case texts: put(pool.utf8(Int32(truncatingIfNeeded: numbers[place + 1] + Int64(number))))
        case sequence:
            var rest = number
            for part in 0..<Int(numbers[place + 1]) {
                let child = Int(numbers[place + 2 + 2 * part])
                let count = numbers[place + 3 + 2 * part]
                let own: UInt64
                if count > 0 {
                    (rest, own) = rest.quotientAndRemainder(dividingBy: UInt64(count))
                } else {
                    own = TextGrammar.filling(number, place: part, below: count.magnitude)
                }
                write(own, at: child, numbers: numbers, texts: pool, put)
            }
        default:
            var part = place + 2
            var before: Int64 = 0
            while Int64(number) >= numbers[part + 1] {
                before = numbers[part + 1]
                part += 2
            }
            write(
                UInt64(Int64(number) - before), at: Int(numbers[part]), numbers: numbers, texts: pool, put)
        }
    }

    /// Returns the text of a grammar with a number, while the plan is being compiled.
    static func text(_ number: UInt64, at place: Int, numbers: [Int64], texts pool: TextPool) -> [UInt8] {
        var text: [UInt8] = []
        pool.bytes.withUnsafeBufferPointer { bytes in
            pool.ends.withUnsafeBufferPointer { ends in
                numbers.withUnsafeBufferPointer { numbers in
                    write(number, at: place, numbers: numbers, texts: BorrowedTexts(bytes: bytes, ends: ends)) {
                        text.append(contentsOf: $0)
                    }
                }
            }
        }
        return text
    }
}
