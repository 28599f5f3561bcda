import Foundation
import StrataContainers
import StrataTestSupport
import Testing

/// Tests of the decompression and compression of DEFLATE.
@Suite("DEFLATE")
struct InflateTests {
    static func inflated(_ bytes: [UInt8], limit: Int = 1 << 24, blockSize: Int = .max) throws -> [UInt8] {
        try Inflate(ByteArraySource(bytes, blockSize: blockSize), limit: limit).contents(atMost: limit)
    }

    /// Returns bytes in which texts repeat at random distances.
    static func sample(_ seed: UInt64, _ count: Int) -> [UInt8] {
        var generator = SeededGenerator(seed: seed)
        var bytes: [UInt8] = []
        while bytes.count < count {
            if bytes.count > 10, Bool.random(using: &generator) {
                let distance = Int.random(in: 1...min(bytes.count, 40_000), using: &generator)
                for _ in 0..<Int.random(in: 3...300, using: &generator) { bytes.append(bytes[bytes.count - distance]) }
            } else {
                bytes.append(UInt8.random(in: 0...255, using: &generator))
            }
        }
        return bytes
    }
}
