extension DoubleText {
    /// Appends the shortest text that parses to the same double: `0.1`, `1e+20`, `-5.0`.
    ///
    /// - Parameters:
    ///   - value: A finite number; other numbers have no text.
    ///   - bytes: The array to which the ASCII text is appended.
    /// - Throws: ``InvalidText`` if the number is not finite.
    public static func append(_ value: Double, to bytes: inout [UInt8]) throws(InvalidText) {
        try ByteBuffer.append(to: &bytes) { (buffer: inout ByteBuffer) throws(InvalidText) in
            try write(value, to: &buffer)
        }
    }

    package static func write(_ value: Double, to buffer: inout ByteBuffer) throws(InvalidText) {
        guard value.isFinite else { throw InvalidText("\(value) is not a finite number and has no text") }
        buffer.append(value.description)
    }
}
