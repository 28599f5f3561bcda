/// The compiled plan for generating the values of one field.
///
/// The addresses are computed once, because they are hashes of the field's name.
struct FieldPlan {
    /// The address in ``RowBits`` of the random bits that determine the value.
    let address: UInt64
    let nullAddress: UInt64
    let hostileAddress: UInt64
    let hostileValueAddress: UInt64
    /// The threshold below which random bits result in null; the threshold 0 means never.
    var nullThreshold: UInt64 = 0
    var draw: Draw
    /// The permutation that selects unique values by row number; `nil` if values are drawn independently.
    var permutation: Permutation?
    /// The divisor and modulus that select this field's part of a permuted number, for fields that are unique together.
    ///
    /// The part is the quotient of the number and the divisor, modulo the modulus. A modulus of 0 selects the whole
    /// number.
    var part: (divisor: UInt64, modulus: UInt64) = (1, 0)
    /// A Boolean value that indicates whether the values of the field are unique.
    var isUnique = false
    /// The index in the plan's overrides of those that replace the permutation for some rows; -1 if there are none.
    var overrides = -1
    /// The threshold below which random bits result in a hostile value; the threshold 0 means never.
    var hostileThreshold: UInt64 = 0
    var hostile = Hostile.none

    /// The list from which hostile values of the field are selected.
    enum Hostile {
        case none
        case texts(TextRange)
        /// Integers: the index of the first one in the plan's numbers, and their count.
        case integers(first: Int, count: Int)
        /// Dates as pairs of seconds and nanoseconds: the index of the first number in the plan's numbers, and the
        /// count.
        case dates(first: Int, count: Int)

        /// A Boolean value that indicates whether the list has no hostile values.
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

    /// A Boolean value that indicates whether the value is derived from the value of another field of the row.
    var isDerived: Bool { draw.over != nil }
}
