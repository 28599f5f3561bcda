import Foundation
import StrataCore

/// A writer of a binary store's blocks, each of which is followed by its checksum.
final class BlockWriter {
    private let output: any AtomicOutput
    private let identifier: UUID
    private var buffer = ByteBuffer(capacity: 2 * BinaryHeader.blockSize)
    private var number: UInt32 = 0
    private(set) var payload: UInt64 = 0

    init(_ output: any AtomicOutput, identifier: UUID) {
        (self.output, self.identifier) = (output, identifier)
    }

    /// Writes all full blocks to the output.
    func drain() throws {
        guard buffer.count >= BinaryHeader.blockSize else { return }
        let bytes = UnsafeRawBufferPointer(buffer.bytes)
        var start = 0
        while bytes.count - start >= BinaryHeader.blockSize {
            try write(UnsafeRawBufferPointer(rebasing: bytes[start..<start + BinaryHeader.blockSize]))
            start += BinaryHeader.blockSize
        }
        var rest = ByteBuffer(capacity: 2 * BinaryHeader.blockSize)
        rest.append(UnsafeBufferPointer(rebasing: buffer.bytes[start...]))
        swap(&buffer, &rest)
    }

    /// Writes the last block, which may be smaller than the others, to the output.
    func finish() throws {
        try drain()
        if buffer.count > 0 { try write(UnsafeRawBufferPointer(buffer.bytes)) }
    }

    private func write(_ bytes: UnsafeRawBufferPointer) throws {
        try output.write(bytes)
        let checksum = Self.checksum(of: bytes, number: number, identifier: identifier)
        try checksum.littleEndianBytes.withUnsafeBytes { try output.write($0) }
        number += 1
        payload += UInt64(bytes.count)
    }

    /// Returns the checksum of a block, in which the store's identifier and the block's number are included.
    ///
    /// Because of them, the checksum also detects a block from another position or from another store.
    static func checksum(of bytes: UnsafeRawBufferPointer, number: UInt32, identifier: UUID) -> UInt32 {
        var checksum = Checksum()
        checksum.add(identifier.bytes)
        checksum.add(number.littleEndianBytes)
        checksum.add(bytes)
        return checksum.value
    }

    // MARK: Values

    func put(_ byte: UInt8) { buffer.append(byte) }

    /// Appends an unsigned number in bytes of seven bits each, the lowest bits first.
    func put(count value: UInt64) {
        var value = value
        while value >= 0x80 {
            buffer.append(UInt8(truncatingIfNeeded: value) | 0x80)
            value >>= 7
        }
        buffer.append(UInt8(truncatingIfNeeded: value))
    }

    func put(count value: Int) { put(count: UInt64(value)) }

    /// Appends a signed number, whose sign becomes the lowest bit, so that numbers near 0 have few bytes.
    func put(_ value: Int64) { put(count: UInt64(bitPattern: value << 1 ^ value >> 63)) }

    func put(_ value: Double) { for byte in value.bitPattern.littleEndianBytes { buffer.append(byte) } }

    func put(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            put(count: bytes.count)
            buffer.append(bytes)
        }
    }

    func put(_ data: Data) {
        put(count: data.count)
        data.withUnsafeBytes { buffer.append($0.bindMemory(to: UInt8.self)) }
    }
}
