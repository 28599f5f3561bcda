/// A generated value of a row, represented by numbers only, so that generating it requires no allocation.
///
/// A cell with a number of a text is meaningful only together with the plan that generated it. `BorrowedRow` returns
/// the bytes of such a text.
package enum FixtureCell: Hashable, Sendable {
    case null
    /// An integer, a decimal without its decimal point, or the identifier of a reference.
    case integer(Int64)
    case boolean(Bool)
    /// A floating-point number, or a fractional number of seconds since 2001-01-01T00:00:00Z.
    case real(Double)
    /// The seconds since 2001-01-01T00:00:00Z, and additional nanoseconds.
    case date(seconds: Int64, nanoseconds: Int32)
    /// A UUID as its upper and lower 64 bits.
    case uuid(UInt64, UInt64)
    /// A color as its red, green and blue components, in 24 bits.
    case color(UInt32)
    /// A text, as its number in the ``TextPool``.
    case text(Int32)
    /// Two texts separated by a space, as their numbers in the ``TextPool``.
    case pair(Int32, Int32)
    /// A text from the ``TextPool`` followed by a number with a fixed count of digits.
    case code(prefix: Int32, number: UInt64, digits: Int32)
    /// A text of a grammar: the index of the grammar in the plan's numbers, and the number of the text in the grammar.
    case made(grammar: Int32, number: UInt64)
    /// A count of bytes that begin with the bytes of a number, the lowest byte first.
    case bytes(number: UInt64, count: Int32)
}

extension FixtureCell {
    /// Returns a number in units of 10 to the power of -scale as the nearest floating-point number.
    @inline(__always)
    package static func double(_ units: Int64, scale: Int) -> Double { Double(units) / powersOfTen[scale] }

    /// The powers of ten, all of which are exact.
    private static let powersOfTen: [Double] = (0...18).map { scale in
        (0..<scale).reduce(1.0) { power, _ in power * 10 }
    }

    /// Returns the seconds of an instant as the nearest interval of a `Date`.
    ///
    /// Only dates near 2001 have nanoseconds. Their total number of nanoseconds is exact in a `Double`, so that the
    /// division is the only rounding.
    @inline(__always)
    package static func interval(_ seconds: Int64, _ nanoseconds: Int32) -> Double {
        nanoseconds == 0 ? Double(seconds) : Double(seconds * 1_000_000_000 + Int64(nanoseconds)) / 1e9
    }
}
