/// An accumulator of the mean of many numbers in constant memory.
///
/// The sum of integers and decimals is exact, in 128 bits. The sum of doubles is compensated, so that its error does
/// not grow with the count of numbers. Very large doubles have a separate, scaled sum, because a few of them could
/// exceed the range of a double.
struct MeanAccumulator {
    /// The limit beyond which numbers are scaled, because their sum could be infinite.
    private static let large: Double = 0x1p900
    private static let scaling: Double = 0x1p128

    /// The exact sum of integers, in units of the last fraction digit.
    private var whole: Int128 = 0
    /// The sum of the doubles that are not large.
    private var ordinary = CompensatedSum()
    /// The sum of the large numbers, each divided by `scaling`.
    private var scaled = CompensatedSum()
    private var count = 0

    /// Adds a number by its key.
    mutating func add(_ key: UInt64, _ kind: NumberKind) {
        count += 1
        switch kind {
        // 2^63 numbers of 63 bits fit in 127.
        case .whole: whole += Int128(NumberKind.whole(ofKey: key))
        case .real:
            let number = NumberKind.real(ofKey: key)
            if number.magnitude < Self.large {
                ordinary.add(number)
            } else {
                scaled.add(number / Self.scaling)
            }
        }
    }

    /// Returns the mean, or `nil` if there are no numbers.
    ///
    /// The mean of integers has two more fraction digits than the numbers. The mean of floating-point numbers has 12
    /// digits.
    func mean(_ kind: NumberKind) -> DecimalNumber? {
        guard count > 0 else { return nil }
        switch kind {
        case .whole(let scale):
            let (quotient, remainder) = whole.quotientAndRemainder(dividingBy: Int128(count))
            let exact = DecimalNumber(quotient * 1000 + remainder * 1000 / Int128(count), exponent: -Int(scale) - 3)
            return exact.rounded(toExponent: -Int(scale) - 2)
        case .real:
            let count = Double(count)
            let mean = ordinary.value / count + scaled.value / count * Self.scaling
            return DecimalNumber(mean).rounded(toDigits: 12)
        }
    }
}

/// A compensated sum, which retains the rounding errors (Neumaier).
private struct CompensatedSum {
    private var sum: Double = 0
    private var compensation: Double = 0

    var value: Double { sum + compensation }

    mutating func add(_ number: Double) {
        let next = sum + number
        compensation += sum.magnitude >= number.magnitude ? (sum - next) + number : (number - next) + sum
        sum = next
    }
}
