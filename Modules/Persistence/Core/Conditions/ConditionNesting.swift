/// Bounds how deep a condition is nested, for every store alike.
///
/// The bound is what SQLite's parser takes: it keeps at most 100 unfinished symbols, of which each node of the condition needs some while
/// what is in it is read. The nodes are therefore counted by the symbols that their SQL leaves open at most.
package struct ConditionNesting {
    /// What a condition may leave open; the rest is for the statement around it and for the innermost text.
    ///
    /// Found by experiment: of 200 conditions nested as deep as they may be, of every node, none overflows at 80 and the first at 86.
    static let maximum = 72

    let typing: ConditionTyping

    package init(typing: ConditionTyping) {
        self.typing = typing
    }

    /// Checks a condition's nesting, then its names and kinds.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest``.
    func check(_ condition: FetchCondition) throws {
        // First without the kinds, which are found by descending as far as the nodes go.
        guard fits(condition, 0, usingKinds: false) else { throw tooDeep }
        try typing.check(condition)
        guard fits(condition, 0, usingKinds: true) else { throw tooDeep }
    }

    private var tooDeep: PersistenceError {
        PersistenceError(
            .invalidRequest,
            "the condition is nested too deeply; join its parts in lists, or ask in several requests",
            entity: typing.entity.name)
    }

    /// Checks the nesting, then the names and kinds, of an operand by itself.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest``.
    package func check(_ operand: FetchOperand) throws {
        guard fits(operand, 0, usingKinds: false) else { throw tooDeep }
        _ = try typing.type(of: operand)
        guard fits(operand, 0, usingKinds: true) else { throw tooDeep }
    }

    private func fits(_ condition: FetchCondition, _ open: Int, usingKinds: Bool) -> Bool {
        guard open <= Self.maximum else { return false }
        func fits(_ operand: FetchOperand, _ more: Int) -> Bool {
            self.fits(operand, open + more, usingKinds: usingKinds)
        }
        switch condition {
        case .constant: return true
        case .compare(let left, _, let right):
            // NOT coalesce(f(a, 2, b, 4) = 0, a IS b)
            let isScaled = usingKinds && (isDecimal(left) || isDecimal(right))
            return fits(left, isScaled ? 9 : 1) && fits(right, isScaled ? 12 : 3)
        case .isTrue(let operand): return fits(operand, 1)
        case .contains(let text, let part, _): return fits(text, 6) && fits(part, 8)
        case .startsWith(let text, let part, _): return fits(text, 6) && fits(part, 11)
        case .endsWith(let text, let part, _): return fits(text, 6) && fits(part, 8)
        case .like(let text, _, _): return fits(text, 6)
        case .isIn(let operand, _): return fits(operand, 4)
        case .all(let conditions), .any(let conditions):
            // A balanced tree of parentheses, or of CASE where a condition may fail.
            let levels = Int.bitWidth - max(0, conditions.count - 1).leadingZeroBitCount
            let mayFail = usingKinds && conditions.contains(where: typing.mayFail)
            let more = 1 + levels * (mayFail ? 5 : 3)
            return conditions.allSatisfy { self.fits($0, open + more, usingKinds: usingKinds) }
        case .not(let condition): return self.fits(condition, open + 4, usingKinds: usingKinds)
        case .related(let name, let condition):
            return self.fits(condition, of: name, open, usingKinds: usingKinds)
        }
    }

    private func fits(_ condition: FetchCondition, of relationship: String, _ open: Int, usingKinds: Bool) -> Bool {
        // A relationship that does not exist is refused by the check, which says why and goes no deeper.
        guard let destination = try? typing.destination(relationship) else { return true }
        // EXISTS ( SELECT distinct 1 from WHERE a = b AND c, or AND CASE operand WHEN a = b THEN c; a count has fewer.
        let more = usingKinds && destination.mayFail(condition) ? 15 : 10
        return ConditionNesting(typing: destination).fits(condition, open + more, usingKinds: usingKinds)
    }

    private func fits(_ operand: FetchOperand, _ open: Int, usingKinds: Bool) -> Bool {
        guard open <= Self.maximum else { return false }
        // Decimals of several scales are brought to one by a function around each.
        let scaling = usingKinds && isDecimal(operand) ? 3 : 0
        func fits(_ operand: FetchOperand, _ more: Int) -> Bool {
            self.fits(operand, open + more + scaling, usingKinds: usingKinds)
        }
        switch operand {
        case .property, .constant: return true
        case .arithmetic(let left, _, let right): return fits(left, 3) && fits(right, 5)
        case .negated(let operand): return fits(operand, 5)
        case .coalesce(let left, let right): return fits(left, 3) && fits(right, 5)
        case .conditional(let condition, let left, let right):
            return self.fits(condition, open + 3, usingKinds: usingKinds) && fits(left, 5) && fits(right, 4)
        case .truth(let condition): return self.fits(condition, open + 4, usingKinds: usingKinds)
        case .relatedCount(let name, let condition):
            return self.fits(condition, of: name, open + scaling, usingKinds: usingKinds)
        case .related(let name, let operand):
            guard let destination = try? typing.destination(name) else { return true }
            // ( SELECT distinct operand; what follows holds no operand.
            return ConditionNesting(typing: destination)
                .fits(operand, open + 7 + scaling, usingKinds: usingKinds)
        }
    }

    private func isDecimal(_ operand: FetchOperand) -> Bool {
        // An operand without a type is refused by the check, which says why; here it only is no decimal.
        guard let kind = try? typing.type(of: operand).kind, case .decimal = kind else { return false }
        return true
    }
}
