/// A field, ready to be drawn.
struct FieldPlan {
    /// The addresses of the value and of what decides about it.
    let address: UInt64
    let nullAddress: UInt64
    let hostileAddress: UInt64
    let hostileValueAddress: UInt64
    /// Bits below this make null; 0 for never.
    var nullThreshold: UInt64 = 0
    var draw: Draw
    /// Values are taken in this order instead of being drawn.
    var permutation: Permutation?
    /// Of fields that are unique together each takes its part of the permuted number: behind a divisor, below a modulus; 0 is all of it.
    var part: (divisor: UInt64, modulus: UInt64) = (1, 0)
    /// Whether no two rows have the same value.
    var isUnique = false
    /// Which of the plan's overrides stand before the permutation; -1 for none.
    var overrides = -1
    /// Bits below this make a hostile value; 0 for never.
    var hostileThreshold: UInt64 = 0
    var hostile = Hostile.none

    /// Where hostile values come from.
    enum Hostile {
        case none
        case texts(TextRange)
        /// Numbers: their place among the plan's numbers, and how many.
        case integers(first: Int, count: Int)
        /// Dates: seconds and nanoseconds in turn.
        case dates(first: Int, count: Int)

        /// Whether there is none.
        var isEmpty: Bool {
            switch self {
            case .none: true
            case .texts(let range): range.count == 0
            case .integers(_, let count), .dates(_, let count): count == 0
            }
        }
    }

    init(_ name: String, _ draw: Draw) {
        address = RowBits.address(of: name)
        nullAddress = RowBits.address(of: name, .null)
        hostileAddress = RowBits.address(of: name, .hostile)
        hostileValueAddress = RowBits.address(of: name, .hostileValue)
        self.draw = draw
    }

    /// Whether another field of the row has to be made before this one.
    var isDerived: Bool { draw.over != nil }
}
