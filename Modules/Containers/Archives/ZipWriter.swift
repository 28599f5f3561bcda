/// A writer of a ZIP archive; the same entries always result in the same bytes.
///
/// Entries are compressed by fixed codes of DEFLATE. Their time is the first that the format can express.
package struct ZipWriter {
    /// The maximum size of an archive and of an entry without ZIP64.
    package static let maximumByteCount = 0xFFFF_FFFE

    private struct Entry {
        let name: [UInt8]
        let isDeflated: Bool
        var checksum = CRC32()
        var byteCount = 0
        var compressedCount = 0
        let offset: Int
    }

    /// 1 January 1980 in the format of MS-DOS.
    private static let date = 0x21
    private static let headerSize = 30
    /// The flag for sizes after the data, and the flag for names in UTF-8.
    private static let flags = 0x0808
    private static let version = 20

    private var entries: [Entry] = []
    private var deflate: Deflate?
    private var offset = 0
    private let output: ([UInt8]) throws -> Void

    /// Creates a writer.
    ///
    /// - Parameter output: A closure that writes bytes.
    package init(output: @escaping ([UInt8]) throws -> Void) { self.output = output }

    private mutating func write(_ bytes: [UInt8]) throws {
        offset += bytes.count
        guard offset <= Self.maximumByteCount else {
            throw ContainerError(.unsupported, "the archive would have more than 4 GiB, which ZIP does not allow")
        }
        try output(bytes)
    }

    /// Begins an entry; the previous entry must have ended.
    ///
    /// - Parameters:
    ///   - name: The path of the entry in the archive.
    ///   - isDeflated: A Boolean value that indicates whether the entry is compressed.
    /// - Throws: ``ContainerError`` if the archive is too large, or the errors of the output.
    package mutating func begin(_ name: String, isDeflated: Bool = true) throws {
        let entry = Entry(name: Array(name.utf8), isDeflated: isDeflated, offset: offset)
        var header: [UInt8] = []
        header.append(uint32: 0x0403_4B50)
        header.append(uint16: Self.version)
        Self.appendCommon(entry, to: &header)
        header.append(uint16: 0)
        entries.append(entry)
        deflate = isDeflated ? Deflate() : nil
        try write(header + entry.name)
    }

    /// Appends bytes to the current entry.
    package mutating func append(_ bytes: [UInt8]) throws {
        guard !entries.isEmpty else { return }
        entries[entries.count - 1].checksum.update(bytes.span)
        entries[entries.count - 1].byteCount += bytes.count
        guard entries[entries.count - 1].byteCount <= Self.maximumByteCount else {
            throw ContainerError(.unsupported, "an entry would have more than 4 GiB, which ZIP does not allow")
        }
        try appendCompressed(deflate?.compress(bytes) ?? bytes)
    }

    private mutating func appendCompressed(_ bytes: [UInt8]) throws {
        entries[entries.count - 1].compressedCount += bytes.count
        if !bytes.isEmpty { try write(bytes) }
    }

    /// Ends the current entry.
    package mutating func end() throws {
        guard !entries.isEmpty else { return }
        if let rest = deflate?.finish() { try appendCompressed(rest) }
        deflate = nil
        let entry = entries[entries.count - 1]
        var descriptor: [UInt8] = []
        descriptor.append(uint32: 0x0807_4B50)
        Self.appendSizes(entry, to: &descriptor)
        try write(descriptor)
    }

    /// Writes an entry.
    package mutating func add(_ name: String, _ bytes: [UInt8], isDeflated: Bool = true) throws {
        try begin(name, isDeflated: isDeflated)
        try append(bytes)
        try end()
    }

    /// Writes the directory; the archive is then complete.
    package mutating func finish() throws {
        let start = offset
        for entry in entries {
            var header: [UInt8] = []
            header.append(uint32: 0x0201_4B50)
            header.append(uint16: Self.version)
            header.append(uint16: Self.version)
            Self.appendCommon(entry, to: &header)
            // The extra field, the comment, the number of the part and the attributes are empty.
            header.append(contentsOf: repeatElement(0, count: 12))
            header.append(uint32: entry.offset)
            try write(header + entry.name)
        }
        var end: [UInt8] = []
        end.append(uint32: 0x0605_4B50)
        end.append(uint32: 0)
        end.append(uint16: entries.count)
        end.append(uint16: entries.count)
        end.append(uint32: offset - start)
        end.append(uint32: start)
        end.append(uint16: 0)
        try write(end)
    }

    /// Appends the part of a header that the entry and the directory have in common.
    private static func appendCommon(_ entry: Entry, to header: inout [UInt8]) {
        header.append(uint16: flags)
        header.append(uint16: entry.isDeflated ? 8 : 0)
        header.append(uint16: 0)
        header.append(uint16: date)
        appendSizes(entry, to: &header)
        header.append(uint16: entry.name.count)
    }

    private static func appendSizes(_ entry: Entry, to bytes: inout [UInt8]) {
        bytes.append(uint32: entry.byteCount == 0 ? 0 : Int(entry.checksum.value))
        bytes.append(uint32: entry.compressedCount)
        bytes.append(uint32: entry.byteCount)
    }
}

extension [UInt8] {
    fileprivate mutating func append(uint16 value: Int) {
        append(UInt8(truncatingIfNeeded: value))
        append(UInt8(truncatingIfNeeded: value >> 8))
    }

    fileprivate mutating func append(uint32 value: Int) {
        append(uint16: value)
        append(uint16: value >> 16)
    }
}
