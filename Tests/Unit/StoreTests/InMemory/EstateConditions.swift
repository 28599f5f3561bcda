import StrataPersistence
import StrataTestSupport

/// Generates random conditions on houses, most of which an index can answer.
struct EstateConditions {
    static let names = ["a", "b", "c", "\u{e9}", ""]

    /// Returns a random value of a column; each column has few values, so that they are found.
    static func value(_ column: Int, _ random: inout SeededGenerator) -> StoredValue {
        if Int.random(in: 0..<5, using: &random) == 0 { return .null }
        let number = Int64.random(in: 1...40, using: &random)
        switch column {
        case Estate.Column.name: return .string(names.randomElement(using: &random) ?? "")
        case Estate.Column.price: return .decimal(ScaledDecimal(unscaled: number % 4 * 50, scale: 2))
        case Estate.Column.ratio: return .double(Double(number % 6) / 2)
        case Estate.Column.isSold: return .boolean(number < 20)
        case Estate.Column.street: return .integer(number % 8 + 1)
        case Estate.Column.keyholder: return .integer(number % 12 + 1)
        default: return .integer(number)
        }
    }

    var random: SeededGenerator
    let columns: [ColumnDescription]

    init(_ model: ManagedObjectModel, _ random: SeededGenerator) throws {
        self.random = random
        columns = try model.entity(named: "House").columns
    }

    private mutating func number(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }

    /// Returns a condition on houses.
    mutating func condition(depth: Int = 2) -> FetchCondition {
        switch number(depth > 0 ? 10 : 6) {
        case 0: return .isTrue(.property("isSold"))
        case 1, 2: return list()
        case 3, 4, 5: return equality()
        case 6: return related(depth)
        default:
            return .all((0...number(3)).map { _ in number(4) == 0 ? fallible() : condition(depth: depth - 1) })
        }
    }

    private mutating func equality() -> FetchCondition {
        let (name, value) = nameAndValue()
        let (left, right) = (FetchOperand.property(name), FetchOperand.constant(value))
        return number(3) == 0 ? .compare(right, .equal, left) : .compare(left, .equal, right)
    }

    private mutating func list() -> FetchCondition {
        let column = number(columns.count)
        return .isIn(
            .property(columns[column].name), (0..<number(5)).map { _ in Self.value(column, &random) })
    }

    /// Returns a column or the identifier, and a value, which may have another type and be equal to one of the column.
    private mutating func nameAndValue() -> (String, StoredValue) {
        if number(6) == 0 { return ("id", .integer(Int64(number(45)))) }
        let column = number(columns.count)
        let value = Self.value(column, &random)
        guard number(3) == 0 else { return (columns[column].name, value) }
        switch (columns[column].type, value) {
        case (.decimal, _): return (columns[column].name, .integer(Int64(number(3))))
        case (.double, _): return (columns[column].name, .integer(Int64(number(3))))
        case (.integer64, .integer(let value)): return (columns[column].name, .double(Double(value)))
        default: return (columns[column].name, value)
        }
    }

    /// Returns a condition that fails for the houses whose codes are multiples of seven.
    private mutating func fallible() -> FetchCondition {
        let code = FetchOperand.coalesce(.property("code"), .constant(.integer(1)))
        let divisor = FetchOperand.arithmetic(code, .remainder, .constant(.integer(7)))
        return .compare(
            .arithmetic(.constant(.integer(60)), .divideWhole, divisor), .less, .constant(.integer(Int64(number(9)))))
    }

    private mutating func related(_ depth: Int) -> FetchCondition {
        switch number(6) {
        case 0: return .related("street", .compare(.property("name"), .equal, .constant(.string("b"))))
        case 1: return .related("street", .isIn(.property("id"), [.integer(2), .integer(3)]))
        case 2: return .related("keyholder", .compare(.property("id"), .equal, .constant(.integer(4))))
        case 3: return .related("annexOf", condition(depth: depth - 1))
        case 4: return .related("annexes", condition(depth: depth - 1))
        default: return .related("neighbours", condition(depth: depth - 1))
        }
    }
}
