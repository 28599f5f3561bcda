/// The part of a digest algorithm that processes one block.
protocol HashRounds {
    /// The count of bytes in a block.
    static var blockSize: Int { get }
    /// The count of bytes of the length at the end.
    static var lengthSize: Int { get }
    /// A Boolean value that indicates whether the length and the words of the digest are big-endian.
    static var isBigEndian: Bool { get }

    init()

    /// Processes a whole block.
    mutating func mix(_ block: UnsafeRawBufferPointer)

    /// The state as bytes.
    var bytes: [UInt8] { get }
}

/// A digest of bytes that arrive in pieces, as MD5 and the SHA family define it.
///
/// The bytes are processed in blocks; the last block ends with the length.
struct StreamedHash<Rounds: HashRounds> {
    private var rounds = Rounds()
    /// The bytes that do not fill a block yet.
    private var rest: [UInt8] = []
    private var byteCount: UInt64 = 0

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        byteCount += UInt64(bytes.count)
        var start = 0
        if !rest.isEmpty {
            start = min(Rounds.blockSize - rest.count, bytes.count)
            rest.append(contentsOf: bytes[..<start])
            guard rest.count == Rounds.blockSize else { return }
            rest.withUnsafeBytes { rounds.mix($0) }
            rest.removeAll(keepingCapacity: true)
        }
        while bytes.count - start >= Rounds.blockSize {
            rounds.mix(UnsafeRawBufferPointer(rebasing: bytes[start..<start + Rounds.blockSize]))
            start += Rounds.blockSize
        }
        rest.append(contentsOf: bytes[start...])
    }

    /// Returns the digest in hexadecimal digits; nothing may be added afterwards.
    mutating func finish() -> String {
        let bitCount = byteCount * 8
        var padding: [UInt8] = [0x80]
        while (rest.count + padding.count) % Rounds.blockSize != Rounds.blockSize - Rounds.lengthSize {
            padding.append(0)
        }
        // No file has so many bytes that the upper half of a 16-byte length is nonzero.
        var length = [UInt8](repeating: 0, count: Rounds.lengthSize)
        for place in 0..<8 {
            let byte = UInt8(truncatingIfNeeded: bitCount >> UInt64(8 * place))
            length[Rounds.isBigEndian ? Rounds.lengthSize - 1 - place : place] = byte
        }
        padding += length
        padding.withUnsafeBytes { update($0) }
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: rounds.bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}

extension HashRounds {
    /// Returns the bytes of words.
    static func bytes<Word: FixedWidthInteger>(of words: [Word]) -> [UInt8] {
        words.flatMap { word in withUnsafeBytes(of: isBigEndian ? word.bigEndian : word.littleEndian, Array.init) }
    }
}
