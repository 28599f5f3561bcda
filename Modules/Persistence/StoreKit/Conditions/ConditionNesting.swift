package import StrataCore

/// A limit of the nesting depth of conditions, applied by every store, so that tests in memory also apply to databases.
///
/// The limit is derived from SQLite's parser, which retains at most 100 unfinished symbols. Each node of a condition
/// needs some of these symbols while its content is parsed. A node is therefore counted as the maximum count of symbols
/// that its SQL leaves unfinished.
package enum ConditionNesting {
    /// The maximum count of SQLite's unfinished parser symbols that one condition may use.
    ///
    /// The remaining symbols are reserved for the SQL statement around the condition and for the innermost text. The
    /// number was found by experiment: for every kind of node, 200 conditions were nested as deeply as the limit
    /// allows. With a limit of 80 none overflows the parser; with 86 the first one does.
    static let maximum = 72
    /// The count of unfinished symbols of the two queries around the rows of groups: twice SELECT, a column, FROM and a
    /// parenthesis, with some symbols of the columns.
    static let aroundGroupedRows = 12

    /// Throws an error if a condition on an entity is nested too deeply.
    ///
    /// - Parameters:
    ///   - condition: The condition.
    ///   - entity: The entity.
    ///   - open: The count of unfinished symbols around the condition.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest``.
    package static func check(_ condition: ResolvedCondition, of entity: EntityDescription, open: Int = 0) throws {
        guard fits(condition, open) else { throw tooDeep(entity) }
    }

    /// Throws an error if an operand on an entity's rows is nested too deeply.
    ///
    /// - Parameters:
    ///   - operand: The operand.
    ///   - entity: The entity.
    ///   - open: The count of unfinished symbols around the operand.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest``.
    package static func check(_ operand: ResolvedOperand, of entity: EntityDescription, open: Int = 0) throws {
        guard fits(operand, open) else { throw tooDeep(entity) }
    }

    static func tooDeep(_ entity: EntityDescription) -> PersistenceError {
        PersistenceError(
            .invalidRequest,
            "the condition is nested too deeply; join its parts in lists, or ask in several requests",
            entity: entity.name)
    }

    private static func fits(_ condition: ResolvedCondition, _ open: Int) -> Bool {
        guard open <= maximum else { return false }
        switch condition.form {
        case .constant: return true
        case .compare(let left, _, let right):
            // The SQL is NOT coalesce(f(a, 2, b, 4) = 0, a IS b).
            let isScaled = left.isDecimal || right.isDecimal
            return fits(left, open + (isScaled ? 9 : 1)) && fits(right, open + (isScaled ? 12 : 3))
        case .isTrue(let operand): return fits(operand, open + 1)
        case .contains(let text, let part, _): return fits(text, open + 6) && fits(part, open + 8)
        case .startsWith(let text, let part, _): return fits(text, open + 6) && fits(part, open + 11)
        case .endsWith(let text, let part, _): return fits(text, open + 6) && fits(part, open + 8)
        case .like(let text, _, _): return fits(text, open + 6)
        case .isIn(let operand, _): return fits(operand, open + 4)
        case .all(let conditions), .any(let conditions):
            // The SQL is a balanced tree of parentheses, or of CASE if a condition may fail.
            let levels = Int.bitWidth - max(0, conditions.count - 1).leadingZeroBitCount
            let more = 1 + levels * (condition.mayFail ? 5 : 3)
            return conditions.allSatisfy { fits($0, open + more) }
        case .not(let condition): return fits(condition, open + 4)
        case .related(_, let condition): return fits(related: condition, open)
        }
    }

    private static func fits(related condition: ResolvedCondition, _ open: Int) -> Bool {
        // EXISTS ( SELECT distinct 1 from WHERE a = b AND c, or AND CASE operand WHEN a = b THEN c; a count needs
        // fewer.
        fits(condition, open + (condition.mayFail ? 15 : 10))
    }

    private static func fits(_ operand: ResolvedOperand, _ open: Int) -> Bool {
        guard open <= maximum else { return false }
        // A function around each decimal converts decimals of several scales to one scale.
        let open = open + (operand.isDecimal ? 3 : 0)
        switch operand.form {
        case .identifier, .column, .constant: return true
        case .arithmetic(let left, _, let right): return fits(left, open + 3) && fits(right, open + 5)
        case .negated(let operand): return fits(operand, open + 5)
        case .function(_, let operand): return fits(operand, open + 3)
        case .coalesce(let left, let right): return fits(left, open + 3) && fits(right, open + 5)
        case .conditional(let condition, let left, let right):
            return fits(condition, open + 3) && fits(left, open + 5) && fits(right, open + 4)
        case .truth(let condition): return fits(condition, open + 4)
        case .relatedCount(_, let condition): return fits(related: condition, open)
        // ( SELECT distinct operand; the rest of the subquery contains no operand.
        case .related(_, let operand): return fits(operand, open + 7)
        // ( SELECT f ( ... FROM ( SELECT operand; the condition is one subquery deeper than that of a count.
        case .relatedAggregate(_, let aggregate, let condition):
            return aggregate.operands.allSatisfy { fits($0, open + 20) } && fits(related: condition, open + 8)
        }
    }
}

extension ResolvedOperand {
    fileprivate var isDecimal: Bool {
        if case .decimal = type.kind { true } else { false }
    }
}

extension ConditionResolver {
    /// Throws an error if a condition has unknown names, incompatible kinds or too deep nesting.
    func checkNesting(of condition: FetchCondition) throws {
        try ConditionNesting.check(try resolve(condition), of: entity)
    }

    /// Throws an error if an operand has unknown names, incompatible kinds or too deep nesting.
    func checkNesting(of operand: FetchOperand) throws {
        try ConditionNesting.check(try resolve(operand), of: entity)
    }
}
