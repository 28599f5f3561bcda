/// The first bytes of an input, which determine the options; the remaining bytes are the file.
public struct Choices {
    private let bytes: [UInt8]
    private var position = 0

    /// Copies the bytes from libFuzzer.
    public init(_ bytes: UnsafePointer<UInt8>?, _ count: Int) {
        self.bytes = Array(UnsafeBufferPointer(start: bytes, count: count))
    }

    /// Returns the next byte, or 0 at the end.
    public mutating func byte() -> Int {
        guard position < bytes.count else { return 0 }
        position += 1
        return Int(bytes[position - 1])
    }

    /// Returns one of several values.
    public mutating func choice<Value>(_ values: [Value]) -> Value { values[byte() % values.count] }

    /// Returns the remaining bytes.
    public mutating func rest() -> [UInt8] {
        defer { position = bytes.count }
        return Array(bytes[position...])
    }
}
