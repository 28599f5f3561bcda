/// What one digest does with a block, by which they differ.
protocol HashRounds {
    /// How many bytes a block has.
    static var blockSize: Int { get }
    /// How many bytes the length takes at the end.
    static var lengthSize: Int { get }
    /// Whether the length, and the words of the digest, have their big end first.
    static var isBigEndian: Bool { get }

    init()

    /// Takes a whole block.
    mutating func mix(_ block: UnsafeRawBufferPointer)

    /// The state as bytes.
    var bytes: [UInt8] { get }
}

/// A digest of bytes that come piece by piece, as MD5 and the SHA family make it: blocks, of which the last ends with the length.
struct StreamedHash<Rounds: HashRounds> {
    private var rounds = Rounds()
    /// What does not fill a block yet.
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

    /// The digest in hexadecimal digits; nothing may come afterwards.
    mutating func finish() -> String {
        let bitCount = byteCount * 8
        var padding: [UInt8] = [0x80]
        while (rest.count + padding.count) % Rounds.blockSize != Rounds.blockSize - Rounds.lengthSize {
            padding.append(0)
        }
        // No file has so many bytes that the upper half of a long length is anything.
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
    /// The bytes of words.
    static func bytes<Word: FixedWidthInteger>(of words: [Word]) -> [UInt8] {
        words.flatMap { word in withUnsafeBytes(of: isBigEndian ? word.bigEndian : word.littleEndian, Array.init) }
    }
}
