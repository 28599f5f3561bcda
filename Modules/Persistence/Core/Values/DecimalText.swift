/// The text of decimals, with all digits of the scale, such as `100.10`.
package enum DecimalText {
    package static func write(_ value: ScaledDecimal, to buffer: inout ByteBuffer) {
        if value.unscaled < 0 { buffer.append(UInt8(ascii: "-")) }
        guard value.scale > 0 else { return IntegerText.write(value.unscaled.magnitude, to: &buffer) }
        let power = UInt64(PowersOfTen.power(ofScale: value.scale))
        let (whole, fraction) = value.unscaled.magnitude.quotientAndRemainder(dividingBy: power)
        IntegerText.write(whole, to: &buffer)
        buffer.append(UInt8(ascii: "."))
        let digits = Int(value.scale)
        buffer.write(atMost: digits) { start in
            IntegerText.put(fraction, digits: digits, at: start)
            return digits
        }
    }
}
