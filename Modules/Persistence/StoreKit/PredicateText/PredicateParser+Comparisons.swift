import StrataCore

/// The parsing of comparisons and other operators that form conditions from values.
extension PredicateParser {
    private static let comparisons: [String: FetchComparison] = [
        "=": .equal, "==": .equal, "!=": .notEqual, "<>": .notEqual, "≠": .notEqual, "<": .less, "<=": .lessOrEqual,
        "=<": .lessOrEqual, "≤": .lessOrEqual, ">": .greater, ">=": .greaterOrEqual, "=>": .greaterOrEqual,
        "≥": .greaterOrEqual,
    ]
    private static let words: Set<String> = [
        "contains", "beginswith", "endswith", "like", "matches", "in", "between", "is",
    ]

    /// Parses a value and the comparison that follows it; without a comparison, the result is the value.
    mutating func comparison() throws(PredicateTextError) -> Part {
        let left = try sum()
        guard isComparison(next) || next.keyword == "not" else { return left }
        return try comparison(of: try value(left), isQuantified: false)
    }

    private func isComparison(_ token: PredicateToken) -> Bool {
        token.sign.map { Self.comparisons[$0] != nil } ?? token.keyword.map(Self.words.contains) ?? false
    }

    /// Parses the comparison that follows a value.
    ///
    /// - Parameters:
    ///   - left: The value before the comparison.
    ///   - isQuantified: A Boolean value that indicates whether the value is that of many related objects. Such a value
    ///     can be compared only with constants.
    /// - Returns: The condition, or `left` if no comparison follows.
    /// - Throws: ``PredicateTextError`` with the location of the error.
    mutating func comparison(of left: TextValue, isQuantified: Bool) throws(PredicateTextError) -> Part {
        let isNegated = next.keyword == "not"
        if isNegated { advance() }
        let token = next
        guard isComparison(token) else {
            if isNegated {
                throw error("\"in\", \"contains\", \"beginswith\" or \"between\" is expected after \"not\"", token.span)
            }
            return .value(left)
        }
        advance()
        let condition: FetchCondition
        let start = left.span.lowerBound
        switch (token.sign.flatMap { Self.comparisons[$0] }, token.keyword) {
        case (let comparison?, _):
            guard !isNegated else { throw error("\"not\" must precede a whole comparison", token.span) }
            condition = try compare(left, comparison: comparison, isQuantified: isQuantified)
        case (_, "is"):
            guard !isNegated else { throw error("write \"is not null\"", token.span) }
            condition = try isNull(left)
        case (_, "in"): condition = try isIn(left)
        case (_, "between"): condition = try between(left, isQuantified)
        case (_, "like"): condition = try like(left)
        case (_, "contains"), (_, "beginswith"), (_, "endswith"): condition = try text(left, token, isQuantified)
        default:
            throw error(
                "\(token.name) is not supported; use \"like\", in which * matches any characters and ? matches one",
                token.span
            )
        }
        let end = lastEnd
        let whole = start..<end
        try placed(whole) { try resolver.check(condition) }
        if isComparison(next) || next.keyword == "not" {
            throw error("a comparison cannot be compared again; join two comparisons with \"and\"", next.span)
        }
        return .condition(isNegated ? .not(condition) : condition, whole)
    }

    /// Parses the value after a comparison operator.
    private mutating func right(_ isQuantified: Bool) throws(PredicateTextError) -> TextValue {
        try refuseUnquotedText()
        let value = try value(try sum())
        if isQuantified, !value.isConstant {
            throw error(
                "after \"any\", \"all\" or \"none\", an attribute can be compared only with a constant", value.span)
        }
        return value
    }

    /// Throws an error that mentions quotes if the next word is neither a name nor a constant.
    ///
    /// A shell removes quotes, so the word was probably a text in quotes.
    private func refuseUnquotedText() throws(PredicateTextError) {
        guard case .word(let word, isKeyword: true) = next.kind, afterNext.sign != ".", afterNext.sign != "(",
            !Self.constants.contains(word.foldingASCIICase())
        else { return }
        let names = knownNames(of: resolver.entity)
        guard !names.contains(word), NearestName.of(word, among: names) == nil, !word.hasPrefix("@") else { return }
        throw error(
            "there is no attribute \"\(word.shortened)\" in \(resolver.entity.name); put a text into quotes",
            next.span
        )
    }

    private static let constants: Set<String> = [
        "true", "false", "yes", "no", "null", "nil", "truepredicate", "falsepredicate", "any", "some", "all", "none",
        "not", "and", "or", "in", "is", "between", "contains", "beginswith", "endswith", "like", "matches",
    ]

    /// Parses the right side of an operator such as `=` or `<`, with its modifier, and returns the condition.
    ///
    /// Constants on both sides get the common kind of both sides.
    private mutating func compare(
        _ left: TextValue, comparison: FetchComparison, isQuantified: Bool
    ) throws(PredicateTextError) -> FetchCondition {
        let ignoresCase = try modifier()
        let right = try right(isQuantified)
        let kind = TextValue.common(left.kind, right.kind)
        let (first, second) = (try operand(left, as: kind), try operand(right, as: kind))
        guard let ignoresCase else { return .compare(first, comparison, second) }
        guard comparison.isEquality else {
            throw error("case can be ignored only by =, !=, contains, beginswith, endswith and like", ignoresCase)
        }
        // Two texts are equal if each of them begins with the other.
        let isSame =
            FetchCondition.compare(first, .equal, second)
            || (.startsWith(first, second, ignoringCase: true) && .startsWith(second, first, ignoringCase: true))
        return comparison == .equal ? isSame : .not(isSame)
    }

    /// Parses the rest of `is null` or `is not null`.
    private mutating func isNull(_ left: TextValue) throws(PredicateTextError) -> FetchCondition {
        let isNegated = next.keyword == "not"
        if isNegated { advance() }
        guard next.keyword == "null" || next.keyword == "nil" else {
            throw error("null is expected after \"is\" instead of \(next.name)", next.span)
        }
        advance()
        return .compare(try operand(left, as: nil), isNegated ? .notEqual : .equal, .constant(.null))
    }

    /// Parses the right side of a search in a text.
    private mutating func text(
        _ left: TextValue, _ word: PredicateToken, _ isQuantified: Bool
    ) throws(PredicateTextError) -> FetchCondition {
        let ignoresCase = try modifier() != nil
        let right = try right(isQuantified)
        let (first, second) = (try operand(left, as: .string), try operand(right, as: .string))
        switch word.keyword {
        case "contains": return .contains(first, second, ignoringCase: ignoresCase)
        case "endswith": return .endsWith(first, second, ignoringCase: ignoresCase)
        default: return .startsWith(first, second, ignoringCase: ignoresCase)
        }
    }

    /// Parses the pattern of `like`, and adds a note if the pattern has SQL's wildcard `%`.
    private mutating func like(_ left: TextValue) throws(PredicateTextError) -> FetchCondition {
        let ignoresCase = try modifier() != nil
        let token = advance()
        guard case .string(let pattern) = token.kind else {
            throw error("\"like\" must be followed by a text in quotes instead of \(token.name)", token.span)
        }
        if pattern.contains("%"), !pattern.contains("*"), !pattern.contains("?") {
            let wildcards = "* matches any characters, and ? one"
            addNote("in \"\(pattern.shortened)\", % is an ordinary character; \(wildcards)")
        }
        return .like(try operand(left, as: .string), pattern, ignoringCase: ignoresCase)
    }

    /// Parses the modifier `[c]` after an operator, and returns its location; `nil` if there is none.
    private mutating func modifier() throws(PredicateTextError) -> Range<Int>? {
        guard next.sign == "[", case .word(let letters, _) = afterNext.kind else { return nil }
        let start = advance().span.lowerBound
        let token = advance()
        let span = start..<next.span.upperBound
        try expect("]", after: "after \(token.name)")
        switch letters.foldingASCIICase() {
        case "c": return span
        case "d", "cd", "dc":
            throw error("diacritics cannot be ignored; [c] ignores the case of the letters A to Z", token.span)
        default: throw error("only [c] is supported, which ignores the case of the letters A to Z", token.span)
        }
    }

    // MARK: Lists

    /// Parses the list after `in`; its constants get the kind of the left side.
    private mutating func isIn(_ left: TextValue) throws(PredicateTextError) -> FetchCondition {
        if next.sign == "[", case .word = afterNext.kind, try modifier() != nil {
            throw error("a list is always compared with case; use = with [c] instead", next.span)
        }
        let kind = left.kind
        let values = try list { parser, value throws(PredicateTextError) in try parser.listed(value, as: kind) }
        return .isIn(try operand(left, as: kind ?? values.first.map { OperandType.Kind($0) }), values)
    }

    private func listed(_ value: TextValue, as kind: OperandType.Kind?) throws(PredicateTextError) -> StoredValue {
        guard case .literal(let literal) = value.content else {
            throw error("a list can contain only constants", value.span)
        }
        return try constant(literal, value.span, as: kind)
    }

    /// Parses the two bounds after `between`, which are both included.
    private mutating func between(
        _ left: TextValue, _ isQuantified: Bool
    ) throws(PredicateTextError) -> FetchCondition {
        let start = next.span
        let bounds = try list { _, value throws(PredicateTextError) in value }
        guard bounds.count == 2 else {
            throw error("\"between\" requires two values: {least, greatest}", start.lowerBound..<lastEnd)
        }
        if isQuantified, let value = bounds.first(where: { !$0.isConstant }) {
            throw error(
                "after \"any\", \"all\" or \"none\", an attribute can be compared only with a constant", value.span)
        }
        let kind = TextValue.common(left.kind, TextValue.common(bounds[0].kind, bounds[1].kind))
        let value = try operand(left, as: kind)
        return .compare(value, .greaterOrEqual, try operand(bounds[0], as: kind))
            && .compare(value, .lessOrEqual, try operand(bounds[1], as: kind))
    }

    /// Parses a list of constants, such as `{1, 2, 3}`, `(1, 2, 3)` or `[1, 2, 3]`.
    private mutating func list<Element>(
        _ element: (PredicateParser, TextValue) throws(PredicateTextError) -> Element
    ) throws(PredicateTextError) -> [Element] {
        guard let closing = next.sign.flatMap({ ["{": "}", "(": ")", "[": "]"][$0] }) else {
            throw error("a list such as {1, 2, 3} is expected instead of \(next.name)", next.span)
        }
        advance()
        var elements: [Element] = []
        while next.sign != closing {
            if !elements.isEmpty { try expect(",", after: "or \(closing) in a list") }
            let part = try nested { parser throws(PredicateTextError) in try parser.sum() }
            elements.append(try element(self, try value(part)))
        }
        advance()
        return elements
    }
}
