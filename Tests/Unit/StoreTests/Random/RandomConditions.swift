import Foundation
import StrataPersistence
import StrataTestSupport

/// Generates conditions over the contract's entity `Sample` with every kind of node, from a seed.
struct RandomConditions {
    /// The kinds of operands.
    ///
    /// A decimal's scale is that of its property.
    enum Kind: CaseIterable {
        case string, integer, double, price, weight, boolean, date, day, timeOfDay, uuid, binary

        static let numbers: [Kind] = [.integer, .double, .price, .weight]
    }

    var random: SeededGenerator
    let values: RandomValues

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        values = RandomValues()
    }

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    mutating func pick<Element>(_ elements: [Element], or other: Element) -> Element {
        elements.randomElement(using: &random) ?? other
    }

    // MARK: Conditions

    mutating func condition(depth: Int) -> FetchCondition {
        if depth == 0 { return leaf(depth: 0) }
        switch Int.random(in: 0..<10, using: &random) {
        case 0, 1: return .all(conditions(depth: depth - 1))
        case 2, 3: return .any(conditions(depth: depth - 1))
        case 4: return .not(condition(depth: depth - 1))
        default: return leaf(depth: depth - 1)
        }
    }

    private mutating func conditions(depth: Int) -> [FetchCondition] {
        (0..<Int.random(in: 0...4, using: &random)).map { _ in condition(depth: depth) }
    }

    private mutating func leaf(depth: Int) -> FetchCondition {
        switch Int.random(in: 0..<20, using: &random) {
        case 0: return .constant(chance(50))
        case 1, 2: return .isTrue(operand(.boolean, depth: depth))
        case 3 where chance(50):
            return .endsWith(operand(.string, depth: depth), operand(.string, depth: depth), ignoringCase: chance(40))
        case 5 where chance(50):
            let pattern = pick(["*", "?", "a*", "*A?", "?*b", "", "\\*", "*\u{e9}*"], or: "")
            return .like(operand(.string, depth: depth), pattern, ignoringCase: chance(40))
        case 3, 4:
            return .contains(operand(.string, depth: depth), operand(.string, depth: depth), ignoringCase: chance(50))
        case 5, 6:
            return .startsWith(operand(.string, depth: depth), operand(.string, depth: depth), ignoringCase: chance(40))
        case 7, 8, 9:
            let kind = pick(Kind.allCases, or: .string)
            let list = (0..<Int.random(in: 0...5, using: &random)).map { _ in constant(kind) }
            return .isIn(operand(kind, depth: depth), list)
        case 10, 11, 12:
            // Numbers of different types: an integer with a double or a decimal, or decimals of two scales.
            let pairs: [(Kind, Kind)] = [
                (.integer, .double), (.double, .integer), (.integer, .price), (.weight, .integer), (.price, .weight),
            ]
            let (left, right) = pick(pairs, or: (.integer, .double))
            return .compare(operand(left, depth: depth), comparison(), operand(right, depth: depth))
        default:
            let kind = pick(Kind.allCases, or: .string)
            return .compare(operand(kind, depth: depth), comparison(), operand(kind, depth: depth))
        }
    }

    private mutating func comparison() -> FetchComparison {
        pick([.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual], or: .equal)
    }

    // MARK: Operands

    mutating func operand(_ kind: Kind, depth: Int) -> FetchOperand {
        if depth == 0 || chance(55) { return chance(60) ? property(kind) : .constant(constant(kind)) }
        switch Int.random(in: 0..<8, using: &random) {
        case 0, 1: return .coalesce(operand(kind, depth: depth - 1), operand(kind, depth: depth - 1))
        case 2:
            let test = condition(depth: depth - 1)
            return .conditional(test, operand(kind, depth: depth - 1), operand(kind, depth: depth - 1))
        case 3 where kind == .string:
            return .function(
                pick([.lowercased, .uppercased, .trimmed], or: .trimmed), operand(.string, depth: depth - 1))
        case 4 where kind == .integer:
            return chance(60)
                ? .function(.length, operand(.string, depth: depth - 1))
                : .function(
                    pick([.absolute, .rounded(digits: -2)], or: .absolute), operand(.integer, depth: depth - 1))
        case 4 where Kind.numbers.contains(kind):
            // Decimals keep their scale, and therefore their kind.
            return .function(pick([.absolute, .rounded(digits: 4)], or: .absolute), operand(kind, depth: depth - 1))
        case 3 where kind == .boolean: return .truth(condition(depth: depth - 1))
        default: return Kind.numbers.contains(kind) ? calculation(kind, depth: depth - 1) : property(kind)
        }
    }

    private mutating func calculation(_ kind: Kind, depth: Int) -> FetchOperand {
        if chance(15) { return .negated(operand(kind, depth: depth)) }
        var operations: [FetchArithmetic] = [.add, .subtract, .multiply]
        if kind == .integer { operations += [.divideWhole, .remainder] }
        if kind == .double { operations += [.divide] }
        let other = kind == .integer || chance(60) ? kind : .integer
        let (left, right) = (operand(kind, depth: depth), operand(other, depth: depth))
        let operation = pick(operations, or: .add)
        return chance(50) ? .arithmetic(left, operation, right) : .arithmetic(right, operation, left)
    }

    private mutating func property(_ kind: Kind) -> FetchOperand {
        switch kind {
        case .string: .property(chance(75) ? "text" : "label")
        case .integer: .property(pick(["short", "medium", "long", "id"], or: "long"))
        case .double: .property("ratio")
        case .price: .property("price")
        case .weight: .property("weight")
        case .boolean: .property("flag")
        case .date: .property("instant")
        case .day: .property("birthday")
        case .timeOfDay: .property("opening")
        case .uuid: .property("token")
        case .binary: .property("bytes")
        }
    }

    private mutating func constant(_ kind: Kind) -> StoredValue {
        if chance(8) { return .null }
        return values.value(kind, using: &random)
    }
}
