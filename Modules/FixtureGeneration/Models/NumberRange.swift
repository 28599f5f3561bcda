import Foundation
import StrataCore

/// The range of numbers that an attribute allows, as integer multiples of a unit, which is 10 to the power of -scale.
struct NumberRange {
    let scale: Int
    private(set) var least: Int64
    private(set) var greatest: Int64

    /// The widest range of integers that a `Double` represents exactly.
    private static let exact: ClosedRange<Int64> = -(1 << 53)...1 << 53

    /// The excluded numbers as multiples of the unit; in files their texts would mean null.
    private var missing: [Int64] = []

    /// The count of numbers that is sufficient for unique attributes.
    private static let many: Int64 = 1_000_000
    /// The maximum number of fraction digits; with more digits, different decimal numbers can be equal doubles.
    private static let finest = 15

    /// Creates the range of an attribute, or returns `nil` if the attribute is not numeric.
    ///
    /// - Parameters:
    ///   - attribute: The attribute.
    ///   - isCounted: A Boolean value that indicates whether many different numbers are required. If it is true,
    ///     floating-point numbers in a narrow range have more fraction digits.
    ///   - missing: The excluded numbers, whose texts mean null in files.
    init?(_ attribute: AttributeDescription, isCounted: Bool = false, missing: [StoredValue] = []) {
        switch attribute.type {
        case .decimal(let scale): self.init(attribute.rules, scale: Int(scale), -Int64.max...Int64.max)
        case .double:
            self.init(attribute.rules, scale: Self.scale(ofDoubles: attribute.rules), Self.exact)
            while isEmpty || (isCounted && greatest - least < Self.many), scale < Self.finest {
                self.init(attribute.rules, scale: scale + 1, Self.exact)
            }
        default:
            guard let range = attribute.type.integerRange else { return nil }
            self.init(attribute.rules, scale: 0, range)
        }
        self.missing = missing.compactMap { value in
            units(value).flatMap { $0.isWhole ? Int64(exactly: $0.floor) : nil }
        }
    }

    private init(_ rules: [AttributeRule], scale: Int, _ range: ClosedRange<Int64>) {
        self.init(scale: scale, range)
        for rule in rules {
            switch rule {
            case .minimum(let value): raise(value, isOpen: false)
            case .greaterThan(let value): raise(value, isOpen: true)
            case .maximum(let value): lower(value, isOpen: false)
            case .lessThan(let value): lower(value, isOpen: true)
            default: break
            }
        }
    }

    private init(scale: Int, _ range: ClosedRange<Int64>) {
        self.scale = scale
        least = range.lowerBound
        greatest = range.upperBound
    }

    /// Returns the number of fraction digits for doubles: two, or more if the numbers in the rules have more.
    private static func scale(ofDoubles rules: [AttributeRule]) -> Int {
        var scale = 2
        for value in rules.flatMap(\.values) {
            guard case .double(let number) = value, let decimal = Decimal(string: "\(number)") else { continue }
            scale = max(scale, min(15, -decimal.exponent))
        }
        return scale
    }

    private mutating func raise(_ value: StoredValue, isOpen: Bool) {
        guard let (floor, isWhole) = units(value) else { return }
        let first = isWhole && !isOpen ? floor : floor + 1
        least = max(least, Int64(clamping: first))
        if first > Int128(Int64.max) { greatest = Int64.min }
    }

    private mutating func lower(_ value: StoredValue, isOpen: Bool) {
        guard let (floor, isWhole) = units(value) else { return }
        let last = isWhole && isOpen ? floor - 1 : floor
        greatest = min(greatest, Int64(clamping: last))
        if last < Int128(Int64.min) { least = Int64.max }
    }

    /// Returns a number as a multiple of the unit, rounded down, and whether the number is an exact multiple.
    private func units(_ value: StoredValue) -> (floor: Int128, isWhole: Bool)? {
        let decimal: Decimal
        switch value {
        case .integer(let number): decimal = Decimal(number)
        case .decimal(let number): decimal = number.decimal
        case .double(let number):
            guard number.magnitude < 1e30 else { return (Int128(number < 0 ? -1 : 1) << 100, true) }
            // The number is so close to zero that no unit is between them, and `Decimal` cannot represent its digits.
            guard number == 0 || number.magnitude > 1e-30 else { return (number < 0 ? -1 : 0, false) }
            guard let exact = Decimal(string: "\(number)") else { return nil }
            decimal = exact
        default: return nil
        }
        let scaled = decimal * Decimal(sign: .plus, exponent: scale, significand: 1)
        let text = scaled.description
        guard let whole = Int128(text.prefix { $0 != "." }) else { return nil }
        let isWhole = !text.utf8.contains(UInt8(ascii: "."))
        return (scaled < 0 && !isWhole ? whole - 1 : whole, isWhole)
    }

    var isEmpty: Bool { least > greatest }

    /// Returns the bounds limited to this range, or `nil` if the range contains no number between the bounds.
    func clamped(_ bounds: FixtureGenerator.Bounds) -> FixtureGenerator.Bounds? {
        let lower = max(bounds.minimum, decimal(least))
        let upper = min(bounds.maximum, decimal(greatest))
        guard let first = ceiling(lower), let last = ceiling(upper).map({ decimal($0) > upper ? $0 - 1 : $0 }),
            first <= last
        else {
            return nil
        }
        return .init(decimal(first)...decimal(last))
    }

    private func ceiling(_ number: Decimal) -> Int64? {
        let scaled = number * Decimal(sign: .plus, exponent: scale, significand: 1)
        let text = scaled.description
        guard let whole = Int64(text.prefix { $0 != "." }) else { return nil }
        return text.utf8.contains(UInt8(ascii: ".")) && scaled > 0 ? whole + 1 : whole
    }

    /// Returns bounds that contain a count of numbers, beginning at 1 if possible, and otherwise at the bound nearest
    /// to 1.
    func numbers(_ count: Int64) -> FixtureGenerator.Bounds {
        let one = Int64(clamping: Int128(Self.power(scale)))
        let start: Int64
        if least > one {
            start = least
        } else if greatest >= one, greatest - one >= count - 1 {
            start = one
        } else {
            start = max(
                least, greatest.subtractingReportingOverflow(count - 1).overflow ? least : greatest - (count - 1))
        }
        let (end, overflow) = start.addingReportingOverflow(count - 1)
        return .init(decimal(start)...decimal(overflow ? greatest : min(end, greatest)))
    }

    /// Returns a Boolean value that indicates whether a `Double` represents a generator's parameter, divided by the
    /// unit, exactly.
    func isDrawnExactly(_ number: Decimal) -> Bool { number.magnitude <= decimal(Self.exact.upperBound) }

    /// Returns the product of the unit and an integer.
    func decimal(_ units: Int64) -> Decimal {
        Decimal(sign: units < 0 ? .minus : .plus, exponent: -scale, significand: Decimal(units.magnitude))
    }

    /// Returns the larger of the parts of the bounds that contain no excluded number, or `nil` if there is no such
    /// part.
    func present(_ bounds: FixtureGenerator.Bounds) -> FixtureGenerator.Bounds? {
        var (first, last) = (bounds.minimum, bounds.maximum)
        for number in missing.map(decimal) where first <= number && number <= last {
            if number - first > last - number { last = number - unit } else { first = number + unit }
        }
        return first <= last ? .init(first...last, step: bounds.step) : nil
    }

    private var unit: Decimal { Decimal(sign: .plus, exponent: -scale, significand: 1) }

    private static func power(_ scale: Int) -> Int64 { (0..<min(scale, 18)).reduce(1) { power, _ in power * 10 } }
}

extension AttributeRule {
    /// The values that the rule contains.
    var values: [StoredValue] {
        switch self {
        case .minimum(let value), .maximum(let value), .greaterThan(let value), .lessThan(let value): [value]
        case .oneOf(let values): values
        case .minimumLength, .maximumLength, .pattern: []
        }
    }
}
