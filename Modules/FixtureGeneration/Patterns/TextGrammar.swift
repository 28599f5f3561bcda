/// Texts that are put together of parts, numbered from 0: what unique texts are taken from.
///
/// A part is a node by number, and stands behind its own parts.
struct TextGrammar: Sendable {
    /// One part.
    enum Node: Sendable {
        /// One of some texts.
        case texts([String])
        /// One behind the other.
        case sequence([Int])
        /// One of several.
        case choice([Int])
    }

    private(set) var nodes: [Node] = []
    /// How many texts of each node are numbered.
    private(set) var counts: [UInt64] = []
    /// How many bytes the longest text of each node has.
    private(set) var longest: [Int] = []

    /// More are not counted: what is beyond is drawn from the number's bits, so that every part still has all its texts.
    static let most: UInt64 = 1 << 56

    /// The node that is all of it: the last one.
    var root: Int { nodes.count - 1 }
    /// How many texts are numbered.
    var count: UInt64 { counts.last ?? 0 }

    /// The texts of nothing but lists, one behind the other.
    ///
    /// - Parameter parts: Lists of texts, of which none is empty.
    init(_ parts: [[String]]) {
        let nodes = parts.map { add(texts: $0) }
        _ = add(sequence: nodes)
    }

    init() {}

    mutating func add(texts: [String]) -> Int {
        add(.texts(texts), count: UInt64(texts.count), longest: texts.map(\.utf8.count).max() ?? 0)
    }

    mutating func add(sequence parts: [Int]) -> Int {
        var count: UInt64 = 1
        for (_, isCounted, own) in carried(parts) where isCounted { count *= own }
        return add(.sequence(parts), count: count, longest: parts.reduce(0) { $0 + longest[$1] })
    }

    mutating func add(choice parts: [Int]) -> Int {
        add(.choice(parts), count: sums(parts).last ?? 0, longest: parts.map { longest[$0] }.max() ?? 0)
    }

    private mutating func add(_ node: Node, count: UInt64, longest: Int) -> Int {
        nodes.append(node)
        counts.append(count)
        self.longest.append(longest)
        return nodes.count - 1
    }

    /// The parts of a sequence, whether the number says which of their texts it is, and how many they have.
    func carried(_ parts: [Int]) -> [(part: Int, isCounted: Bool, count: UInt64)] {
        var product: UInt64 = 1
        return parts.map { part in
            let (next, overflow) = product.multipliedReportingOverflow(by: counts[part])
            guard !overflow, next <= Self.most else { return (part, false, counts[part]) }
            product = next
            return (part, true, counts[part])
        }
    }

    /// How many texts the parts of a choice have up to each; of one with very many not all are used.
    func sums(_ parts: [Int]) -> [UInt64] {
        let most = Self.most / UInt64(max(1, parts.count))
        var sum: UInt64 = 0
        return parts.map { part in
            sum += min(counts[part], most)
            return sum
        }
    }

    /// The text of a number below ``count``.
    func text(_ number: UInt64) -> String { text(of: root, number) }

    private func text(of node: Int, _ number: UInt64) -> String {
        switch nodes[node] {
        case .texts(let texts): return texts[Int(number)]
        case .choice(let parts):
            let sums = sums(parts)
            let place = sums.firstIndex { $0 > number } ?? 0
            return text(of: parts[place], number - (place == 0 ? 0 : sums[place - 1]))
        case .sequence(let parts):
            var rest = number
            var result = ""
            for (place, (part, isCounted, count)) in carried(parts).enumerated() {
                let own: UInt64
                if isCounted {
                    (rest, own) = rest.quotientAndRemainder(dividingBy: count)
                } else {
                    own = Self.filling(number, place: place, below: count)
                }
                result += text(of: part, own)
            }
            return result
        }
    }

    /// Which text a part has about which the number says nothing.
    @inline(__always)
    static func filling(_ number: UInt64, place: Int, below count: UInt64) -> UInt64 {
        RowBits.value(RowBits.mixed(RowBits.mixed(number) &+ UInt64(place)), below: count)
    }

    /// Texts in which every text of every part stands once at least, as far as these are no more than so many of each, and some others.
    func samples(_ count: Int, ofParts most: UInt64 = 2_000) -> [String] {
        guard self.count > 0 else { return [] }
        var numbers: [UInt64] = [0, self.count - 1]
        for number in 0..<UInt64(count) { numbers.append(RowBits.value(RowBits.mixed(number), below: self.count)) }
        if case .sequence(let parts) = nodes[root] {
            // The parts one after the other: all texts of one, with the first of the others.
            var unit: UInt64 = 1
            for (_, isCounted, own) in carried(parts) where isCounted {
                for text in 0..<min(own, most) { numbers.append(text * unit) }
                unit *= own
            }
        }
        return numbers.map(text)
    }
}
