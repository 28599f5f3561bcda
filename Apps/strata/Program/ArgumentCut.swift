/// Cuts the arguments of a command line where messages repeat them: one of 100 kB would bury what is wrong with it.
struct ArgumentCut {
    /// Arguments up to here are repeated whole: paths are.
    private static let longest = 300
    /// What is shown of a longer one, in bytes.
    private static let shown = 60
    /// The longest line of a message; longer ones only come of arguments, cut in pieces or spelled otherwise.
    private static let longestLine = 4_000

    /// The long arguments, and what is on both sides of their first equals sign, the longest first.
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

    /// The message with the long arguments cut.
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

    /// The first bytes, without a character that is cut in two, and a sign that there was more.
    private static func beginning(of bytes: ArraySlice<UInt8>, _ count: Int) -> [UInt8] {
        var end = bytes.startIndex + count
        while end > bytes.startIndex, bytes[end] & 0xC0 == 0x80 { end -= 1 }
        return bytes[..<end] + Array("…".utf8)
    }
}
