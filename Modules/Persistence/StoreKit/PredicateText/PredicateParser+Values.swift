import StrataCore

/// The parsing of values: sums, products, signs, constants, paths and expressions in parentheses.
extension PredicateParser {
    /// Parses a sum or a difference of products; operators of the same precedence are grouped from left to right.
    mutating func sum() throws(PredicateTextError) -> Part {
        var left = try product()
        while let calculation: Calculation = next.sign == "+" ? .add : next.sign == "-" ? .subtract : nil {
            advance()
            left = try calculated(left, calculation, try product())
        }
        return left
    }

    /// Parses a product or a quotient of signed values.
    private mutating func product() throws(PredicateTextError) -> Part {
        var left = try signed()
        while let calculation: Calculation = next.sign == "*" ? .multiply : next.sign == "/" ? .divide : nil {
            advance()
            left = try calculated(left, calculation, try signed())
        }
        return left
    }

    private func calculated(
        _ left: Part, _ calculation: Calculation, _ right: Part
    ) throws(PredicateTextError) -> Part {
        .value(try checkDepth(TextValue(try value(left), calculation, try value(right))))
    }

    /// Parses a value after any count of signs.
    private mutating func signed() throws(PredicateTextError) -> Part {
        guard next.sign == "-" || next.sign == "+" else { return try primary() }
        let sign = advance()
        let inner = try nested { parser throws(PredicateTextError) in try parser.signed() }
        let value = try value(inner)
        if sign.sign == "+" { return inner }
        return .value(try checkDepth(TextValue(negating: value, sign.span.lowerBound..<value.span.upperBound)))
    }

    /// Parses a constant, a path, a function, or an expression in parentheses.
    ///
    /// Parentheses may contain a value or a condition, because a parser cannot know which before it has read them.
    private mutating func primary() throws(PredicateTextError) -> Part {
        let token = next
        switch token.kind {
        case .number(let text):
            advance()
            return .value(TextValue(.number(text), token.span))
        case .string(let text):
            advance()
            return .value(TextValue(.string(text), token.span))
        case .sign("("):
            advance()
            let inner = try nested { parser throws(PredicateTextError) in try parser.alternatives() }
            try expect(")", after: "to close a parenthesis")
            return inner
        case .word(_, isKeyword: true): return try keyword(token)
        case .word: return .value(try self.value(try writtenPath()))
        case .sign, .end: throw error("a value is expected instead of \(token.name)", token.span)
        }
    }

    /// Parses a value that begins with an unquoted word: a constant, a count, or a path.
    private mutating func keyword(_ token: PredicateToken) throws(PredicateTextError) -> Part {
        switch token.keyword {
        // A word before a point is a name: `any.x` is a path, and so is `count.x`.
        case _ where afterNext.sign == ".": break
        case let word? where afterNext.sign == "(" && isFunction(word): return .value(try call())
        case "yes", "no", "nil", "any", "some", "all", "none":
            // File columns can have these names. Each of these constants has another spelling, and the quantifiers are
            // not constants.
            if isColumn(token) { break }
            return try constant(token)
        case "true", "false", "null", "truepredicate", "falsepredicate": return try constant(token)
        case "and", "or", "in", "between", "is", "contains", "beginswith", "endswith", "like", "matches", "not":
            throw error(
                "a value is expected instead of \(token.name); put a name that is a keyword into backticks",
                token.span)
        default: break
        }
        return .value(try value(try writtenPath()))
    }

    /// Returns a Boolean value that indicates whether a token is exactly the name of a dataset column.
    private func isColumn(_ token: PredicateToken) -> Bool {
        guard names == .files, case .word(let word, _) = token.kind else { return false }
        return knownNames(of: resolver.entity).contains(word)
    }

    /// Parses a constant, or a condition that begins with a quantifier.
    private mutating func constant(_ token: PredicateToken) throws(PredicateTextError) -> Part {
        switch token.keyword {
        case "any", "some", "all", "none": return try quantified()
        case "truepredicate", "falsepredicate":
            advance()
            return .condition(.constant(token.keyword == "truepredicate"), token.span)
        case "null", "nil":
            advance()
            return .value(TextValue(.null, token.span))
        default:
            advance()
            return .value(TextValue(.boolean(token.keyword == "true" || token.keyword == "yes"), token.span))
        }
    }

    /// Parses a condition on some, all or none of the related objects, such as `any employees.salary > 5`.
    private mutating func quantified() throws(PredicateTextError) -> Part {
        let word = advance()
        let start = next
        let left = try value(try sum())
        guard case .many(let path) = left.content else {
            throw error("\(word.name) must be followed by a path through a relationship to many objects", start.span)
        }
        let outer = resolver
        let destination = try placed(left.span) { try path.steps.reduce(outer) { try $0.destination($1) } }
        var inner = PredicateParser(continuing: self, in: destination)
        let compared = try inner.comparison(
            of: TextValue(path.operand, kind: path.kind, span: left.span), isQuantified: true)
        resume(after: inner)
        guard case .condition(let condition, let span) = compared else {
            guard path.kind == .boolean else {
                throw error("a comparison is expected after this value", left.span.upperBound..<left.span.upperBound)
            }
            return .condition(
                quantify(word.keyword ?? "", path: path, condition: .isTrue(path.operand)),
                word.span.lowerBound..<left.span.upperBound)
        }
        return .condition(
            quantify(word.keyword ?? "", path: path, condition: condition), word.span.lowerBound..<span.upperBound)
    }

    /// Returns the condition of a quantifier: `any` is a related condition, `none` is its negation, and `all` is `none`
    /// with the negated condition.
    private func quantify(_ word: String, path: TextValue.ManyPath, condition: FetchCondition) -> FetchCondition {
        let inner = word == "all" ? FetchCondition.not(condition) : condition
        let related = path.steps.reversed().reduce(inner) { .related($1, $0) }
        return word == "any" || word == "some" ? related : .not(related)
    }
}
