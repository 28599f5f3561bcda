/// A function that shortens long arguments in messages, because an argument of 100 kB would hide the error.
struct ArgumentCut {
    /// The maximum number of bytes of an argument that is repeated completely, which suffices for paths.
    private static let longest = 300
    /// The number of bytes that are shown of a longer argument.
    private static let shown = 60
    /// The maximum number of bytes in a line; longer lines result only from arguments that were split or rewritten.
    private static let longestLine = 4_000

    /// The long arguments and the parts on both sides of their first equals sign, in order of descending length.
    private let parts: [[UInt8]]

    init(_ words: [String]) {
        var parts: [[UInt8]] = []
        for word in words where word.utf8.count > Self.longest {
            parts.append(Array(word.utf8))
            for side in word.split(separator: "=", maxSplits: 1) where side.utf8.count > Self.longest {
                parts.append(Array(side.utf8))
            }
        }
        self.parts = parts.sorted { $0.count > $1.count }
    }

    /// Returns a message with the long arguments shortened.
    func callAsFunction(_ message: String) -> String {
        guard message.utf8.count > Self.longest else { return message }
        var bytes = Array(message.utf8)
        for part in parts { bytes = Self.replaced(part, in: bytes) }
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
            line.count > Self.longestLine ? Self.beginning(of: line, Self.longestLine) : Array(line)
        }
        return String(decoding: Array(lines.joined(separator: [UInt8(ascii: "\n")])), as: UTF8.self)
    }

    private static func replaced(_ part: [UInt8], in bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == part[0], bytes[index...].starts(with: part) {
                result += beginning(of: part[...], shown)
                index += part.count
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return result
    }

    /// Returns the first bytes of a text without splitting a character, followed by an ellipsis.
    private static func beginning(of bytes: ArraySlice<UInt8>, _ count: Int) -> [UInt8] {
        var end = bytes.startIndex + count
        while end > bytes.startIndex, bytes[end] & 0xC0 == 0x80 { end -= 1 }
        return bytes[..<end] + Array("…".utf8)
    }
}
