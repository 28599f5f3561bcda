public import StrataCore

/// A condition that is prepared for evaluation in memory.
///
/// The names in the condition are resolved to column indexes once; a closure then evaluates each row. The in-memory
/// store uses this type for its rows, and every context uses it for its pending changes.
///
/// Create one evaluator for a condition, and use it for many rows: the creation resolves names, and the evaluation does
/// not. Several threads may use it at the same time.
public struct ConditionEvaluator: Sendable {
    /// A closure that returns a row's value at a column index; the index -1 returns the row's identifier.
    package typealias Values = (Int) -> StoredValue
    package typealias Test = @Sendable (Values) throws -> Bool
    package typealias Term = @Sendable (Values) throws -> StoredValue

    let test: Test

    /// Creates an evaluator of a condition on the rows of an entity.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if the condition names an
    ///   unknown attribute, compares kinds that cannot be compared, or traverses a relationship. A relationship cannot
    ///   be evaluated with a row alone.
    public init(_ condition: FetchCondition, entity: EntityDescription) throws {
        try self.init(try ConditionResolver(entity: entity).resolve(condition), relatives: nil)
    }

    /// Creates an evaluator of a resolved condition, and evaluates the related rows to which the condition refers.
    ///
    /// The initializer takes O(*n*) in the count of related rows for each relationship that the condition traverses.
    /// The later evaluation of a row takes no longer than for a condition without relationships.
    ///
    /// - Parameters:
    ///   - condition: The condition.
    ///   - relatives: The source of the related rows and join rows; `nil` if the condition traverses no relationship.
    /// - Throws: The errors that `relatives` throws.
    package init(_ condition: ResolvedCondition, relatives: (any RelatedRows)?) throws {
        test = try ConditionEvaluation(relatives: relatives).test(condition)
    }

    /// Returns a Boolean value that indicates whether the condition is true for a row.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/arithmetic`` if a calculation in the condition
    ///   overflows or divides by zero.
    public func matches(id: Int64, values: [StoredValue]) throws -> Bool {
        try test { index in index < 0 ? .integer(id) : values[index] }
    }
}

/// The preparation of conditions and their operands for evaluation in memory.
package struct ConditionEvaluation {
    package typealias Test = ConditionEvaluator.Test
    package typealias Term = ConditionEvaluator.Term

    /// The source of related rows; `nil` if no condition traverses a relationship.
    let relatives: (any RelatedRows)?

    package init(relatives: (any RelatedRows)?) {
        self.relatives = relatives
    }

    func test(_ condition: ResolvedCondition) throws -> Test {
        switch condition.form {
        case .constant(let value): return { _ in value }
        case .compare(let left, let comparison, let right):
            let (left, right) = (try term(left), try term(right))
            return { comparison.holds(try left($0), try right($0)) }
        case .isTrue(let operand):
            let operand = try term(operand)
            return { if case .boolean(true) = try operand($0) { true } else { false } }
        case .contains(let text, let part, let ignoringCase):
            return try test(text, part: part, ignoringCase: ignoringCase) { $0.containsUTF8($1) }
        case .startsWith(let text, let part, let ignoringCase):
            return try test(text, part: part, ignoringCase: ignoringCase) { $0.utf8.starts(with: $1.utf8) }
        case .endsWith(let text, let part, let ignoringCase):
            return try test(text, part: part, ignoringCase: ignoringCase) { $0.endsWithUTF8($1) }
        case .like(let text, let pattern, let ignoringCase):
            let (text, pattern) = (try term(text), TextPattern(pattern, ignoringCase: ignoringCase))
            return { values in
                guard case .string(let text) = try text(values) else { return false }
                return pattern.matches(text)
            }
        case .isIn(let operand, let values):
            let (operand, values) = (try term(operand), Set(values))
            return { values.contains(try operand($0)) }
        case .all(let conditions):
            let tests = try conditions.map { try test($0) }
            return { values in try tests.allSatisfy { try $0(values) } }
        case .any(let conditions):
            let tests = try conditions.map { try test($0) }
            return { values in try tests.contains { try $0(values) } }
        case .not(let condition):
            let test = try test(condition)
            return { try !test($0) }
        case .related(let relationship, let condition):
            let counts = try RelatedCounts(relationship, condition, self)
            return { try counts.count($0) > 0 }
        }
    }

    private func test(
        _ text: ResolvedOperand, part: ResolvedOperand, ignoringCase: Bool,
        _ holds: @escaping @Sendable (String, String) -> Bool
    ) throws -> Test {
        let (text, part) = (try term(text), try term(part))
        return { values in
            // Both values are evaluated, even if the first is null, because the second may throw an error.
            let (text, part) = (try text(values), try part(values))
            guard case .string(let text) = text, case .string(let part) = part else { return false }
            return ignoringCase ? holds(text.foldingASCIICase(), part.foldingASCIICase()) : holds(text, part)
        }
    }
}

extension FetchComparison {
    /// Returns a Boolean value that indicates whether this comparison of two values is true by the comparison rules.
    func holds(_ left: StoredValue, _ right: StoredValue) -> Bool {
        switch self {
        case .equal: return left == right
        case .notEqual: return left != right
        default: break
        }
        if left.isNull || right.isNull { return false }
        let order = left.compare(right)
        return switch self {
        case .less: order == .before
        case .lessOrEqual: order != .after
        case .greater: order == .after
        default: order != .before
        }
    }
}
