extension IntegerText {
    /// Appends the digits of a whole number without creating a string.
    ///
    /// - Parameters:
    ///   - value: The number.
    ///   - bytes: The array to which the ASCII text is appended.
    public static func append(_ value: Int64, to bytes: inout [UInt8]) {
        ByteBuffer.append(to: &bytes) { write(value, to: &$0) }
    }

    /// The two digits of each number from 00 to 99; writing two digits at a time halves the count of divisions.
    @inlinable
    @inline(__always)
    static var pairs: UnsafePointer<UInt8> {
        let text: StaticString = """
            00010203040506070809101112131415161718192021222324252627282930313233343536373839404142434445464748\
            49505152535455565758596061626364656667686970717273747576777879808182838485868788899091929394959697\
            9899
            """
        return text.utf8Start
    }

    /// The length of the longest text: a sign and 19 digits, or 20 digits.
    @inlinable package static var maximumLength: Int { 20 }

    @inlinable
    package static func write(_ value: Int64, to buffer: inout ByteBuffer) {
        if value < 0 { buffer.append(UInt8(ascii: "-")) }
        write(value.magnitude, to: &buffer)
    }

    @inlinable
    @inline(__always)
    package static func write(_ value: UInt64, to buffer: inout ByteBuffer) {
        let count = digitCount(value)
        buffer.write(atMost: maximumLength) { start in
            put(value, digits: count, at: start)
            return count
        }
    }

    /// Writes an exact count of digits, with leading zeros.
    @inlinable
    @inline(__always)
    package static func put(_ value: UInt64, digits: Int, at start: UnsafeMutablePointer<UInt8>) {
        var rest = value
        var place = digits
        let pairs = pairs
        while place >= 2 {
            let (quotient, pair) = rest.quotientAndRemainder(dividingBy: 100)
            place -= 2
            start[place] = pairs[Int(truncatingIfNeeded: pair &* 2)]
            start[place + 1] = pairs[Int(truncatingIfNeeded: pair &* 2 &+ 1)]
            rest = quotient
        }
        if place == 1 { start[0] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10) }
    }

    @inlinable
    @inline(__always)
    static func digitCount(_ value: UInt64) -> Int {
        var count = 1
        var rest = value
        while rest >= 10_000 {
            rest /= 10_000
            count += 4
        }
        return count + (rest >= 10 ? 1 : 0) + (rest >= 100 ? 1 : 0) + (rest >= 1000 ? 1 : 0)
    }
}
