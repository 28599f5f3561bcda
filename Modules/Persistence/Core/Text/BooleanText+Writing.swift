extension BooleanText {
    /// Appends the text of a Boolean value: `true` or `false`.
    ///
    /// - Parameters:
    ///   - value: The Boolean value.
    ///   - bytes: The array to which the ASCII text is appended.
    public static func append(_ value: Bool, to bytes: inout [UInt8]) {
        ByteBuffer.append(to: &bytes) { write(value, to: &$0) }
    }

    @inlinable
    package static func write(_ value: Bool, to buffer: inout ByteBuffer) {
        value ? buffer.append("true" as StaticString) : buffer.append("false" as StaticString)
    }
}
