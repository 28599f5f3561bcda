/// The texts that the cells of a workbook share.
struct SharedStrings {
    /// The maximum count of bytes of all texts, which are in memory.
    static let maximumByteCount = 1 << 29
    /// The maximum count of texts; each one needs four bytes in addition to its text.
    static let maximumCount = 20_000_000

    private var bytes: [UInt8] = []
    private var ends: [UInt32] = []

    /// The count of texts.
    var count: Int { ends.count }

    /// Creates an empty table.
    init() {}

    /// Reads the table of a workbook.
    init(_ source: any ByteSource) throws(ContainerError) {
        var xml = try XMLPullReader(source)
        while true {
            let event = try xml.next()
            if event == .finished { return }
            guard event == .start, xml.depth == 2, xml.isNamed("si") else { continue }
            try RichText.append(from: &xml, to: &bytes, atMost: Self.maximumByteCount)
            guard bytes.count <= Self.maximumByteCount, ends.count < Self.maximumCount else {
                throw ContainerError(
                    .unsupported,
                    "the workbook has more texts than fit in memory (\(Self.maximumByteCount >> 20) MiB); save each "
                        + "sheet as CSV")
            }
            ends.append(UInt32(bytes.count))
        }
    }

    /// Appends a text; returns `false` if there is no text with the number.
    @inline(__always)
    func append(_ number: Int, to target: inout [UInt8]) -> Bool {
        guard ends.indices.contains(number) else { return false }
        target += bytes[(number > 0 ? Int(ends[number - 1]) : 0)..<Int(ends[number])]
        return true
    }
}

/// The texts of shared and inline strings, which may consist of several runs.
enum RichText {
    /// Appends the text of the element whose start was the last event, without phonetic texts.
    static func append(
        from xml: inout XMLPullReader, to bytes: inout [UInt8], atMost maximum: Int
    ) throws(ContainerError) {
        let start = bytes.count
        let depth = xml.depth
        var isText = false
        while xml.depth >= depth {
            switch try xml.next() {
            case .start:
                if xml.isNamed("rPh") { try xml.skipElement() } else { isText = xml.isNamed("t") }
            case .end: isText = false
            case .text where isText:
                bytes += xml.text
                guard bytes.count - start <= maximum else {
                    throw ContainerError(.unsupported, "a text has more than \(maximum) bytes")
                }
            case .text: break
            case .finished: return
            }
        }
        unescape(&bytes, from: start)
    }

    /// Replaces escapes such as `_x000D_` in the bytes after an index.
    static func unescape(_ bytes: inout [UInt8], from start: Int) {
        guard bytes.count - start >= 7, bytes[start...].contains(UInt8(ascii: "_")) else { return }
        var (read, write) = (start, start)
        while read < bytes.count {
            if bytes[read] == UInt8(ascii: "_"), read + 6 < bytes.count, bytes[read + 1] == UInt8(ascii: "x"),
                bytes[read + 6] == UInt8(ascii: "_"), bytes[(read + 2)..<(read + 6)].allSatisfy(isHexadecimal),
                let value = UInt32(String(decoding: bytes[(read + 2)..<(read + 6)], as: UTF8.self), radix: 16),
                value > 0, let scalar = Unicode.Scalar(value)
            {
                for byte in String(Character(scalar)).utf8 {
                    bytes[write] = byte
                    write += 1
                }
                read += 7
            } else {
                bytes[write] = bytes[read]
                (read, write) = (read + 1, write + 1)
            }
        }
        bytes.removeSubrange(write...)
    }

    static func isHexadecimal(_ byte: UInt8) -> Bool {
        0x30...0x39 ~= byte || 0x41...0x46 ~= byte || 0x61...0x66 ~= byte
    }
}
