/// A condition made ready for evaluation in memory: names resolved to places once, then closures a row.
///
/// Used by the in-memory store, and by every context for its pending changes.
public struct ConditionEvaluator: Sendable {
    /// Reads the value at a column's place; place -1 is the identifier.
    typealias Values = (Int) -> StoredValue
    typealias Test = @Sendable (Values) throws -> Bool
    typealias Term = @Sendable (Values) throws -> StoredValue

    private let test: Test

    /// Resolves a condition in an entity.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` for an unknown attribute, or kinds that cannot
    ///   be compared.
    public init(_ condition: Condition, entity: EntityDescription) throws {
        try ConditionTyping(entity: entity).check(condition)
        test = Self.test(condition, entity)
    }

    /// Whether the condition holds for a row.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/arithmetic``.
    public func matches(id: Int64, values: [StoredValue]) throws -> Bool {
        try test { index in index < 0 ? .integer(id) : values[index] }
    }

    private static func test(_ condition: Condition, _ entity: EntityDescription) -> Test {
        switch condition {
        case .constant(let value): return { _ in value }
        case .compare(let left, let comparison, let right):
            let (left, right) = (term(left, entity), term(right, entity))
            return { comparison.holds(try left($0), try right($0)) }
        case .isTrue(let operand):
            let operand = term(operand, entity)
            return { if case .boolean(true) = try operand($0) { true } else { false } }
        case .contains(let text, let part, let ignoringCase):
            return test(text, part, ignoringCase, entity) { $0.containsUTF8($1) }
        case .startsWith(let text, let part, let ignoringCase):
            return test(text, part, ignoringCase, entity) { $0.utf8.starts(with: $1.utf8) }
        case .isIn(let operand, let values):
            let (operand, values) = (term(operand, entity), Set(values))
            return { values.contains(try operand($0)) }
        case .all(let conditions):
            let tests = conditions.map { test($0, entity) }
            return { values in try tests.allSatisfy { try $0(values) } }
        case .any(let conditions):
            let tests = conditions.map { test($0, entity) }
            return { values in try tests.contains { try $0(values) } }
        case .not(let condition):
            let test = test(condition, entity)
            return { try !test($0) }
        }
    }

    private static func test(
        _ text: Operand, _ part: Operand, _ ignoringCase: Bool, _ entity: EntityDescription,
        _ holds: @escaping @Sendable (String, String) -> Bool
    ) -> Test {
        let (text, part) = (term(text, entity), term(part, entity))
        return { values in
            guard case .string(let text) = try text(values), case .string(let part) = try part(values) else {
                return false
            }
            return ignoringCase ? holds(text.foldingASCIICase(), part.foldingASCIICase()) : holds(text, part)
        }
    }

    private static func term(_ operand: Operand, _ entity: EntityDescription) -> Term {
        switch operand {
        case .property(let name):
            let index = entity.columnIndex(name) ?? -1
            return { $0(index) }
        case .constant(let value): return { _ in value }
        case .arithmetic(let left, let operation, let right):
            let (left, right) = (term(left, entity), term(right, entity))
            return { try operation.apply(try left($0), try right($0)) }
        case .negated(let operand):
            let operand = term(operand, entity)
            return { try operand($0).negated() }
        case .coalesce(let left, let right):
            let (left, right) = (term(left, entity), term(right, entity))
            return { values in
                let value = try left(values)
                return value.isNull ? try right(values) : value
            }
        case .conditional(let condition, let left, let right):
            let (test, left, right) = (test(condition, entity), term(left, entity), term(right, entity))
            return { try test($0) ? try left($0) : try right($0) }
        case .truth(let condition):
            let test = test(condition, entity)
            return { .boolean(try test($0)) }
        }
    }
}

extension Comparison {
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

extension StoredValue {
    /// The number with its sign turned.
    func negated() throws -> StoredValue {
        switch self {
        case .double(let value): .double(0 - value)
        default: try Arithmetic.subtract.apply(.integer(0), self)
        }
    }
}
