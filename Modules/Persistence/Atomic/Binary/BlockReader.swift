import Foundation
import StrataCore

/// Reads what stands in blocks whose checksums are right.
///
/// No length is trusted: nothing is taken, and no memory either, that is not there.
struct BlockReader {
    private let bytes: [UInt8]
    /// Where the next byte stands in the file.
    private(set) var offset: Int
    /// Where the block ends, and its checksum begins.
    private var blockEnd: Int
    /// Where the file ends.
    private let end: Int
    /// The bytes that are left, without checksums.
    private(set) var left: Int

    /// Begins behind the header.
    init(_ bytes: [UInt8], _ header: BinaryHeader) {
        self.bytes = bytes
        left = Int(header.payload)
        offset = BinaryHeader.byteCount
        end = header.end
        blockEnd = min(offset + BinaryHeader.blockSize, max(offset, end - BinaryHeader.checksumSize))
    }

    /// Looks at all checksums.
    static func check(_ bytes: [UInt8], _ header: BinaryHeader) throws {
        var (start, number) = (BinaryHeader.byteCount, UInt32(0))
        while start < header.end {
            let stop = min(start + BinaryHeader.blockSize, header.end - BinaryHeader.checksumSize)
            let found = bytes[start..<stop].withUnsafeBytes {
                BlockWriter.checksum(of: $0, number: number, identifier: header.identifier)
            }
            guard stop > start, found == UInt32(littleEndian: bytes[stop..<stop + BinaryHeader.checksumSize]) else {
                throw FormatError(
                    "the file is damaged in the \(stop - start) bytes from here on: their checksum is another",
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
        guard left > 0 else { throw error("the rows end in the middle of one") }
        let byte = bytes[offset]
        offset += 1
        left -= 1
        return byte
    }

    /// A number that is not negative.
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

    /// How many things follow that have a number of bytes each at least.
    mutating func count(ofAtLeast size: Int) throws -> Int {
        let start = offset
        let count = try number()
        guard count <= UInt64(left / size) else {
            throw FormatError("\(count) are said to follow, for which the file has not enough bytes", at: start)
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

    /// Gives bytes with their length before them to `body`.
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
            guard part > 0 else { throw error("the rows end in the middle of one") }
            joined.append(contentsOf: bytes[offset..<offset + part])
            offset += part
            left -= part
            count -= part
        }
        return try joined.withUnsafeBufferPointer(body)
    }

    /// A text.
    mutating func text() throws -> String {
        let start = offset
        guard let text = try withBytes({ String(validating: $0, as: UTF8.self) }) else {
            throw FormatError("a text is no UTF-8", at: start)
        }
        return text
    }
}
