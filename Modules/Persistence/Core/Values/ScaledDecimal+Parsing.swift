extension ScaledDecimal {
    /// Creates a decimal number from text, exactly; `nil` if that is not possible.
    ///
    /// The text has an optional sign, digits, an optional fraction and an optional exponent: `-12.50`, `+3`, `.5`,
    /// `1.5e3`. Other texts are rejected: spaces, grouping, `5.` and `nan`. The scale is the number of fraction digits
    /// as written (`5.70` has 2, `1.5e3` has 0). Zeros at the end are removed only if the number does not fit
    /// otherwise.
    ///
    /// - Parameter text: The number's text.
    public init?(_ text: some StringProtocol) {
        self.init(utf8: text.utf8)
    }

    /// Creates a decimal number from UTF-8 bytes, exactly; `nil` if that is not possible.
    ///
    /// - Parameter bytes: The number's text, in the form of ``init(_:)-(StringProtocol)``.
    public init?(utf8 bytes: some Collection<UInt8>) {
        let parsed = bytes.withContiguousStorageIfAvailable { ScaledDecimal(utf8: $0.span) }
        guard let result = parsed ?? ScaledDecimal(utf8: Array(bytes).span) else { return nil }
        self = result
    }

    /// Creates a decimal number from UTF-8 bytes in place, exactly; `nil` if that is not possible.
    ///
    /// - Parameter bytes: The number's text, in the form of ``init(_:)-(StringProtocol)``.
    /// - Complexity: O(*n*); allocates nothing.
    public init?(utf8 bytes: Span<UInt8>) {
        var scanner = Scanner()
        guard scanner.scan(bytes) else { return nil }
        guard let result = scanner.result() else { return nil }
        self = result
    }
}

/// A scanner of a number's text: it finds the digits without zeros at the end, and the position of the point.
private struct Scanner {
    private var isNegative = false
    private var magnitude: UInt64 = 0
    private var zerosAtEnd = 0
    private var digits = 0
    private var fractionDigits = 0
    private var exponent = 0

    /// The bound of exponents; a greater one makes any number other than zero too large or too small.
    private static let exponentBound = 1 << 40

    /// Scans a text; returns `false` if it is not a number or has more digits than fit.
    mutating func scan(_ bytes: Span<UInt8>) -> Bool {
        var index = 0
        if index < bytes.count, bytes[index] == UInt8(ascii: "-") || bytes[index] == UInt8(ascii: "+") {
            isNegative = bytes[index] == UInt8(ascii: "-")
            index += 1
        }
        guard scanDigits(bytes, &index) else { return false }
        if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
            index += 1
            let before = digits
            guard scanDigits(bytes, &index) else { return false }
            fractionDigits = digits - before
            guard fractionDigits > 0 else { return false }
        }
        guard digits > 0 else { return false }
        if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") {
            index += 1
            guard scanExponent(bytes, &index) else { return false }
        }
        return index == bytes.count
    }

    private mutating func scanDigits(_ bytes: Span<UInt8>, _ index: inout Int) -> Bool {
        while index < bytes.count {
            let digit = bytes[index] &- UInt8(ascii: "0")
            guard digit <= 9 else { return true }
            index += 1
            digits += 1
            if digit == 0 {
                if magnitude != 0 { zerosAtEnd += 1 }
                continue
            }
            if magnitude == 0 {
                magnitude = UInt64(digit)
                continue
            }
            guard let power = PowersOfTen.power(zerosAtEnd + 1) else { return false }
            let (product, productOverflow) = magnitude.multipliedReportingOverflow(by: power)
            let (sum, sumOverflow) = product.addingReportingOverflow(UInt64(digit))
            guard !productOverflow, !sumOverflow else { return false }
            magnitude = sum
            zerosAtEnd = 0
        }
        return true
    }

    private mutating func scanExponent(_ bytes: Span<UInt8>, _ index: inout Int) -> Bool {
        var isNegative = false
        if index < bytes.count, bytes[index] == UInt8(ascii: "-") || bytes[index] == UInt8(ascii: "+") {
            isNegative = bytes[index] == UInt8(ascii: "-")
            index += 1
        }
        let start = index
        while index < bytes.count {
            let digit = bytes[index] &- UInt8(ascii: "0")
            guard digit <= 9 else { break }
            exponent = min(exponent * 10 + Int(digit), Self.exponentBound)
            index += 1
        }
        if isNegative { exponent = -exponent }
        return index > start
    }

    /// Returns the number with the written scale, or with a smaller one if only that fits.
    func result() -> ScaledDecimal? {
        let written = min(max(0, fractionDigits - exponent), Int(ScaledDecimal.maximumScale))
        guard magnitude != 0 else { return ScaledDecimal(unscaled: 0, scale: UInt8(written)) }
        let power = exponent - fractionDigits + zerosAtEnd
        var scale = written
        while scale >= 0, power + scale >= 0 {
            if let factor = PowersOfTen.power(power + scale) {
                let (product, overflow) = magnitude.multipliedReportingOverflow(by: factor)
                if !overflow, let unscaled = signed(product) {
                    return ScaledDecimal(unscaled: unscaled, scale: UInt8(scale))
                }
            }
            scale -= 1
        }
        return nil
    }

    private func signed(_ magnitude: UInt64) -> Int64? {
        isNegative ? Int64(exactly: -Int128(magnitude)) : Int64(exactly: magnitude)
    }
}
