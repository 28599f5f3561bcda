/// A CRC-32 checksum as in ISO 3309, Ethernet and zip (polynomial 0xEDB88320), computed for eight bytes at a time.
struct Checksum {
    private var state: UInt32 = 0xFFFF_FFFF

    /// The checksum of all bytes that were added.
    var value: UInt32 { ~state }

    /// The tables with which eight bytes are added at a time: one table for each byte, with an entry for each value of
    /// the byte.
    private static let tables: [UInt32] = {
        var tables = [UInt32](repeating: 0, count: 8 * 256)
        for byte in 0..<256 {
            var value = UInt32(byte)
            for _ in 0..<8 { value = value >> 1 ^ (value & 1 == 0 ? 0 : 0xEDB8_8320) }
            tables[byte] = value
        }
        for place in 256..<8 * 256 {
            let before = tables[place - 256]
            tables[place] = before >> 8 ^ tables[Int(before & 0xFF)]
        }
        return tables
    }()

    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        var state = state
        Self.tables.withUnsafeBufferPointer { tables in
            var index = 0
            while index + 8 <= bytes.count {
                let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
                let mixed = word ^ UInt64(state)
                state = 0
                for byte in 0..<8 {
                    state ^= tables[(7 - byte) * 256 + Int(mixed >> (8 * UInt64(byte)) & 0xFF)]
                }
                index += 8
            }
            while index < bytes.count {
                state = state >> 8 ^ tables[Int((state ^ UInt32(bytes[index])) & 0xFF)]
                index += 1
            }
        }
        self.state = state
    }

    mutating func add(_ bytes: [UInt8]) { bytes.withUnsafeBytes { add($0) } }
}
