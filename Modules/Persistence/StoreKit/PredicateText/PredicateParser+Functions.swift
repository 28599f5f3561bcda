import StrataCore

/// The parsing of functions, such as `round(unitPrice * 1.1, 2)` and `lower(lastName)`.
extension PredicateParser {
    /// The name of a function in a textual predicate; a name before a parenthesis is always a function.
    private enum TextFunction: String, CaseIterable {
        case abs, avg, coalesce, count, day, length, lower, max, min, month, now, round, sum, total, trim, upper, year
    }

    /// The names of all functions, in alphabetical order.
    package static var functionNames: [String] { TextFunction.allCases.map(\.rawValue) }

    /// Returns a Boolean value that indicates whether a word before a parenthesis is the name of a function.
    ///
    /// It is `true` for unknown words. It is `false` for keywords that a parenthesis may follow, as in `not (a = 1)`.
    func isFunction(_ word: String) -> Bool { !Self.wordsBeforeParentheses.contains(word) }

    private static let wordsBeforeParentheses: Set<String> = [
        "not", "and", "or", "in", "between", "any", "some", "all", "none", "contains", "beginswith", "endswith", "like",
        "matches", "is", "true", "false", "yes", "no", "null", "nil", "truepredicate", "falsepredicate",
    ]

    /// Parses a function's name and its arguments.
    mutating func call() throws(PredicateTextError) -> TextValue {
        let name = advance()
        guard let function = TextFunction(rawValue: name.keyword ?? "") else {
            let names = Self.functionNames
            let hint =
                NearestName.of(name.keyword ?? "", among: names).map { "; did you mean \"\($0)\"?" }
                ?? "; there are \(names.joined(separator: ", "))"
            throw error("there is no function \(name.name)\(hint)", name.span)
        }
        advance()
        switch function {
        case .count: return try count(name)
        case .avg: return try aggregate(name, FetchAggregate.average)
        case .max: return try aggregate(name, FetchAggregate.maximum)
        case .min: return try aggregate(name, FetchAggregate.minimum)
        case .sum: return try aggregate(name, FetchAggregate.sum)
        case .total: return try aggregate(name, FetchAggregate.total)
        default: break
        }
        let values = try nested { parser throws(PredicateTextError) in try parser.arguments(of: function) }
        let span = name.span.lowerBound..<lastEnd
        guard let first = values.first else { return TextValue(.now, span) }
        let value: TextValue
        switch function {
        case .abs: value = TextValue(.absolute, of: first, span)
        case .length: value = TextValue(.length, of: first, span)
        case .lower: value = TextValue(.lowercased, of: first, span)
        case .upper: value = TextValue(.uppercased, of: first, span)
        case .trim: value = TextValue(.trimmed, of: first, span)
        case .year: value = TextValue(.year, of: first, span)
        case .month: value = TextValue(.yearMonth, of: first, span)
        case .day: value = TextValue(.day, of: first, span)
        case .round: value = TextValue(.rounded(digits: try values.dropFirst().first.map(digits) ?? 0), of: first, span)
        case .avg, .coalesce, .count, .max, .min, .now, .sum, .total:
            // The last call is the innermost one: coalesce(a, coalesce(b, c)).
            value = values.dropLast().reversed().reduce(values[values.count - 1]) {
                TextValue(first: $1, orElse: $0, $1.span.lowerBound..<span.upperBound)
            }
        }
        return try checkDepth(value)
    }

    /// Parses the arguments of a function, after the opening parenthesis.
    private mutating func arguments(of function: TextFunction) throws(PredicateTextError) -> [TextValue] {
        let start = lastEnd - 1
        var values: [TextValue] = []
        while next.sign != ")" {
            if !values.isEmpty { try expect(",", after: "or ) in \(function.rawValue)()") }
            values.append(try value(try alternatives()))
        }
        advance()
        let (counts, wanted) =
            switch function {
            case .now: (0...0, "no value")
            case .round: (1...2, "a number and optionally a count of digits")
            case .coalesce: (2...Int.max, "two values or more")
            case .abs, .avg, .count, .day, .length, .lower, .max, .min, .month, .sum, .total, .trim, .upper, .year:
                (1...1, "one value")
            }
        guard counts.contains(values.count) else {
            throw error("\(function.rawValue)() requires \(wanted)", start..<lastEnd)
        }
        return values
    }

    /// Returns the count of digits in the second argument of `round`, which must be a constant.
    private func digits(_ value: TextValue) throws(PredicateTextError) -> Int {
        guard case .literal(.number(let text)) = value.content, let digits = Int(text),
            FetchFunction.digits.contains(digits)
        else { throw error("round() requires a whole number from -18 to 18 for the digits", value.span) }
        return digits
    }

    /// Returns the function of a parsed value as an operand.
    func function(
        _ function: FetchFunction, of value: TextValue, _ span: Range<Int>, as kind: OperandType.Kind?
    ) throws(PredicateTextError) -> FetchOperand {
        let inner: FetchOperand
        switch function {
        case .lowercased, .uppercased, .trimmed, .inOrder: inner = try operand(value, as: .string)
        case .length: inner = try operand(value, as: value.kind ?? .string)
        case .year, .yearMonth, .day: inner = try operand(value, as: value.kind ?? .date)
        case .absolute, .rounded: inner = try operand(value, as: value.kind ?? kind)
        }
        let result = FetchOperand.function(function, inner)
        _ = try self.kind(of: result, span)
        return result
    }
}
