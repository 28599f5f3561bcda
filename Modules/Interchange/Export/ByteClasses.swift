/// A table that contains the classes of each byte value for a format.
struct ByteClasses: Sendable {
    /// The class of the bytes that require quotes or escapes around the text.
    static let special: UInt8 = 1
    /// The class of the bytes beyond ASCII, which require that the text is validated as UTF-8.
    static let beyondASCII: UInt8 = 2

    private let table: FixedArray<UInt8>

    init(special: (UInt8) -> Bool) {
        table = FixedArray(
            (UInt8.min...UInt8.max).map { byte in
                (special(byte) ? Self.special : 0) | (byte >= 0x80 ? Self.beyondASCII : 0)
            })
    }

    /// Returns the classes of all bytes of a text, combined.
    @inline(__always)
    func classes(in bytes: UnsafeBufferPointer<UInt8>) -> UInt8 {
        let table = table.elements
        var found: UInt8 = 0
        for byte in bytes { found |= table[Int(byte)] }
        return found
    }

    @inline(__always)
    func isSpecial(_ byte: UInt8) -> Bool { table.elements[Int(byte)] & Self.special != 0 }
}
