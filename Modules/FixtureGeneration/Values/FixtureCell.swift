/// A value of a row in the form in which it is made: numbers, and numbers of texts, so that making one allocates nothing.
package enum FixtureCell: Hashable, Sendable {
    case null
    /// A whole number, a decimal as its units, or the identifier that a reference holds.
    case integer(Int64)
    case boolean(Bool)
    /// A floating-point number, or seconds since 2001-01-01T00:00:00Z that are no whole number.
    case real(Double)
    /// Seconds since 2001-01-01T00:00:00Z, and nanoseconds to be added.
    case date(seconds: Int64, nanoseconds: Int32)
    /// The upper and the lower 64 bits.
    case uuid(UInt64, UInt64)
    /// Red, green and blue, in 24 bits.
    case color(UInt32)
    /// A text's number in the ``TextPool``.
    case text(Int32)
    /// Two texts with a space between them.
    case pair(Int32, Int32)
    /// A text and a number of so many digits behind it.
    case code(prefix: Int32, number: UInt64, digits: Int32)
    /// A text of a grammar in the plan's numbers: its place, and the number of the text.
    case made(grammar: Int32, number: UInt64)
    /// So many bytes, which begin with those of a number, the lowest first.
    case bytes(number: UInt64, count: Int32)
}

extension FixtureCell {
    /// A number of units of 10 to the power of -scale as the nearest floating-point number.
    @inline(__always)
    package static func double(_ units: Int64, scale: Int) -> Double { Double(units) / powersOfTen[scale] }

    /// Each is exact.
    private static let powersOfTen: [Double] = (0...18).map { scale in
        (0..<scale).reduce(1.0) { power, _ in power * 10 }
    }

    /// The seconds of an instant as the nearest that a `Date` has.
    ///
    /// Nanoseconds are added to dates near 2001 only, where all of them together are exact in a `Double`, so that one division rounds once.
    @inline(__always)
    package static func interval(_ seconds: Int64, _ nanoseconds: Int32) -> Double {
        nanoseconds == 0 ? Double(seconds) : Double(seconds * 1_000_000_000 + Int64(nanoseconds)) / 1e9
    }
}
