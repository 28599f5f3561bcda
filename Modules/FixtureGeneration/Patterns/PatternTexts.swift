/// A converter of a regular expression to a grammar of its texts.
///
/// If texts must be unique, each text occurs once in the grammar.
///
/// Texts are enumerated by length, because attributes limit lengths. For each element and length, a node is created
/// once and used again, which bounds the time for nested repetitions.
struct PatternTexts {
    private let expression: RegularExpression
    private let isUnique: Bool
    private var grammar = TextGrammar()
    private var known: [Key: Int?] = [:]

    /// A key for the remaining parts of a text: the element, the index of its next part, and the number of scalars.
    private struct Key: Hashable {
        let element: Int
        let place: Int
        let length: Int
    }

    /// The number of different text lengths that are generated if texts need not be unique.
    private static let lengths = 8
    /// The maximum number of different text lengths that are generated if many unique texts are required.
    private static let mostLengths = 256
    /// The maximum number of ways in which a text length is divided between two parts.
    private static let shares = 6
    /// The maximum number of texts that are listed individually.
    static let mostListed: UInt64 = 1 << 16
    /// The number of unique texts that a grammar has if possible.
    ///
    /// The number is a constant, so that the texts do not depend on the required number.
    private static let manyWanted: UInt64 = 1 << 40

    /// Returns the grammar of a pattern's texts.
    ///
    /// - Parameters:
    ///   - pattern: A regular expression in Swift's syntax, which must match the whole text.
    ///   - lengths: The allowed numbers of scalars in a text.
    ///   - unique: The required number of unique texts, or `nil` if texts can be equal.
    /// - Returns: The grammar.
    /// - Throws: ``InvalidPattern`` if the pattern matches no text with an allowed length.
    static func grammar(
        _ pattern: String, lengths: ClosedRange<Int>, unique: UInt64?
    ) throws(InvalidPattern) -> TextGrammar {
        let expression = try RegularExpressionReader.read(pattern)
        guard let unique else { return try texts(expression, lengths, wanted: nil) }
        // A small number of texts is listed without duplicates.
        let all = try texts(expression, lengths, wanted: nil)
        if all.count <= mostListed {
            var seen: Set<[UInt8]> = []
            let listed = (0..<all.count).map(all.text).filter { seen.insert(Array($0.utf8)).inserted }
            if UInt64(listed.count) >= unique { return TextGrammar([listed]) }
        }
        return try texts(expression, lengths, wanted: max(unique, manyWanted))
    }

    private static func texts(
        _ expression: RegularExpression, _ lengths: ClosedRange<Int>, wanted: UInt64?
    ) throws(InvalidPattern) -> TextGrammar {
        var maker = PatternTexts(expression: expression, isUnique: wanted != nil)
        let own = expression.lengths[expression.root]
        let least = max(lengths.lowerBound, own.least)
        let most = min(lengths.upperBound, own.most ?? RegularExpression.longest, RegularExpression.longest)
        guard least <= most else {
            throw InvalidPattern(
                "its texts have \(own.least) to \(own.most.map(String.init) ?? "any number of") characters, but "
                    + "\(lengths.lowerBound) to \(lengths.upperBound) are allowed")
        }
        var parts: [Int] = []
        var sum: UInt64 = 0
        // The empty text is used only if there is no other text.
        for length in Array(max(least, min(1, most))...most) {
            guard let part = maker.texts(of: expression.root, length: length) else { continue }
            parts.append(part)
            sum = min(TextGrammar.most, sum + maker.grammar.counts[part])
            if wanted.map({ sum >= $0 || parts.count == Self.mostLengths }) ?? (parts.count == Self.lengths) { break }
        }
        if parts.isEmpty, least == 0, let empty = maker.texts(of: expression.root, length: 0) { parts = [empty] }
        guard !parts.isEmpty else {
            throw InvalidPattern("no text of \(lengths.lowerBound) to \(lengths.upperBound) characters was found")
        }
        if parts != [maker.grammar.root] { _ = maker.grammar.add(choice: parts) }
        return maker.grammar
    }

    private init(expression: RegularExpression, isUnique: Bool) {
        self.expression = expression
        self.isUnique = isUnique
    }

    /// Returns the grammar node for the texts of an element with a length, or `nil` if the element has no such texts.
    private mutating func texts(of element: Int, length: Int) -> Int? {
        let own = expression.lengths[element]
        guard length >= own.least, length <= own.most ?? .max else { return nil }
        return texts(of: element, from: 0, length: length)
    }

    private mutating func texts(of element: Int, from place: Int, length: Int) -> Int? {
        let key = Key(element: element, place: place, length: length)
        if let known = known[key] { return known }
        let made: Int? =
            switch expression.elements[element] {
            case .characters(let characters): length == 1 ? grammar.add(texts: characters.map { String($0) }) : nil
            case .choice(let parts): chosen(parts.compactMap { texts(of: $0, length: length) })
            case .sequence(let parts): sequence(element, parts, from: place, length: length)
            case .repetition(let part, let least, let most):
                repetition(element, of: part, least: least, most: most, from: place, length: length)
            }
        known[key] = .some(made)
        return made
    }

    /// Returns a node that chooses between several nodes; if texts must be unique, returns only the node with the most
    /// texts.
    private mutating func chosen(_ parts: [Int]) -> Int? {
        guard let first = parts.first else { return nil }
        guard parts.count > 1 else { return first }
        guard isUnique else { return grammar.add(choice: parts) }
        return parts.dropFirst().reduce(first) { grammar.counts[$1] > grammar.counts[$0] ? $1 : $0 }
    }

    private mutating func sequence(_ element: Int, _ parts: [Int], from place: Int, length: Int) -> Int? {
        guard place < parts.count else { return length == 0 ? grammar.add(texts: [""]) : nil }
        if place == parts.count - 1 { return texts(of: parts[place], length: length) }
        return shared(parts[place], length: length) { maker, rest in
            maker.texts(of: element, from: place + 1, length: rest)
        }
    }

    private mutating func repetition(
        _ element: Int, of part: Int, least: Int, most: Int?, from place: Int, length: Int
    ) -> Int? {
        let (fewest, longest) = expression.lengths[part]
        if length == 0 {
            guard place >= least || fewest == 0 else { return nil }
            return grammar.add(texts: [""])
        }
        guard place < most ?? .max else { return nil }
        if fewest == longest, fewest > 0 {
            // All repetitions have the same length, which determines their number.
            let (count, rest) = length.quotientAndRemainder(dividingBy: fewest)
            guard rest == 0, count + place >= least, count + place <= most ?? .max,
                let one = texts(of: part, length: fewest)
            else { return nil }
            return count == 1 ? one : grammar.add(sequence: Array(repeating: one, count: count))
        }
        return shared(part, length: length, skipsEmpty: true) { maker, rest in
            maker.texts(of: element, from: place + 1, length: rest)
        }
    }

    /// Returns a node for a part that is followed by the rest, with some divisions of a length between both.
    private mutating func shared(
        _ part: Int, length: Int, skipsEmpty: Bool = false, rest: (inout PatternTexts, Int) -> Int?
    ) -> Int? {
        let (fewest, longest) = expression.lengths[part]
        var ways: [Int] = []
        let range = fewest...max(fewest, min(longest ?? length, length))
        for own in range where own <= length && ways.count < Self.shares {
            // An empty repeated part would cause an infinite recursion.
            if own == 0, skipsEmpty { continue }
            guard let behind = rest(&self, length - own), let before = texts(of: part, length: own) else { continue }
            ways.append(grammar.add(sequence: [before, behind]))
        }
        return chosen(ways)
    }
}
