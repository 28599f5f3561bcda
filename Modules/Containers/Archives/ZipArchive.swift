package import StrataFiles

/// A ZIP archive whose entries are read from the file as streams; nothing is extracted to a disk.
///
/// The central directory determines the entries. Stored and deflated entries are supported; encrypted entries, archives
/// in several parts and ZIP64 are rejected. The checksum of each entry is verified when its end is read.
package final class ZipArchive: Sendable {
    /// A file in the archive.
    package struct Entry: Sendable {
        /// The path in the archive.
        package let name: String
        /// The count of bytes after decompression, according to the directory.
        package let byteCount: Int
        let compressedCount: Int
        let method: Int
        let flags: Int
        let checksum: UInt32
        let headerOffset: Int
        /// A Boolean value that indicates whether the entry is a folder.
        let isDirectory: Bool
    }

    /// The first bytes of every archive with an entry.
    package static let signature: [UInt8] = [0x50, 0x4B, 0x03, 0x04]

    /// The maximum count of entries; a workbook has at most a few hundred, and the format without ZIP64 65,535.
    package static let maximumEntries = 20_000
    /// The maximum size of the directory in bytes, which is read into memory.
    package static let maximumDirectory = 16 << 20
    /// The maximum size of all entries together after decompression, which limits the time for a hostile file.
    package static let maximumTotal = 16 << 30
    /// The maximum ratio of the sizes after and before decompression; DEFLATE has no higher one.
    package static let maximumRatio = 1_032
    /// The maximum count of components of an entry's path.
    package static let maximumDepth = 64

    private static let endSize = 22
    private static let maximumComment = 65_535
    private static let directoryEntrySize = 46
    private static let localHeaderSize = 30
    private static let encryptedFlag = 1
    private static let storedMethod = 0
    private static let deflateMethod = 8

    /// The files of the archive in the order of its directory, without folders.
    package let entries: [Entry]
    private let file: OpenFile
    private let directoryOffset: Int
    private let indices: [String: Int]

    /// Reads the directory of an archive.
    ///
    /// - Parameter file: The open file of the archive.
    /// - Throws: ``ContainerError`` if the file is not a supported archive, or cannot be read.
    package init(_ file: OpenFile) throws(ContainerError) {
        self.file = file
        let size = try Self.byteCount(of: file)
        let end = try Self.endRecord(file, size)
        let (count, length, offset) = (end.uint16(10), end.uint32(12), end.uint32(16))
        guard count < 0xFFFF, length < 0xFFFF_FFFF, offset < 0xFFFF_FFFF else {
            throw ContainerError(.unsupported, "the archive is in the format ZIP64, which is not supported")
        }
        guard end.uint16(4) == 0, end.uint16(6) == 0, end.uint16(8) == count else {
            throw ContainerError(.unsupported, "the archive has several parts, which is not supported")
        }
        guard count <= Self.maximumEntries, length <= Self.maximumDirectory else {
            throw ContainerError(
                .unsupported, "the archive has \(count) entries; at most \(Self.maximumEntries) are supported")
        }
        guard offset + length <= size else { throw Self.invalidDirectory }
        directoryOffset = offset
        entries = try Self.entries(try Self.read(file, length, at: offset), count, before: offset)
        indices = Dictionary(
            entries.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        guard indices.count == entries.count else {
            throw ContainerError(.malformed, "the archive has two entries with the same name")
        }
    }

    private static var invalidDirectory: ContainerError {
        ContainerError(.malformed, "the directory of the archive is invalid; the file is incomplete or damaged")
    }

    private static func byteCount(of file: OpenFile) throws(ContainerError) -> Int {
        do throws(FileError) { return Int(try file.status().byteCount) } catch {
            throw ContainerError(.unreadable, error.operation, errorNumber: error.number)
        }
    }

    /// Returns bytes of the file; fewer bytes than requested are an error.
    private static func read(_ file: OpenFile, _ count: Int, at offset: Int) throws(ContainerError) -> [UInt8] {
        guard count > 0 else { return [] }
        let bytes: [UInt8]
        do throws(FileError) { bytes = try file.bytes(count, at: offset) } catch {
            throw ContainerError(.unreadable, error.operation, errorNumber: error.number)
        }
        guard bytes.count == count else { throw invalidDirectory }
        return bytes
    }

    /// Returns the record at the end of the archive, which a comment may follow.
    private static func endRecord(_ file: OpenFile, _ size: Int) throws(ContainerError) -> [UInt8] {
        let count = min(size, endSize + maximumComment)
        let tail = try read(file, count, at: size - count)
        var position = count - endSize
        while position >= 0 {
            if tail[position] == 0x50, tail.uint32(position) == 0x0605_4B50,
                position + endSize + tail.uint16(position + 20) <= count
            {
                return Array(tail[position..<position + endSize])
            }
            position -= 1
        }
        throw ContainerError(.malformed, "the end of the archive is missing; the file is incomplete or damaged")
    }

    private static func entries(
        _ bytes: [UInt8], _ count: Int, before end: Int
    ) throws(ContainerError) -> [Entry] {
        var entries: [Entry] = []
        var (position, total) = (0, 0)
        for _ in 0..<count {
            guard position + directoryEntrySize <= bytes.count, bytes.uint32(position) == 0x0201_4B50 else {
                throw invalidDirectory
            }
            let nameCount = bytes.uint16(position + 28)
            let next =
                position + directoryEntrySize + nameCount + bytes.uint16(position + 30) + bytes.uint16(position + 32)
            guard next <= bytes.count else { throw invalidDirectory }
            let start = position + directoryEntrySize
            // Names without the flag for UTF-8 are mostly ASCII; other bytes become replacement characters.
            let name = String(decoding: bytes[start..<start + nameCount], as: UTF8.self)
            let entry = Entry(
                name: name, byteCount: bytes.uint32(position + 24), compressedCount: bytes.uint32(position + 20),
                method: bytes.uint16(position + 10), flags: bytes.uint16(position + 8),
                checksum: UInt32(bytes.uint32(position + 16)), headerOffset: bytes.uint32(position + 42),
                isDirectory: name.hasSuffix("/"))
            position = next
            guard !entry.isDirectory else { continue }
            guard entry.byteCount < 0xFFFF_FFFF, entry.compressedCount < 0xFFFF_FFFF, entry.headerOffset < 0xFFFF_FFFF
            else {
                throw ContainerError(.unsupported, "it is in the format ZIP64, which is not supported", entry: name)
            }
            guard entry.headerOffset + localHeaderSize + entry.compressedCount <= end else { throw invalidDirectory }
            guard entry.byteCount <= entry.compressedCount * maximumRatio else {
                throw ContainerError(.malformed, "its size after decompression is not possible", entry: name)
            }
            guard name.split(separator: "/").count <= maximumDepth else {
                throw ContainerError(.unsupported, "its path has more than \(maximumDepth) folders", entry: name)
            }
            total += entry.byteCount
            guard total <= maximumTotal else {
                throw ContainerError(
                    .unsupported, "the archive has more than \(maximumTotal >> 30) GiB after decompression")
            }
            entries.append(entry)
        }
        return entries
    }

    /// Returns the entry with a name, or `nil` if there is none.
    package func entry(named name: String) -> Entry? { indices[name].map { entries[$0] } }

    /// Returns a source of the decompressed bytes of an entry.
    ///
    /// - Throws: ``ContainerError`` if the entry is encrypted or compressed by an unknown method. The source throws
    ///   errors of the data, and an error at the end if the checksum differs.
    package func source(of entry: Entry) throws(ContainerError) -> any ByteSource {
        guard entry.flags & Self.encryptedFlag == 0 else {
            throw ContainerError(
                .unsupported, "it is encrypted; remove the password, or decrypt the archive", entry: entry.name)
        }
        let header: [UInt8]
        do throws(ContainerError) {
            header = try Self.read(file, Self.localHeaderSize, at: entry.headerOffset)
        } catch { throw error.inEntry(entry.name) }
        guard header.uint32(0) == 0x0403_4B50 else { throw Self.invalidDirectory.inEntry(entry.name) }
        let start = entry.headerOffset + Self.localHeaderSize + header.uint16(26) + header.uint16(28)
        guard start + entry.compressedCount <= directoryOffset else {
            throw Self.invalidDirectory.inEntry(entry.name)
        }
        let raw = FileRange(file, start..<start + entry.compressedCount)
        switch entry.method {
        case Self.storedMethod:
            guard entry.byteCount == entry.compressedCount else { throw Self.invalidDirectory.inEntry(entry.name) }
            return CheckedSource(raw, entry)
        case Self.deflateMethod: return CheckedSource(Inflate(raw, limit: entry.byteCount), entry)
        default:
            throw ContainerError(
                .unsupported,
                "it is compressed by method \(entry.method), but only stored and deflated entries are supported",
                entry: entry.name)
        }
    }

    /// Returns all bytes of an entry.
    ///
    /// - Parameters:
    ///   - entry: The entry.
    ///   - maximum: The maximum count of bytes; more are an error.
    /// - Returns: The decompressed bytes.
    /// - Throws: ``ContainerError`` with the name of the entry.
    package func contents(of entry: Entry, atMost maximum: Int) throws(ContainerError) -> [UInt8] {
        do throws(ContainerError) { return try source(of: entry).contents(atMost: maximum) } catch {
            throw error.inEntry(entry.name)
        }
    }

    /// A source of a range of a file's bytes.
    private final class FileRange: ByteSource {
        private static let blockSize = 64 << 10
        private let file: OpenFile
        private var range: Range<Int>

        init(_ file: OpenFile, _ range: Range<Int>) { (self.file, self.range) = (file, range) }

        func next() throws(ContainerError) -> [UInt8] {
            guard !range.isEmpty else { return [] }
            let bytes = try ZipArchive.read(file, min(range.count, Self.blockSize), at: range.lowerBound)
            range = range.lowerBound + bytes.count..<range.upperBound
            return bytes
        }
    }

    /// A source that verifies the size and the checksum of an entry.
    private final class CheckedSource: ByteSource {
        private let source: any ByteSource
        private let entry: Entry
        private var checksum = CRC32()
        private var count = 0

        init(_ source: any ByteSource, _ entry: Entry) { (self.source, self.entry) = (source, entry) }

        func next() throws(ContainerError) -> [UInt8] {
            let bytes: [UInt8]
            do throws(ContainerError) { bytes = try source.next() } catch { throw error.inEntry(entry.name) }
            guard bytes.isEmpty else {
                checksum.update(bytes.span)
                count += bytes.count
                return bytes
            }
            guard count == entry.byteCount, checksum.value == entry.checksum else {
                throw ContainerError(.malformed, "its checksum differs; the file is damaged", entry: entry.name)
            }
            return []
        }
    }
}

extension [UInt8] {
    /// Returns the little-endian number of two bytes at an index.
    fileprivate func uint16(_ index: Int) -> Int { Int(self[index]) | Int(self[index + 1]) << 8 }

    /// Returns the little-endian number of four bytes at an index.
    fileprivate func uint32(_ index: Int) -> Int { uint16(index) | uint16(index + 2) << 16 }
}
