/// The block function of SHA-1 (FIPS 180-4).
///
/// SHA-1 does not prevent an attacker from making another file with the same digest. It detects a file that was
/// truncated or edited.
struct SHA1Rounds: HashRounds {
    static let blockSize = 64
    static let lengthSize = 8
    static let isBigEndian = true

    private var state: [UInt32] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0]

    var bytes: [UInt8] { Self.bytes(of: state) }

    mutating func mix(_ block: UnsafeRawBufferPointer) {
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 80) { words in
            for place in 0..<16 {
                words[place] = UInt32(bigEndian: block.loadUnaligned(fromByteOffset: place * 4, as: UInt32.self))
            }
            for place in 16..<80 {
                words[place] = Self.turn(
                    words[place - 3] ^ words[place - 8] ^ words[place - 14] ^ words[place - 16], 1)
            }
            var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
            for place in 0..<80 {
                let mixed: UInt32
                let constant: UInt32
                switch place {
                case ..<20: (mixed, constant) = (b & c | ~b & d, 0x5a82_7999)
                case ..<40: (mixed, constant) = (b ^ c ^ d, 0x6ed9_eba1)
                case ..<60: (mixed, constant) = (b & c | b & d | c & d, 0x8f1b_bcdc)
                default: (mixed, constant) = (b ^ c ^ d, 0xca62_c1d6)
                }
                let next = Self.turn(a, 5) &+ mixed &+ e &+ constant &+ words[place]
                (e, d, c, b, a) = (d, c, Self.turn(b, 30), a, next)
            }
            for (place, word) in [a, b, c, d, e].enumerated() { state[place] &+= word }
        }
    }

    private static func turn(_ word: UInt32, _ count: UInt32) -> UInt32 { word &<< count | word &>> (32 &- count) }
}
