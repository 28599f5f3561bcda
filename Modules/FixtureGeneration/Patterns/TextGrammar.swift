/// A grammar whose texts are numbered from 0, so that unique numbers select unique texts.
///
/// The nodes of the grammar are numbered; each node follows the nodes that it contains.
struct TextGrammar: Sendable {
    /// A node of the grammar.
    enum Node: Sendable {
        /// One of several texts.
        case texts([String])
        /// A concatenation of the texts of several parts.
        case sequence([Part])
        /// A choice of one of several nodes, with the cumulative counts of their texts.
        ///
        /// Only a part of a node's texts is counted if it has very many.
        case choice([Int], sums: [UInt64])
    }

    /// A part of a sequence: its node, whether the number of the whole text determines its text, and its count of
    /// texts.
    struct Part: Sendable {
        let node: Int
        let isCounted: Bool
        let count: UInt64
    }

    private(set) var nodes: [Node] = []
    /// The count of numbered texts of each node, by node number.
    private(set) var counts: [UInt64] = []
    /// The maximum length in bytes of the texts of each node, by node number.
    private(set) var longest: [Int] = []

    /// The maximum count of numbered texts of a node.
    ///
    /// If a node has more texts, the bits of the number select the remaining parts, so that every part still uses all
    /// of its texts.
    static let most: UInt64 = 1 << 56

    /// The root node, which is the last one.
    var root: Int { nodes.count - 1 }
    /// The count of numbered texts of the grammar.
    var count: UInt64 { counts.last ?? 0 }

    /// Creates the grammar of all concatenations of one text from each list.
    ///
    /// - Parameter parts: The lists of texts, none of which is empty.
    init(_ parts: [[String]]) {
        let nodes = parts.map { add(texts: $0) }
        _ = add(sequence: nodes)
    }

    init() {}

    /// Adds a list of texts, and returns the number of its node.
    mutating func add(texts: [String]) -> Int {
        add(.texts(texts), count: UInt64(texts.count), longest: texts.map(\.utf8.count).max() ?? 0)
    }

    /// Adds the concatenations of the texts of several nodes.
    ///
    /// The first part is the lowest digit of a text's number.
    mutating func add(sequence nodes: [Int]) -> Int {
        var product: UInt64 = 1
        let parts = nodes.map { node in
            let (next, overflow) = product.multipliedReportingOverflow(by: counts[node])
            let isCounted = !overflow && next <= Self.most
            if isCounted { product = next }
            return Part(node: node, isCounted: isCounted, count: counts[node])
        }
        return add(.sequence(parts), count: product, longest: nodes.reduce(0) { $0 + longest[$1] })
    }

    /// Adds a choice between several nodes, whose numbers follow one another.
    mutating func add(choice nodes: [Int]) -> Int {
        let most = Self.most / UInt64(max(1, nodes.count))
        var sum: UInt64 = 0
        let sums = nodes.map { node in
            sum += min(counts[node], most)
            return sum
        }
        return add(.choice(nodes, sums: sums), count: sum, longest: nodes.map { longest[$0] }.max() ?? 0)
    }

    private mutating func add(_ node: Node, count: UInt64, longest: Int) -> Int {
        nodes.append(node)
        counts.append(count)
        self.longest.append(longest)
        return nodes.count - 1
    }

    /// Returns the text with a number, which must be less than ``count``.
    func text(_ number: UInt64) -> String { text(of: root, number) }

    private func text(of node: Int, _ number: UInt64) -> String {
        switch nodes[node] {
        case .texts(let texts): return texts[Int(number)]
        case .choice(let parts, let sums):
            let place = sums.firstIndex { $0 > number } ?? 0
            return text(of: parts[place], number - (place == 0 ? 0 : sums[place - 1]))
        case .sequence(let parts):
            var rest = number
            var result = ""
            for place in parts.indices {
                let part = parts[place]
                let own: UInt64
                if part.isCounted {
                    (rest, own) = rest.quotientAndRemainder(dividingBy: part.count)
                } else {
                    own = Self.filling(number, place: place, below: part.count)
                }
                result += text(of: part.node, own)
            }
            return result
        }
    }

    /// Returns the index of the text of a part that the number of the whole text does not determine.
    @inline(__always)
    static func filling(_ number: UInt64, place: Int, below count: UInt64) -> UInt64 {
        RowBits.value(RowBits.mixed(RowBits.mixed(number) &+ UInt64(place)), below: count)
    }

    /// Returns sample texts of the grammar in which every text of every part occurs at least once, up to a maximum per
    /// part.
    ///
    /// The result also contains other texts of the grammar.
    func samples(_ count: Int, ofParts most: UInt64 = 2_000) -> [String] {
        guard self.count > 0 else { return [] }
        var numbers: [UInt64] = [0, self.count - 1]
        for number in 0..<UInt64(count) { numbers.append(RowBits.value(RowBits.mixed(number), below: self.count)) }
        if case .sequence(let parts) = nodes[root] {
            // Each part in turn: all of its texts, combined with the first texts of the other parts.
            var unit: UInt64 = 1
            for part in parts where part.isCounted {
                for text in 0..<min(part.count, most) { numbers.append(text * unit) }
                unit *= part.count
            }
        }
        return numbers.map(text)
    }
}
