/// The first bytes of an input, which choose the options; what follows them is the file.
public struct Choices {
    private let bytes: [UInt8]
    private var position = 0

    /// Takes the bytes that libFuzzer gives.
    public init(_ bytes: UnsafePointer<UInt8>?, _ count: Int) {
        self.bytes = Array(UnsafeBufferPointer(start: bytes, count: count))
    }

    /// The next byte; 0 where there is none.
    public mutating func byte() -> Int {
        guard position < bytes.count else { return 0 }
        position += 1
        return Int(bytes[position - 1])
    }

    /// One of several values.
    public mutating func choice<Value>(_ values: [Value]) -> Value { values[byte() % values.count] }

    /// What is left.
    public mutating func rest() -> [UInt8] {
        defer { position = bytes.count }
        return Array(bytes[position...])
    }
}
