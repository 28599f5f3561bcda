import Foundation

/// Reads a predicate in text, by descent through the precedences: `or`, `and`, `not`, comparisons, sums, products, signs.
struct PredicateParser {
    /// How deep parentheses, negations and calculations may stand in each other; stores bound conditions sooner.
    private static let maximumDepth = 40

    let scalars: [Unicode.Scalar]
    /// The entity, whose names are meant.
    private(set) var resolver: ConditionResolver
    /// The names that the text uses for properties.
    let names: PropertyNames
    /// The instant at which the text is read, one for all of it.
    let now: Date
    /// Hints at parts of the text that are right but often meant otherwise.
    private(set) var notes: [String] = []
    private let tokens: [PredicateToken]
    private var place = 0
    private var depth = 0

    /// What a part of the text is.
    enum Part {
        case condition(FetchCondition, Range<Int>)
        case value(TextValue)

        var span: Range<Int> {
            switch self {
            case .condition(_, let span): span
            case .value(let value): value.span
            }
        }
    }

    init(
        _ text: String, _ resolver: ConditionResolver, _ names: PropertyNames = .model, now: Date
    ) throws(PredicateTextError) {
        self.names = names
        self.now = now
        scalars = Array(text.unicodeScalars.prefix(PredicateLexer.maximumCount + 1))
        self.resolver = resolver
        tokens = try PredicateLexer.tokens(of: scalars)
    }

    /// Reads on where another parser stands, with another entity's names.
    init(continuing other: PredicateParser, in resolver: ConditionResolver) {
        self = other
        self.resolver = resolver
    }

    /// Goes on where a parser that read on in between stands.
    mutating func resume(after other: PredicateParser) {
        place = other.place
        notes = other.notes
    }

    mutating func addNote(_ note: String) { notes.append(note) }

    func error(_ message: String, _ span: Range<Int>) -> PredicateTextError {
        PredicateTextError(message, span, in: scalars)
    }

    // MARK: Tokens

    /// The token that comes next; the last one is the end, and is never passed.
    var next: PredicateToken { tokens[place] }

    /// Where the token before the next one ends.
    var lastEnd: Int { place > 0 ? tokens[place - 1].span.upperBound : 0 }

    var afterNext: PredicateToken { tokens[min(place + 1, tokens.count - 1)] }

    @discardableResult
    mutating func advance() -> PredicateToken {
        defer { if place < tokens.count - 1 { place += 1 } }
        return tokens[place]
    }

    mutating func expect(_ sign: String, after what: String) throws(PredicateTextError) {
        guard next.sign == sign else {
            throw error("\(sign) is expected \(what) instead of \(next.name)", next.span)
        }
        advance()
    }

    func expectEnd() throws(PredicateTextError) {
        guard next.kind == .end else { throw error("\(next.name) was not expected here", next.span) }
    }

    /// Reads something that stands in something else.
    mutating func nested<Result>(
        _ read: (inout PredicateParser) throws(PredicateTextError) -> Result
    ) throws(PredicateTextError) -> Result {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maximumDepth else { throw error("nested too deeply", next.span) }
        return try read(&self)
    }

    func checkDepth(_ value: TextValue) throws(PredicateTextError) -> TextValue {
        guard value.depth <= Self.maximumDepth else {
            throw error("more is calculated here than one condition takes", value.span)
        }
        return value
    }

    // MARK: Conditions

    /// Reads a whole predicate.
    mutating func predicate() throws(PredicateTextError) -> FetchCondition {
        if next.kind == .end { throw error("the predicate is empty; TRUEPREDICATE selects everything", next.span) }
        let part = try alternatives()
        try expectEnd()
        let condition = try condition(part)
        let whole = part.span
        try placed(whole) { try resolver.checkNesting(of: condition) }
        return condition
    }

    mutating func alternatives() throws(PredicateTextError) -> Part {
        let first = try conjunction()
        guard isOr(next) else { return first }
        var conditions = try condition(first).disjuncts
        var end = first.span.upperBound
        while isOr(next) {
            advance()
            let part = try conjunction()
            conditions += try condition(part).disjuncts
            end = part.span.upperBound
        }
        return .condition(.any(conditions), first.span.lowerBound..<end)
    }

    private func isOr(_ token: PredicateToken) -> Bool { token.keyword == "or" || token.sign == "||" }

    private mutating func conjunction() throws(PredicateTextError) -> Part {
        let first = try negation()
        guard isAnd(next) else { return first }
        var conditions = try condition(first).conjuncts
        var end = first.span.upperBound
        while isAnd(next) {
            advance()
            let part = try negation()
            conditions += try condition(part).conjuncts
            end = part.span.upperBound
        }
        return .condition(.all(conditions), first.span.lowerBound..<end)
    }

    private func isAnd(_ token: PredicateToken) -> Bool { token.keyword == "and" || token.sign == "&&" }

    private mutating func negation() throws(PredicateTextError) -> Part {
        guard next.keyword == "not" || next.sign == "!" else { return try comparison() }
        let start = advance().span.lowerBound
        let part = try nested { parser throws(PredicateTextError) in try parser.negation() }
        return .condition(.not(try condition(part)), start..<part.span.upperBound)
    }

    /// A part that has to be a condition: a comparison, or a truth value by itself.
    func condition(_ part: Part) throws(PredicateTextError) -> FetchCondition {
        switch part {
        case .condition(let condition, _): return condition
        case .value(let value):
            if case .literal(.boolean(let truth)) = value.content { return .constant(truth) }
            if case .many(let path) = value.content { throw error(manyMessage(path), value.span) }
            guard value.kind == .boolean else {
                let end = value.span.upperBound
                throw error("a comparison is expected after this value", end..<end)
            }
            return .isTrue(try operand(value, as: .boolean))
        }
    }

    func value(_ part: Part) throws(PredicateTextError) -> TextValue {
        guard case .value(let value) = part else {
            throw error("a condition stands where a value is expected; join conditions with and or or", part.span)
        }
        return value
    }
}
