import Foundation
import StrataCore

/// A reader of the blocks of a binary store, after their checksums were verified.
///
/// The reader does not rely on lengths in the file: it reads and allocates at most as many bytes as the file contains.
struct BlockReader {
    private let bytes: [UInt8]
    /// The offset in the file of the next byte to read.
    private(set) var offset: Int
    /// The offset in the file at which the current block ends and its checksum begins.
    private var blockEnd: Int
    /// The offset of the end of the file.
    private let end: Int
    /// The count of bytes in the blocks that were not read yet, without checksums.
    private(set) var left: Int

    /// Creates a reader whose first byte follows the header of the file.
    init(_ bytes: [UInt8], _ header: BinaryHeader) {
        self.bytes = bytes
        left = Int(header.payload)
        offset = BinaryHeader.byteCount
        end = header.end
        blockEnd = min(offset + BinaryHeader.blockSize, max(offset, end - BinaryHeader.checksumSize))
    }

    /// Verifies the checksums of all blocks.
    static func check(_ bytes: [UInt8], _ header: BinaryHeader) throws {
        var (start, number) = (BinaryHeader.byteCount, UInt32(0))
        while start < header.end {
            let stop = min(start + BinaryHeader.blockSize, header.end - BinaryHeader.checksumSize)
            let found = bytes[start..<stop].withUnsafeBytes {
                BlockWriter.checksum(of: $0, number: number, identifier: header.identifier)
            }
            guard stop > start, found == UInt32(littleEndian: bytes[stop..<stop + BinaryHeader.checksumSize]) else {
                throw FormatError(
                    "the file is damaged in the \(stop - start) bytes from here on: checksum mismatch",
                    at: start)
            }
            start = stop + BinaryHeader.checksumSize
            number += 1
        }
    }

    private mutating func skipChecksum() {
        guard offset == blockEnd, left > 0 else { return }
        offset += BinaryHeader.checksumSize
        blockEnd = min(offset + BinaryHeader.blockSize, end - BinaryHeader.checksumSize)
    }

    private func error(_ message: String) -> FormatError { FormatError(message, at: offset) }

    mutating func byte() throws -> UInt8 {
        skipChecksum()
        guard left > 0 else { throw error("the rows end in the middle of a row") }
        let byte = bytes[offset]
        offset += 1
        left -= 1
        return byte
    }

    /// Reads an unsigned number of one to ten bytes.
    mutating func number() throws -> UInt64 {
        var (value, shift) = (UInt64(0), UInt64(0))
        while true {
            let byte = try byte()
            guard shift < 63 || byte <= 1 else { throw error("a number has more than 64 bits") }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 {
                guard byte > 0 || shift == 0 else { throw error("a number has more bytes than it needs") }
                return value
            }
            shift += 7
        }
    }

    /// Reads the count of elements that follow; throws if the file is too short for that many elements of at least
    /// `size` bytes.
    mutating func count(ofAtLeast size: Int) throws -> Int {
        let start = offset
        let count = try number()
        guard count <= UInt64(left / size) else {
            throw FormatError("\(count) should follow, but the file is too short", at: start)
        }
        return Int(count)
    }

    mutating func signed() throws -> Int64 {
        let value = try number()
        return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }

    mutating func double() throws -> Double {
        var bits: UInt64 = 0
        for place in 0..<UInt64(8) { bits |= UInt64(try byte()) << (8 * place) }
        return Double(bitPattern: bits)
    }

    /// Reads a length and passes that many following bytes to `body`.
    mutating func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) throws -> Result {
        var count = try count(ofAtLeast: 1)
        skipChecksum()
        if offset + count <= blockEnd {
            let range = offset..<offset + count
            offset += count
            left -= count
            return try bytes.withUnsafeBufferPointer { try body(UnsafeBufferPointer(rebasing: $0[range])) }
        }
        var joined: [UInt8] = []
        joined.reserveCapacity(count)
        while count > 0 {
            skipChecksum()
            let part = min(count, blockEnd - offset)
            guard part > 0 else { throw error("the rows end in the middle of a row") }
            joined.append(contentsOf: bytes[offset..<offset + part])
            offset += part
            left -= part
            count -= part
        }
        return try joined.withUnsafeBufferPointer(body)
    }

    /// Reads the length and the UTF-8 bytes of a text.
    mutating func text() throws -> String {
        let start = offset
        guard let text = try withBytes({ String(validating: $0, as: UTF8.self) }) else {
            throw FormatError("a text is not valid UTF-8", at: start)
        }
        return text
    }
}
