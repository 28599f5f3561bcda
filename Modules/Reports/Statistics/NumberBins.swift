import Foundation

/// Bins of equal width for a histogram, whose edges are multiples of 1, 2 or 5 times a power of ten.
///
/// A bin includes its lower edge and excludes its upper edge. The bins have the smallest width at which at most
/// ``most`` bins cover all numbers. Therefore they depend only on the smallest and the greatest number.
///
/// The width of the bins of integers is at least 1, and that of decimals at least the unit of the last fraction digit.
/// If such bins have the smallest width, each one contains a single number; see ``isDiscrete``.
///
/// Bins of integers and decimals are computed in integers. Bins of doubles are corrected by their edges, because the
/// edges on the page are decimal numbers: 0.3 must be in the bin that begins at 0.3, although 0.1 * 3 is not 0.3 as a
/// double.
struct NumberBins {
    /// The maximum number of bins, which a phone can show as separate columns.
    static let most = 30
    /// The limit of a bin's index for floating-point numbers; the remaining bits are for the position inside a bin.
    private static let indexBits = 0x1p50
    /// The range of the exponents; smaller powers of ten are not normal floating-point numbers.
    private static let leastExponent = -307
    private static let greatestExponent = 308

    private let kind: NumberKind
    /// The factor 1, 2 or 5 by which the power of ten is multiplied to get the width of a bin.
    private let mantissa: Int128
    /// The exponent of the power of ten in the width of a bin.
    private let exponent: Int
    /// Ten to the magnitude of the exponent, which is exact up to 10^22 and the nearest double beyond.
    private let power: Double
    /// The width of a bin of integers, in units of the last fraction digit.
    private let width: Int128
    /// The lower edge of the first bin, in multiples of the width.
    private let first: Int128
    /// The number of bins, at least 1.
    let count: Int

    /// Creates the bins for the numbers between two keys.
    init(_ kind: NumberKind, least: UInt64, greatest: UInt64) {
        let start: Int
        switch kind {
        case .whole(let scale): start = -Int(scale)
        case .real:
            let (low, high) = (NumberKind.real(ofKey: least), NumberKind.real(ofKey: greatest))
            let width = max(high / Double(Self.most) - low / Double(Self.most), max(-low, high) / Self.indexBits)
            // The search begins one below the estimate, because the logarithm is not exact.
            start = width > 0 ? max(Self.leastExponent, Int(log10(width).rounded(.down)) - 1) : 0
        }
        var chosen: Self?
        var exponent = start
        search: while exponent <= Self.greatestExponent {
            for mantissa: Int128 in [1, 2, 5] {
                guard let bins = Self(kind, mantissa: mantissa, exponent: exponent, least: least, greatest: greatest)
                else { continue }
                chosen = bins
                break search
            }
            exponent += 1
        }
        // The widest bins cover all numbers, so the search always succeeds.
        self = chosen ?? Self(kind, mantissa: 1, exponent: start, first: 0, count: 1)
    }

    /// Creates bins without a check that they cover all numbers.
    private init(_ kind: NumberKind, mantissa: Int128, exponent: Int, first: Int128, count: Int) {
        self.kind = kind
        self.mantissa = mantissa
        self.exponent = exponent
        power = Self.power(abs(exponent))
        var width = mantissa
        if case .whole(let scale) = kind {
            // A width of twenty digits exceeds every integer, so that 0 and -1 are the only bins.
            for _ in 0..<min(20, exponent + Int(scale)) { width *= 10 }
        }
        self.width = width
        self.first = first
        self.count = count
    }

    /// Creates bins of a width, or returns `nil` if too many bins are needed or the bins cannot be distinguished.
    private init?(_ kind: NumberKind, mantissa: Int128, exponent: Int, least: UInt64, greatest: UInt64) {
        let probe = Self(kind, mantissa: mantissa, exponent: exponent, first: 0, count: 1)
        guard let low = probe.place(of: least), let high = probe.place(of: greatest), high - low < Int128(Self.most)
        else { return nil }
        self.init(kind, mantissa: mantissa, exponent: exponent, first: low, count: Int(high - low) + 1)
    }

    /// Returns the index of the bin that contains the number with a key.
    ///
    /// - Parameter key: The key; that of a number outside all bins results in the first or the last bin.
    /// - Returns: The index, from 0 and less than ``count``.
    /// - Complexity: O(1).
    func index(ofKey key: UInt64) -> Int {
        let place = (place(of: key) ?? first) - first
        return Int(min(max(place, 0), Int128(count - 1)))
    }

    /// Returns the lower edge of a bin, or the upper edge of the last bin if the index is ``count``.
    func edge(_ index: Int) -> DecimalNumber {
        DecimalNumber((first + Int128(index)) * mantissa, exponent: exponent)
    }

    /// A Boolean value that indicates whether each bin contains a single number.
    var isDiscrete: Bool {
        if case .whole(let scale) = kind { mantissa == 1 && exponent == -Int(scale) } else { false }
    }

    /// Returns a Boolean value that indicates whether an edge is a multiple of `stride` widths.
    ///
    /// Such an edge is a rounder number than its neighbors.
    func isMultiple(_ index: Int, of stride: Int) -> Bool { (first + Int128(index)).isMultiple(of: Int128(stride)) }

    /// Returns the horizontal position of a number in the chart, from 0 to 1, with bins of equal width.
    func fraction(ofKey key: UInt64) -> Double {
        let index = index(ofKey: key)
        if isDiscrete { return (Double(index) + 0.5) / Double(count) }
        let low = number(edge(index))
        let high = number(edge(index + 1))
        let number = number(kind.number(ofKey: key))
        let inside = (number / 2 - low / 2) / (high / 2 - low / 2)
        let part = inside.isFinite ? min(max(inside, 0), 1) : 0
        return (Double(index) + part) / Double(count)
    }

    /// Returns the double nearest to a decimal number.
    private func number(_ number: DecimalNumber) -> Double {
        Double(number.coefficient) * Self.power(number.exponent)
    }

    /// Returns the index of a number's bin, counted from the bin that begins at zero; `nil` if the index is too large.
    private func place(of key: UInt64) -> Int128? {
        switch kind {
        case .whole:
            let number = Int128(NumberKind.whole(ofKey: key))
            let quotient = number / width
            return quotient * width > number ? quotient - 1 : quotient
        case .real:
            let number = NumberKind.real(ofKey: key)
            let estimate = (exponent < 0 ? number * power : number / power) / Double(mantissa)
            guard estimate.magnitude < Self.indexBits else { return nil }
            var place = Int128(estimate.rounded(.down))
            // The quotient was rounded, so it is corrected; the edges are the doubles nearest to the decimals on the
            // page.
            while edgeNumber(place + 1) <= number { place += 1 }
            while edgeNumber(place) > number { place -= 1 }
            return place
        }
    }

    /// Returns the lower edge of a bin, counted from the bin that begins at zero, as a double.
    private func edgeNumber(_ place: Int128) -> Double {
        let coefficient = Double(place * mantissa)
        return exponent < 0 ? coefficient / power : coefficient * power
    }

    /// Returns the double nearest to a power of ten, which `pow` does not guarantee.
    private static func power(_ exponent: Int) -> Double { Double("1e\(exponent)") ?? .infinity }
}
