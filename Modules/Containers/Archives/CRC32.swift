/// The checksum CRC-32 of ZIP archives and gzip files.
package struct CRC32 {
    private var register: UInt32 = 0xFFFF_FFFF

    /// Four tables of 256 values, with which four bytes are processed at a time.
    private static let tables: [UInt32] = {
        var tables = [UInt32](repeating: 0, count: 1024)
        for byte in 0..<256 {
            var value = UInt32(byte)
            for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
            tables[byte] = value
        }
        for byte in 0..<256 {
            for table in 1..<4 {
                let previous = tables[(table - 1) * 256 + byte]
                tables[table * 256 + byte] = previous >> 8 ^ tables[Int(previous & 0xFF)]
            }
        }
        return tables
    }()

    /// Creates the checksum of no bytes.
    package init() {}

    /// The checksum of all bytes so far.
    package var value: UInt32 { ~register }

    /// Adds bytes to the checksum.
    package mutating func update(_ bytes: Span<UInt8>) {
        let tables = Self.tables.span
        var (value, index) = (register, 0)
        while bytes.count - index >= 4 {
            value ^=
                UInt32(bytes[index]) | UInt32(bytes[index + 1]) << 8 | UInt32(bytes[index + 2]) << 16
                | UInt32(bytes[index + 3]) << 24
            value =
                tables[768 + Int(value & 0xFF)] ^ tables[512 + Int(value >> 8 & 0xFF)]
                ^ tables[256 + Int(value >> 16 & 0xFF)] ^ tables[Int(value >> 24)]
            index += 4
        }
        while index < bytes.count {
            value = value >> 8 ^ tables[Int((value ^ UInt32(bytes[index])) & 0xFF)]
            index += 1
        }
        register = value
    }

    /// Returns the checksum of bytes.
    package static func of(_ bytes: [UInt8]) -> UInt32 {
        var checksum = CRC32()
        checksum.update(bytes.span)
        return checksum.value
    }
}
