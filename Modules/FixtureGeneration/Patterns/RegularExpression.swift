/// A regular expression as a tree of elements, from which its texts are generated.
///
/// The elements are numbered; each element follows the elements that it contains. Zero-width conditions at the
/// beginning and end are omitted, because a rule applies to the whole text.
struct RegularExpression {
    /// An element of the expression.
    enum Element {
        /// One of several Unicode scalars, in a fixed order.
        case characters([Unicode.Scalar])
        /// A concatenation of elements.
        case sequence([Int])
        /// One of several elements.
        case choice([Int])
        /// A repetition of an element; if `most` is `nil`, the number of repetitions is not limited.
        case repetition(Int, least: Int, most: Int?)
    }

    private(set) var elements: [Element] = []
    /// The minimum and the maximum number of scalars in the texts of each element; a maximum of `nil` means no limit.
    private(set) var lengths: [(least: Int, most: Int?)] = []
    /// The number of the root element, which contains all others.
    var root = 0

    /// The maximum number of scalars in a text; longer texts are not useful as rules.
    static let longest = 4_096

    mutating func add(_ element: Element) -> Int {
        elements.append(element)
        lengths.append(length(of: element))
        return elements.count - 1
    }

    private func length(of element: Element) -> (least: Int, most: Int?) {
        func sum(_ lengths: [(least: Int, most: Int?)]) -> (least: Int, most: Int?) {
            lengths.reduce((0, 0)) { sum, next in
                (
                    Self.clamped(sum.least + next.least),
                    sum.most.flatMap { most in next.most.map { Self.clamped(most + $0) } }
                )
            }
        }
        switch element {
        case .characters: return (1, 1)
        case .sequence(let parts): return sum(parts.map { lengths[$0] })
        case .choice(let parts):
            let all = parts.map { lengths[$0] }
            let most = all.allSatisfy { $0.most != nil } ? all.compactMap(\.most).max() : nil
            return (all.map(\.least).min() ?? 0, most)
        case .repetition(let part, let least, let most):
            let (fewest, longest) = lengths[part]
            let end = most.flatMap { most in longest.map { Self.clamped(most.multipliedReportingOverflow(by: $0)) } }
            return (Self.clamped(least.multipliedReportingOverflow(by: fewest)), longest == 0 ? 0 : end)
        }
    }

    private static func clamped(_ product: (partialValue: Int, overflow: Bool)) -> Int {
        product.overflow ? longest + 1 : clamped(product.partialValue)
    }

    /// Returns a length limited to ``longest`` plus one, which represents all greater lengths.
    private static func clamped(_ length: Int) -> Int { min(length, longest + 1) }
}

/// An error that explains why texts cannot be generated from a regular expression.
struct InvalidPattern: Error {
    let message: String

    init(_ message: String) { self.message = message }
}
