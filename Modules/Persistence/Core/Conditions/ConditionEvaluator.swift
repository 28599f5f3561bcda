/// A condition made ready for evaluation in memory: names resolved to places once, then closures a row.
///
/// Used by the in-memory store, and by every context for its pending changes.
public struct ConditionEvaluator: Sendable {
    /// Reads the value at a column's place; place -1 is the identifier.
    package typealias Values = (Int) -> StoredValue
    package typealias Test = @Sendable (Values) throws -> Bool
    package typealias Term = @Sendable (Values) throws -> StoredValue

    let test: Test

    /// Resolves a condition in an entity.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` for an unknown attribute, for kinds that cannot
    ///   be compared, or for a condition across a relationship, which a row alone does not decide.
    public init(_ condition: FetchCondition, entity: EntityDescription) throws {
        try self.init(try ConditionResolver(entity: entity).resolve(condition), relatives: nil)
    }

    /// Makes a resolved condition ready, and evaluates the related rows that it asks about.
    ///
    /// O(rows) for each relationship the condition traverses; evaluating a row is then as fast as without.
    ///
    /// - Parameters:
    ///   - condition: The condition.
    ///   - relatives: The rows and pairs for what the condition asks of related objects.
    /// - Throws: What `relatives` throws.
    package init(_ condition: ResolvedCondition, relatives: (any RelatedRows)?) throws {
        test = try ConditionEvaluation(relatives: relatives).test(condition)
    }

    /// Whether the condition holds for a row.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/arithmetic``.
    public func matches(id: Int64, values: [StoredValue]) throws -> Bool {
        try test { index in index < 0 ? .integer(id) : values[index] }
    }
}

/// Makes conditions and their values ready for evaluation.
package struct ConditionEvaluation {
    package typealias Test = ConditionEvaluator.Test
    package typealias Term = ConditionEvaluator.Term

    /// What conditions across relationships are evaluated with; `nil` for conditions that a row alone decides.
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
            // Both are evaluated, even where the first is null: the second may be an error.
            let (text, part) = (try text(values), try part(values))
            guard case .string(let text) = text, case .string(let part) = part else { return false }
            return ignoringCase ? holds(text.foldingASCIICase(), part.foldingASCIICase()) : holds(text, part)
        }
    }
}

extension FetchComparison {
    /// Whether the comparison holds, by the comparison rules.
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
