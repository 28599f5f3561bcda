import Foundation

/// Bins of one width for a histogram, whose edges are multiples of 1, 2 or 5 times a power of ten.
///
/// A bin holds its lower edge and not its upper one. The bins are the narrowest of which no more than ``most`` cover
/// all numbers, so that they depend on the least and the greatest number only.
struct NumberBins {
    /// As many columns as a phone shows apart.
    static let most = 30
    /// So many bits of a floating-point number tell a bin from the next, the rest is left for the place inside it.
    private static let indexBits = 0x1p50
    /// Powers of ten below this are no exact floating-point numbers.
    private static let leastExponent = -307
    private static let greatestExponent = 308

    private let kind: NumberKind
    /// 1, 2 or 5.
    private let mantissa: Int128
    private let exponent: Int
    /// Ten to the exponent's magnitude, which is exact up to 10^22 and the nearest number beyond.
    private let power: Double
    /// The width of a bin of whole numbers, as numbers without their point.
    private let width: Int128
    /// The first bin's lower edge in widths.
    private let first: Int128
    /// How many bins there are, at least 1.
    let count: Int

    /// The bins for the numbers from one key to another.
    init(_ kind: NumberKind, least: UInt64, greatest: UInt64) {
        let start: Int
        switch kind {
        case .whole(let scale): start = -Int(scale)
        case .real:
            let (low, high) = (NumberKind.real(ofKey: least), NumberKind.real(ofKey: greatest))
            let width = max(high / Double(Self.most) - low / Double(Self.most), max(-low, high) / Self.indexBits)
            // One lower than the estimate, because the logarithm is one.
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
        // The widest bins cover every number there is, so that the search has found some.
        self = chosen ?? Self(kind, mantissa: 1, exponent: start, first: 0, count: 1)
    }

    private init(_ kind: NumberKind, mantissa: Int128, exponent: Int, first: Int128, count: Int) {
        self.kind = kind
        self.mantissa = mantissa
        self.exponent = exponent
        power = Self.power(abs(exponent))
        var width = mantissa
        if case .whole(let scale) = kind {
            // Twenty digits are wider than every whole number: then 0 and -1 are the only bins.
            for _ in 0..<min(20, exponent + Int(scale)) { width *= 10 }
        }
        self.width = width
        self.first = first
        self.count = count
    }

    /// The bins of a width; nil where too many would be needed, or they could not be told apart.
    private init?(_ kind: NumberKind, mantissa: Int128, exponent: Int, least: UInt64, greatest: UInt64) {
        let probe = Self(kind, mantissa: mantissa, exponent: exponent, first: 0, count: 1)
        guard let low = probe.place(of: least), let high = probe.place(of: greatest), high - low < Int128(Self.most)
        else { return nil }
        self.init(kind, mantissa: mantissa, exponent: exponent, first: low, count: Int(high - low) + 1)
    }

    /// The bin of a number, which lies between those that the bins were made for.
    func index(ofKey key: UInt64) -> Int {
        let place = (place(of: key) ?? first) - first
        return Int(min(max(place, 0), Int128(count - 1)))
    }

    /// The lower edge of a bin, or with ``count`` the upper edge of the last one.
    func edge(_ index: Int) -> DecimalNumber {
        DecimalNumber((first + Int128(index)) * mantissa, exponent: exponent)
    }

    /// Whether each bin holds one number only.
    var isDiscrete: Bool {
        if case .whole(let scale) = kind { mantissa == 1 && exponent == -Int(scale) } else { false }
    }

    /// Whether a bin's edge is a multiple of so many widths, and so a rounder number than its neighbours.
    func isMultiple(_ index: Int, of stride: Int) -> Bool { (first + Int128(index)).isMultiple(of: Int128(stride)) }

    /// How far into the plot a number is, from 0 to 1, with bins of equal width.
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

    private func number(_ number: DecimalNumber) -> Double {
        Double(number.coefficient) * Self.power(number.exponent)
    }

    /// In which bin a number is, counted from zero; nil where it has too many bits before the point for bins so narrow.
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
            // The quotient was rounded; the edges are the doubles nearest to the decimals that the page shows.
            while edgeNumber(place + 1) <= number { place += 1 }
            while edgeNumber(place) > number { place -= 1 }
            return place
        }
    }

    private func edgeNumber(_ place: Int128) -> Double {
        let coefficient = Double(place * mantissa)
        return exponent < 0 ? coefficient / power : coefficient * power
    }

    /// The double nearest to a power of ten; a logarithm's inverse would not be.
    private static func power(_ exponent: Int) -> Double { Double("1e\(exponent)") ?? .infinity }
}
