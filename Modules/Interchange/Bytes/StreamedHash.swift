/// The part of a hash algorithm that processes one block of the message.
protocol HashRounds {
    /// The count of bytes in a block of the message.
    static var blockSize: Int { get }
    /// The count of bytes in which the length of the message is encoded at the end of the last block.
    static var lengthSize: Int { get }
    /// A Boolean value that indicates whether the length of the message and the words of the digest are big-endian.
    static var isBigEndian: Bool { get }

    init()

    /// Changes the state of the hash by a whole block of the message.
    mutating func mix(_ block: UnsafeRawBufferPointer)

    /// The state of the hash as bytes, which are the digest after the last block.
    var bytes: [UInt8] { get }
}

/// A computation of an MD5 or SHA digest of bytes that are added in parts.
///
/// The bytes are processed in blocks; the last block ends with the length of all bytes.
struct StreamedHash<Rounds: HashRounds> {
    private var rounds = Rounds()
    /// The added bytes that do not fill a block yet.
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

    /// Returns the digest of all added bytes in hexadecimal digits; no bytes may be added afterwards.
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
    /// Returns the bytes of integers in the byte order of the algorithm.
    static func bytes<Word: FixedWidthInteger>(of words: [Word]) -> [UInt8] {
        words.flatMap { word in withUnsafeBytes(of: isBigEndian ? word.bigEndian : word.littleEndian, Array.init) }
    }
}
