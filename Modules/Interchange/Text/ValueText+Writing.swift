public import Foundation
import StrataPersistence

extension DoubleText {
    /// Appends the shortest text that reads back as the same double: `0.1`, `1e+20`, `-5.0`.
    ///
    /// - Parameters:
    ///   - value: A finite number; one that is not finite has no text.
    ///   - bytes: The ASCII text is added at the end.
    /// - Throws: When the number is not finite.
    public static func append(_ value: Double, to bytes: inout [UInt8]) throws(InvalidText) {
        try ByteBuffer.append(to: &bytes) { (buffer: inout ByteBuffer) throws(InvalidText) in
            try write(value, to: &buffer)
        }
    }

    static func write(_ value: Double, to buffer: inout ByteBuffer) throws(InvalidText) {
        guard value.isFinite else { throw InvalidText("\(value) is not a finite number and has no text") }
        buffer.append(value.description)
    }
}

extension BooleanText {
    /// Appends `true` or `false`.
    ///
    /// - Parameters:
    ///   - value: The truth value.
    ///   - bytes: The ASCII text is added at the end.
    public static func append(_ value: Bool, to bytes: inout [UInt8]) {
        ByteBuffer.append(to: &bytes) { write(value, to: &$0) }
    }

    static func write(_ value: Bool, to buffer: inout ByteBuffer) {
        value ? buffer.append("true" as StaticString) : buffer.append("false" as StaticString)
    }
}

extension UUIDText {
    /// Appends the UUID's 36 characters, letters in upper case.
    ///
    /// - Parameters:
    ///   - value: Any UUID.
    ///   - bytes: The ASCII text is added at the end.
    public static func append(_ value: UUID, to bytes: inout [UInt8]) {
        ByteBuffer.append(to: &bytes) { write(value, to: &$0) }
    }

    static func write(_ value: UUID, to buffer: inout ByteBuffer) {
        buffer.append(value.uuidString)
    }

    /// Whether the bytes are a UUID as it is written: 36 characters, letters in upper case.
    static func isCanonical(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard bytes.count == 36 else { return false }
        for (index, byte) in bytes.enumerated() {
            switch index {
            case 8, 13, 18, 23: guard byte == UInt8(ascii: "-") else { return false }
            default:
                let isDigit = byte &- UInt8(ascii: "0") <= 9
                guard isDigit || byte &- UInt8(ascii: "A") <= 5 else { return false }
            }
        }
        return true
    }
}

extension BinaryText {
    /// Appends the data as base64.
    ///
    /// - Parameters:
    ///   - value: Any data.
    ///   - bytes: The ASCII text is added at the end.
    public static func append(_ value: Data, to bytes: inout [UInt8]) {
        ByteBuffer.append(to: &bytes) { buffer in value.withUnsafeBytes { write($0, to: &buffer) } }
    }

    static func write(_ value: UnsafeRawBufferPointer, to buffer: inout ByteBuffer) {
        let letters = ("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/" as StaticString).utf8Start
        buffer.write(atMost: (value.count + 2) / 3 * 4) { target in
            var place = 0
            for start in stride(from: 0, to: value.count, by: 3) {
                let rest = value.count - start
                let group =
                    UInt32(value[start]) << 16 | (rest > 1 ? UInt32(value[start + 1]) << 8 : 0)
                    | (rest > 2 ? UInt32(value[start + 2]) : 0)
                target[place] = letters[Int(group >> 18)]
                target[place + 1] = letters[Int(group >> 12 & 63)]
                target[place + 2] = rest > 1 ? letters[Int(group >> 6 & 63)] : UInt8(ascii: "=")
                target[place + 3] = rest > 2 ? letters[Int(group & 63)] : UInt8(ascii: "=")
                place += 4
            }
            return place
        }
    }
}

/// Decimals as text: all digits that the scale has, as in `100.10`.
enum DecimalText {
    static func write(_ value: ScaledDecimal, to buffer: inout ByteBuffer) {
        if value.unscaled < 0 { buffer.append(UInt8(ascii: "-")) }
        guard value.scale > 0 else { return IntegerText.write(value.unscaled.magnitude, to: &buffer) }
        let power = powers[Int(value.scale)]
        let (whole, fraction) = value.unscaled.magnitude.quotientAndRemainder(dividingBy: power)
        IntegerText.write(whole, to: &buffer)
        buffer.append(UInt8(ascii: "."))
        let digits = Int(value.scale)
        buffer.write(atMost: digits) { start in
            IntegerText.put(fraction, digits: digits, at: start)
            return digits
        }
    }

    private static let powers: [UInt64] = (0...18).map { (0..<$0).reduce(1) { power, _ in power * 10 } }
}
