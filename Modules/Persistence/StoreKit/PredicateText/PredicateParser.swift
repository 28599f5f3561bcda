package import Foundation
package import StrataCore

/// A recursive-descent parser of textual predicates.
///
/// The precedences of operators are, from lowest to highest: `or`, `and`, `not`, comparisons, sums, products, signs.
///
/// The parser creates conditions while it reads the text, and has no syntax tree. A value remains a `TextValue` until
/// it is combined with another one, because a constant gets the kind of its counterpart. Locations are counted in
/// Unicode scalars. `nested(_:)` and `checkDepth(_:)` limit the depth of recursion, so that no text causes a stack
/// overflow.
package struct PredicateParser {
    /// The maximum nesting depth of parentheses, negations and calculations; stores limit conditions further.
    private static let maximumDepth = 40

    let scalars: [Unicode.Scalar]
    /// The resolver for the entity whose names the textual predicate uses.
    private(set) var resolver: ConditionResolver
    /// The kind of property names that the textual predicate uses.
    let names: PropertyNames
    /// The value of `now()`, the same for the whole textual predicate.
    let now: Date
    /// The values that names denote in addition to the entity's properties, and before them.
    package var aliases: [String: FetchOperand] = [:]
    /// Hints about parts of the textual predicate that are valid but often mistaken.
    package private(set) var notes: [String] = []
    private let tokens: [PredicateToken]
    private var place = 0
    private var depth = 0

    /// A parsed part of the textual predicate: a value or a condition.
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

    package init(
        _ text: String, _ resolver: ConditionResolver, _ names: PropertyNames = .model, now: Date
    ) throws(PredicateTextError) {
        self.names = names
        self.now = now
        scalars = Array(text.unicodeScalars.prefix(PredicateLexer.maximumCount + 1))
        self.resolver = resolver
        tokens = try PredicateLexer.tokens(of: scalars)
    }

    /// Creates a parser that continues at the position of another parser, with the names of another entity.
    package init(continuing other: PredicateParser, in resolver: ConditionResolver) {
        self = other
        self.resolver = resolver
    }

    /// Continues at the position of another parser that has read a part of the text.
    mutating func resume(after other: PredicateParser) {
        place = other.place
        notes = other.notes
    }

    mutating func addNote(_ note: String) { notes.append(note) }

    func error(_ message: String, _ span: Range<Int>) -> PredicateTextError {
        PredicateTextError(message, span, in: scalars)
    }

    // MARK: Tokens

    /// The next token; at the end of the text, it is the end token, which the parser never passes.
    var next: PredicateToken { tokens[place] }

    /// The location in the text at which the previous token ends; 0 before the first token.
    var lastEnd: Int { place > 0 ? tokens[place - 1].span.upperBound : 0 }

    var afterNext: PredicateToken { tokens[min(place + 1, tokens.count - 1)] }

    /// Passes the next token and returns it; the end token is never passed.
    @discardableResult
    mutating func advance() -> PredicateToken {
        defer { if place < tokens.count - 1 { place += 1 } }
        return tokens[place]
    }

    /// Passes a sign, or throws an error if the next token is another one.
    mutating func expect(_ sign: String, after what: String) throws(PredicateTextError) {
        guard next.sign == sign else {
            throw error("\(sign) is expected \(what) instead of \(next.name)", next.span)
        }
        advance()
    }

    func expectEnd() throws(PredicateTextError) {
        guard next.kind == .end else { throw error("\(next.name) is not expected here", next.span) }
    }

    /// Parses a nested part of the textual predicate, and throws an error if it is nested too deeply.
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
            throw error("the condition is nested too deeply", value.span)
        }
        return value
    }

    // MARK: Conditions

    /// Parses a whole predicate.
    package mutating func predicate() throws(PredicateTextError) -> FetchCondition {
        if next.kind == .end { throw error("the predicate is empty; TRUEPREDICATE selects everything", next.span) }
        let part = try alternatives()
        try expectEnd()
        let condition = try condition(part)
        let whole = part.span
        try placed(whole) { try resolver.checkNesting(of: condition) }
        return condition
    }

    /// Parses conditions that are joined with `or`, or a single value or condition.
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

    /// Parses conditions that are joined with `and`, or a single value or condition.
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

    /// Parses a condition after any count of `not`, or a comparison.
    private mutating func negation() throws(PredicateTextError) -> Part {
        guard next.keyword == "not" || next.sign == "!" else { return try comparison() }
        let start = advance().span.lowerBound
        let part = try nested { parser throws(PredicateTextError) in try parser.negation() }
        return .condition(.not(try condition(part)), start..<part.span.upperBound)
    }

    /// Returns a parsed part as a condition; it must be a condition or a Boolean value.
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

    /// Returns a parsed part as a value; it must not be a condition.
    func value(_ part: Part) throws(PredicateTextError) -> TextValue {
        guard case .value(let value) = part else {
            throw error(
                "a value is expected, but a condition was found; join conditions with \"and\" or \"or\"", part.span)
        }
        return value
    }
}
