/// A field that is ready to be drawn.
struct FieldPlan {
    /// The addresses of the random bits for the value and for the decisions about it.
    let address: UInt64
    let nullAddress: UInt64
    let hostileAddress: UInt64
    let hostileValueAddress: UInt64
    /// The threshold below which random bits produce null; 0 means never.
    var nullThreshold: UInt64 = 0
    var draw: Draw
    /// The order in which values are selected instead of being drawn.
    var permutation: Permutation?
    /// The field's part of the permuted number that fields share if they are unique together.
    ///
    /// The part is the quotient by the divisor, modulo the modulus. A modulus of 0 means the whole number.
    var part: (divisor: UInt64, modulus: UInt64) = (1, 0)
    /// A Boolean value that indicates whether the values are unique.
    var isUnique = false
    /// The index of the plan's overrides that precede the permutation, or -1 for none.
    var overrides = -1
    /// The threshold below which random bits produce a hostile value; 0 means never.
    var hostileThreshold: UInt64 = 0
    var hostile = Hostile.none

    /// The source of hostile values.
    enum Hostile {
        case none
        case texts(TextRange)
        /// Numbers: the index among the plan's numbers, and the count.
        case integers(first: Int, count: Int)
        /// Dates: alternating seconds and nanoseconds.
        case dates(first: Int, count: Int)

        /// A Boolean value that indicates whether there are no hostile values.
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

    /// A Boolean value that indicates whether the value is derived from another field of the row.
    var isDerived: Bool { draw.over != nil }
}
