import Foundation
import StrataCore

/// The first 40 bytes of a binary store's file; all numbers are little-endian.
///
/// | bytes | contents |
/// |---|---|
/// | 0–7 | `89 53 54 42 49 4E 0D 0A`: not a text, and changed if a program converts the file as a text |
/// | 8–11 | the version of the format |
/// | 12–27 | the store's identifier |
/// | 28–35 | the count of bytes in the blocks, without their checksums |
/// | 36–39 | the checksum of the 36 bytes before |
struct BinaryHeader {
    static let magic: [UInt8] = [0x89, 0x53, 0x54, 0x42, 0x49, 0x4E, 0x0D, 0x0A]
    static let byteCount = 40
    /// The count of bytes in a block, without the block's checksum; the last block may contain fewer bytes.
    static let blockSize = 65_536
    static let checksumSize = 4

    var version: UInt32
    var identifier: UUID
    /// The total count of bytes in all blocks, without their checksums.
    var payload: UInt64

    /// The offset in the file at which the last block and its checksum end.
    var end: Int {
        let blocks = (Int(payload) + Self.blockSize - 1) / Self.blockSize
        return Self.byteCount + Int(payload) + blocks * Self.checksumSize
    }

    var bytes: [UInt8] {
        var bytes = Self.magic + version.littleEndianBytes + identifier.bytes + payload.littleEndianBytes
        var checksum = Checksum()
        checksum.add(bytes)
        bytes += checksum.value.littleEndianBytes
        return bytes
    }

    init(version: UInt32, identifier: UUID, payload: UInt64) {
        (self.version, self.identifier, self.payload) = (version, identifier, payload)
    }

    /// Reads and checks the header of a file.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of the file.
    ///   - newest: The newest version of the format that this program can read.
    /// - Throws: ``FormatError`` if the file has another format or another version, is damaged, or has a wrong length.
    init(_ bytes: [UInt8], newest: UInt32) throws {
        guard bytes.starts(with: Self.magic) else {
            throw FormatError("this is not a binary store of Strata", at: nil, code: .notADatabase)
        }
        guard bytes.count >= Self.byteCount else {
            throw FormatError("the header ends here, before its \(Self.byteCount) bytes", at: bytes.count)
        }
        var checksum = Checksum()
        checksum.add(Array(bytes[..<36]))
        let version = UInt32(littleEndian: bytes[8..<12])
        // The contents of a newer header are not known; it may not even have a checksum.
        guard version <= newest else {
            throw FormatError(
                "the store has format \(version), but this version of Strata supports formats up to \(newest); use a "
                    + "newer version",
                at: nil, code: .newerFormat)
        }
        guard checksum.value == UInt32(littleEndian: bytes[36..<40]), version > 0 else {
            throw FormatError("the header is damaged: checksum mismatch", at: 0)
        }
        self.version = version
        identifier = UUID(bytes: bytes[12..<28])
        payload = UInt64(littleEndian: bytes[28..<36])
        guard payload <= UInt64(bytes.count) else {
            throw FormatError("the file ends here, but more than \(payload) bytes were written", at: bytes.count)
        }
        guard bytes.count >= end else {
            throw FormatError("the file ends here, but \(end) bytes were written", at: bytes.count)
        }
        guard bytes.count == end else {
            throw FormatError("the store ends here, but \(bytes.count - end) more bytes follow", at: end)
        }
    }
}

extension FixedWidthInteger {
    var littleEndianBytes: [UInt8] { withUnsafeBytes(of: littleEndian) { Array($0) } }

    /// Creates an integer from its little-endian bytes; the count of bytes is that of the type.
    init(littleEndian bytes: ArraySlice<UInt8>) {
        self = bytes.reversed().reduce(0) { $0 << 8 | Self(truncatingIfNeeded: $1) }
    }
}

extension UUID {
    var bytes: [UInt8] { withUnsafeBytes(of: uuid) { Array($0) } }

    /// Creates a UUID from 16 bytes.
    init(bytes: ArraySlice<UInt8>) {
        var value: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        withUnsafeMutableBytes(of: &value) { $0.copyBytes(from: bytes.prefix(16)) }
        self.init(uuid: value)
    }
}
