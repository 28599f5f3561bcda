/// Short ASCII texts made without asking the standard library, which takes several times as long to look at 15 bytes as to copy them.
///
/// A `String` of up to 15 bytes of UTF-8 holds them itself. How, the language does not promise: it is compared once, for every length, with texts that
/// the standard library made, and where one differs all texts are made by it.
@usableFromInline
package enum SmallText {
    /// The most bytes a text holds itself.
    @usableFromInline static let limit = 15

    /// Whether texts look as they are made here.
    @usableFromInline static let isKnown = check()

    /// The two words of a short text.
    ///
    /// - Parameters:
    ///   - start: The first byte.
    ///   - count: How many bytes there are, 1 to ``limit``.
    /// - Returns: The words; `nil` where a byte is not ASCII.
    @inlinable
    @inline(__always)
    static func words(_ start: UnsafeRawPointer, count: Int) -> (UInt64, UInt64)? {
        var low: UInt64
        var high: UInt64 = 0
        // Two loads that overlap, since behind the last byte there may be nothing to read.
        if count >= 8 {
            low = start.loadUnaligned(as: UInt64.self)
            high = start.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self) &>> UInt64(8 &* (16 &- count))
            if count == 8 { high = 0 }
        } else if count >= 4 {
            let end = UInt64(start.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self))
            low = UInt64(start.loadUnaligned(as: UInt32.self)) | end &<< UInt64(8 &* (count &- 4))
        } else {
            let middle = UInt64(start.load(fromByteOffset: count &>> 1, as: UInt8.self))
            let end = UInt64(start.load(fromByteOffset: count &- 1, as: UInt8.self))
            low = UInt64(start.load(as: UInt8.self)) | middle &<< UInt64(8 &* (count &>> 1))
            low |= end &<< UInt64(8 &* (count &- 1))
        }
        guard (low | high) & 0x8080_8080_8080_8080 == 0 else { return nil }
        // In the topmost byte: a small text, of ASCII, and the number of its bytes.
        return (low, high | 0xE000_0000_0000_0000 | UInt64(count) &<< 56)
    }

    /// A short text; `nil` where it is not a short one of ASCII, or texts look otherwise.
    @inlinable
    @inline(__always)
    static func string(_ start: UnsafeRawPointer?, count: Int) -> String? {
        guard let start, UInt(bitPattern: count &- 1) < UInt(limit), isKnown,
            let words = words(start, count: count)
        else { return nil }
        // SAFETY: `isKnown` says that these are the words the standard library makes of the same bytes.
        return unsafeBitCast(words, to: String.self)
    }

    /// Compares the texts of every length with the standard library's, bit by bit.
    private static func check() -> Bool {
        guard MemoryLayout<String>.size == MemoryLayout<(UInt64, UInt64)>.size else { return false }
        let bytes = (0..<UInt8(limit)).map { 0x7F - $0 * 7 }
        return (1...limit).allSatisfy { count in
            let known = unsafeBitCast(String(decoding: bytes.prefix(count), as: UTF8.self), to: (UInt64, UInt64).self)
            return bytes.withUnsafeBytes { bytes in
                bytes.baseAddress.flatMap { words($0, count: count) }.map { $0 == known } ?? false
            }
        }
    }
}
