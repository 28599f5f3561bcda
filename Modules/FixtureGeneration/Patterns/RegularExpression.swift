/// A regular expression as what its texts are put together of.
///
/// Every part is an element by number, and stands behind its own parts; zero-width conditions at the ends are left out, since a rule is about
/// the whole text.
struct RegularExpression {
    /// One part.
    enum Element {
        /// One of some characters, each of one Unicode scalar; in a fixed order.
        case characters([Unicode.Scalar])
        /// One behind the other.
        case sequence([Int])
        /// One of several.
        case choice([Int])
        /// So many in a row; `nil` is any number.
        case repetition(Int, least: Int, most: Int?)
    }

    private(set) var elements: [Element] = []
    /// The fewest and the most scalars of each element's texts; `nil` is any number.
    private(set) var lengths: [(least: Int, most: Int?)] = []
    /// The element that is all of it.
    var root = 0

    /// More is no rule for texts.
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

    /// Everything beyond what is made is as long as any.
    private static func clamped(_ length: Int) -> Int { min(length, longest + 1) }
}

/// Why no texts are made of a regular expression.
struct UnmadePattern: Error {
    let message: String

    init(_ message: String) { self.message = message }
}
