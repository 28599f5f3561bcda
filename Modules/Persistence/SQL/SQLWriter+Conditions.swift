import StrataCore
import StrataStoreKit

/// The methods that write conditions as SQL expressions.
extension SQLWriter {
    /// The SQL text of a condition, and whether the text may evaluate to null, which means false.
    struct Truth {
        var text: String
        var mayBeNull = false
    }

    /// Returns the text of a condition whose value is never null, for a position where null does not mean false, such
    /// as after `NOT`.
    func certain(_ truth: Truth) -> String {
        truth.mayBeNull ? "coalesce(\(truth.text), \(dialect.truth(false)))" : truth.text
    }

    mutating func sql(_ condition: ResolvedCondition) -> Truth {
        switch condition.form {
        case .constant(let value): return Truth(text: dialect.truth(value))
        case .compare(let left, let comparison, let right): return compare(left, comparison, right)
        case .isTrue(let operand):
            return Truth(text: sql(operand, as: .boolean), mayBeNull: operand.type.isNullable)
        case .contains(let text, let part, let ignoringCase):
            let (left, right) = texts(text, part: part, ignoringCase: ignoringCase)
            return Truth(text: dialect.contains(left, right), mayBeNull: true)
        case .startsWith(let text, let part, let ignoringCase):
            return startsWith(text, part: part, ignoringCase: ignoringCase)
        case .endsWith(let text, let part, let ignoringCase):
            let (left, right) = texts(text, part: part, ignoringCase: ignoringCase)
            return Truth(text: dialect.endsWith(left, right), mayBeNull: true)
        case .like(let text, let pattern, let ignoringCase):
            let left = sql(text, as: .string)
            let right = bind(.string(dialect.pattern(pattern)))
            return Truth(text: dialect.like(left, right, ignoringCase: ignoringCase), mayBeNull: true)
        case .isIn(let operand, let list): return isIn(operand, list)
        case .all(let conditions): return join(conditions[...], "AND", whenEmpty: true)
        case .any(let conditions): return join(conditions[...], "OR", whenEmpty: false)
        case .not(let condition): return Truth(text: "NOT \(certain(sql(condition)))")
        case .related(let relationship, let condition): return related(relationship, condition)
        }
    }

    /// Returns conditions joined by `AND` or `OR` as a balanced tree, because engines limit the depth of an expression
    /// (SQLite: 1,000).
    ///
    /// If the evaluation of one of the conditions may fail, the method writes `CASE` instead. The engine evaluates the
    /// branches of `CASE` in their order, while the order of evaluation of `AND` and `OR` is undefined.
    private mutating func join(_ conditions: ArraySlice<ResolvedCondition>, _ word: String, whenEmpty: Bool) -> Truth {
        if conditions.isEmpty { return Truth(text: dialect.truth(whenEmpty)) }
        if conditions.count == 1, let only = conditions.first {
            let truth = sql(only)
            return Truth(text: "(\(truth.text))", mayBeNull: truth.mayBeNull)
        }
        let middle = conditions.startIndex + conditions.count / 2
        let left = join(conditions[..<middle], word, whenEmpty: whenEmpty)
        let right = join(conditions[middle...], word, whenEmpty: whenEmpty)
        if conditions.contains(where: \.mayFail) {
            let text =
                word == "AND"
                ? "(CASE WHEN \(left.text) THEN \(right.text) ELSE \(dialect.truth(false)) END)"
                : "(CASE WHEN \(left.text) THEN \(dialect.truth(true)) ELSE \(right.text) END)"
            return Truth(text: text, mayBeNull: right.mayBeNull)
        }
        return Truth(text: "(\(left.text) \(word) \(right.text))", mayBeNull: left.mayBeNull || right.mayBeNull)
    }

    private mutating func startsWith(_ text: ResolvedOperand, part: ResolvedOperand, ignoringCase: Bool) -> Truth {
        if !ignoringCase, case .string(let prefix)? = part.constant, !prefix.isEmpty {
            // A range of the column's values can use an index, because UTF-8 orders texts in the same way as their
            // scalars.
            let left = sql(text, as: .string)
            let lower = "\(left) >= \(bind(.string(prefix)))"
            guard let end = prefix.endOfPrefixRange else { return Truth(text: "(\(lower))", mayBeNull: true) }
            let again = sql(text, as: .string)
            return Truth(text: "(\(lower) AND \(again) < \(bind(.string(end))))", mayBeNull: true)
        }
        let (left, right) = texts(text, part: part, ignoringCase: ignoringCase)
        let again = texts(.constant(.null), part: part, ignoringCase: ignoringCase).1
        return Truth(text: "substr(\(left), 1, length(\(right))) = \(again)", mayBeNull: true)
    }

    private mutating func texts(_ text: ResolvedOperand, part: ResolvedOperand, ignoringCase: Bool) -> (String, String)
    {
        let left: String
        if text.constant == .null { left = dialect.null(as: .string) } else { left = sql(text, as: .string) }
        let right = sql(part, as: .string)
        return ignoringCase ? (dialect.lowercased(left), dialect.lowercased(right)) : (left, right)
    }

    /// Returns true or false as a condition; if the evaluation of an operand may fail, the engine evaluates the operand
    /// first.
    mutating func always(_ truth: Bool, evaluating operand: ResolvedOperand) -> Truth {
        let text = dialect.truth(truth)
        guard operand.mayFail else { return Truth(text: text) }
        return Truth(text: "CASE WHEN \(sql(operand, as: operand.type.kind)) IS NULL THEN \(text) ELSE \(text) END")
    }

    private mutating func isIn(_ operand: ResolvedOperand, _ list: [StoredValue]) -> Truth {
        let type = operand.type
        let holdsNull = list.contains(where: \.isNull)
        // A value that the column cannot store exactly (0.125 if the scale is 2) is equal to no row.
        let candidates = list.filter { !$0.isNull }.compactMap { $0.equal(to: type.kind) }
        guard !candidates.isEmpty else {
            if holdsNull { return Truth(text: "\(sql(operand, as: type.kind)) IS NULL") }
            return always(false, evaluating: operand)
        }
        let left = sql(operand, as: type.kind)
        let membership = membership(of: left, in: candidates)
        guard holdsNull else { return Truth(text: membership, mayBeNull: type.isNullable) }
        return Truth(text: "(\(membership) OR \(sql(operand, as: type.kind)) IS NULL)", mayBeNull: false)
    }

    private mutating func membership(of operand: String, in candidates: [StoredValue]) -> String {
        if candidates.count > Self.longestListOfParameters {
            let numbers = candidates.compactMap(\.storedInteger)
            if numbers.count == candidates.count {
                return dialect.isMember(operand, ofList: bind(dialect.list(numbers)))
            }
            let texts = candidates.compactMap { if case .string(let text) = $0 { text } else { nil } }
            if texts.count == candidates.count, !texts.contains(where: { $0.utf8.contains(0) }) {
                return dialect.isText(operand, ofList: bind(dialect.list(texts)))
            }
        }
        return "\(operand) IN (\(candidates.map { bind($0) }.joined(separator: ", ")))"
    }
}

extension StoredValue {
    /// Returns the value of a numeric kind that is equal to this value, or `nil` if that kind has no equal value.
    fileprivate func equal(to kind: OperandType.Kind) -> StoredValue? {
        switch (kind, self) {
        case (.double, .integer(let number)): Double(exactly: number).map(StoredValue.double)
        case (.integer, .double(let number)): Int64(exactly: number).map(StoredValue.integer)
        default: brought(to: kind)
        }
    }

    /// The integer that a column stores for this integer or decimal; `nil` for values of other types.
    fileprivate var storedInteger: Int64? {
        switch self {
        case .integer(let value): value
        case .decimal(let value): value.unscaled
        default: nil
        }
    }
}
