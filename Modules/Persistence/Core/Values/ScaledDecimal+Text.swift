extension ScaledDecimal: CustomStringConvertible {
    /// The number with exactly as many fraction digits as its ``scale``: `100.10`, `-0.05`, `3`.
    public var description: String {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the number's text, as in ``description``, without creating a string.
    ///
    /// - Parameter bytes: The buffer to which the ASCII text is appended.
    public func append(to bytes: inout [UInt8]) {
        if unscaled < 0 { bytes.append(UInt8(ascii: "-")) }
        let power = UInt64(PowersOfTen.power(ofScale: scale))
        let (whole, fraction) = unscaled.magnitude.quotientAndRemainder(dividingBy: power)
        Self.append(whole, minimumDigits: 1, to: &bytes)
        guard scale > 0 else { return }
        bytes.append(UInt8(ascii: "."))
        Self.append(fraction, minimumDigits: Int(scale), to: &bytes)
    }

    private static func append(_ number: UInt64, minimumDigits: Int, to bytes: inout [UInt8]) {
        let start = bytes.count
        var number = number
        while number != 0 || bytes.count - start < minimumDigits {
            let (rest, digit) = number.quotientAndRemainder(dividingBy: 10)
            bytes.append(UInt8(ascii: "0") + UInt8(digit))
            number = rest
        }
        bytes[start...].reverse()
    }
}

extension ScaledDecimal: Codable {
    /// Reads the number from its text, such as `"12.50"`, so that no encoder converts it to a floating-point number.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let value = ScaledDecimal(text) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "\"\(text)\" is not a decimal number of at most 18 fraction digits in 64 bits."
            )
        }
        self = value
    }

    /// Writes the number as its text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
