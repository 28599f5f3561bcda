package import StrataCore

/// A plan for generating the join rows of a many-to-many relationship, which computes each join row from its number.
///
/// The join rows are consecutive cells on the diagonals of a table whose rows are the sources and whose columns are the
/// targets. Therefore no two join rows are equal, and the numbers of join rows of two sources, or of two targets,
/// differ by at most one. Permutations assign sources and targets to the rows and columns of the table.
package struct LinkPlan: Sendable {
    /// The many-to-many relationship whose join rows are generated.
    package let link: FixtureLink
    /// The number of join rows.
    package let count: Int
    private let sources: Permutation
    private let targets: Permutation
    private let isWithin: Bool
    /// The number of complete rings of join rows, if the relationship is its own inverse.
    private let rings: Int
    /// The number of join rows on one diagonal of the table.
    private let diagonal: UInt64

    /// The default number of join rows of each source.
    static let usualPerSource = 2
    /// The maximum number of join rows of a relationship.
    static let most = 1_000_000_000

    /// Creates a plan for the join rows of a relationship.
    ///
    /// - Throws: ``FixtureError`` with the code `unsatisfiable` if the counts contradict each other.
    init(_ link: FixtureLink, of entity: String, in description: FixtureDescription) throws(FixtureError) {
        self.link = link
        let sources = description.entities[entity]?.count ?? 0
        let targets = description.entities[link.target]?.count ?? 0
        isWithin = link.target == entity
        let asked = description.entities[entity]?.links[link.name]
        let allowed = Self.counts(link, sources: sources, targets: targets, isWithin: isWithin)
        let ends = "\(sources) \(entity) and \(targets) \(link.target) rows"
        guard let allowed else {
            let backRange = Self.text(link.perTarget)
            throw FixtureError(
                .unsatisfiable, entity: entity, attribute: link.name,
                "no number of join rows gives each source \(Self.text(link.perSource)) and each target \(backRange), "
                    + "with \(ends); change a count"
            )
        }
        if let asked, !allowed.contains(asked), asked != 0 || !link.isOptional {
            throw FixtureError(
                .unsatisfiable, entity: entity, attribute: link.name,
                "\(asked) join rows were requested, but \(ends) allow \(Self.text(allowed))")
        }
        count = asked ?? min(max(Self.usual(link, sources: sources), allowed.lowerBound), allowed.upperBound)
        rings = link.isSymmetric ? Self.symmetric(link.perSource, count: sources)?.rings ?? 0 : 0
        let key = RowBits.key(
            seed: description.seed, version: UInt64(description.datasetVersion), entity: link.table)
        self.sources = Permutation(of: UInt64(max(1, sources)), key: RowBits.mixed(key &+ 1))
        self.targets =
            isWithin ? self.sources : Permutation(of: UInt64(max(1, targets)), key: RowBits.mixed(key &+ 2))
        diagonal = UInt64(max(1, Self.leastCommonMultiple(sources, targets)))
    }

    private static func usual(_ link: FixtureLink, sources: Int) -> Int {
        link.isSymmetric ? sources : sources.multipliedReportingOverflow(by: usualPerSource).partialValue
    }

    private static func text(_ range: ClosedRange<Int>) -> String {
        range.upperBound == .max ? "\(range.lowerBound) or more" : "\(range.lowerBound) to \(range.upperBound)"
    }

    private static func leastCommonMultiple(_ left: Int, _ right: Int) -> Int {
        var (first, second) = (left, right)
        while second != 0 { (first, second) = (second, first % second) }
        return first == 0 ? 0 : (left / first).multipliedReportingOverflow(by: right).partialValue
    }

    /// Returns the range of allowed numbers of join rows, or `nil` if no number is allowed.
    private static func counts(
        _ link: FixtureLink, sources: Int, targets: Int, isWithin: Bool
    ) -> ClosedRange<Int>? {
        func product(_ left: Int, _ right: Int) -> Int {
            let (product, overflow) = left.multipliedReportingOverflow(by: right)
            return overflow ? most : min(product, most)
        }
        let range: ClosedRange<Int>?
        if link.isSymmetric {
            range = symmetric(link.perSource, count: sources)?.pairs
        } else {
            let least = max(product(sources, link.perSource.lowerBound), product(targets, link.perTarget.lowerBound))
            // A row references itself only if the counts require it.
            let others = product(sources, max(0, targets - 1))
            let all = isWithin && least <= others ? others : product(sources, targets)
            let greatest = min(
                product(sources, link.perSource.upperBound), product(targets, link.perTarget.upperBound), all)
            range = least <= greatest ? least...greatest : nil
        }
        return range ?? (link.isOptional ? 0...0 : nil)
    }

    /// Returns the allowed numbers of join rows and complete rings of a symmetric relationship, or `nil` if there are
    /// none.
    ///
    /// A ring joins each row to the row at a fixed distance, so that each row has two join rows. If the number of rows
    /// is even, a half ring joins opposite rows, so that each row has one join row.
    private static func symmetric(_ allowed: ClosedRange<Int>, count: Int) -> (pairs: ClosedRange<Int>, rings: Int)? {
        let mostRings = min(max(0, count - 1) / 2, allowed.upperBound / 2, most / max(1, count))
        guard allowed.lowerBound > 0 else {
            return mostRings > 0
                ? (0...mostRings * count, mostRings) : (0...(allowed.upperBound > 0 ? count / 2 : 0), 0)
        }
        guard count > 0 else { return (0...0, 0) }
        let rings = (allowed.lowerBound + 1) / 2
        if rings <= mostRings { return (rings * count...rings * count, rings) }
        guard allowed.lowerBound % 2 == 1, count % 2 == 0, allowed.lowerBound < count else { return nil }
        let pairs = (rings - 1) * count + count / 2
        return (pairs...pairs, rings - 1)
    }

    /// Returns the join row with a number from 0.
    package func row(_ number: Int) -> JoinRow {
        let (source, target) = link.isSymmetric ? circle(UInt64(number)) : place(UInt64(number))
        var pair = JoinPair(source: Int64(sources(source)) + 1, target: Int64(targets(target)) + 1)
        if link.isSymmetric, pair.target < pair.source { pair = JoinPair(source: pair.target, target: pair.source) }
        return JoinRow(
            pair, sourcePosition: link.isSourceOrdered ? Int64(number / Int(sources.count)) + 1 : nil,
            targetPosition: link.isTargetOrdered ? Int64(number / Int(targets.count)) + 1 : nil)
    }

    private func place(_ number: UInt64) -> (UInt64, UInt64) {
        let source = number % sources.count
        // Within an entity, the diagonal on which rows are joined to themselves is the last one.
        if isWithin { return (source, (source + 1 + number / sources.count) % targets.count) }
        return (source, (number + number / diagonal) % targets.count)
    }

    /// Returns the two rows of a join row on a ring.
    ///
    /// The first ring joins adjacent rows, the second ring rows at distance two, and so on. The join rows of opposite
    /// rows are the last.
    private func circle(_ number: UInt64) -> (UInt64, UInt64) {
        let (turn, first) = number.quotientAndRemainder(dividingBy: sources.count)
        let distance = turn < UInt64(rings) ? turn + 1 : sources.count / 2
        return (first, (first + distance) % sources.count)
    }
}
