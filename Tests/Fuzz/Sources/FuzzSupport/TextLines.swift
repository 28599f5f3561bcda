/// The physical lines of a text, found in the plainest way.
public struct TextLines {
    /// The bytes.
    public let bytes: [UInt8]
    /// Where each line begins.
    public private(set) var starts = [0]

    /// Finds the lines, which end with LF, CRLF or CR.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
        for index in bytes.indices {
            let isBreak =
                bytes[index] == 10 || (bytes[index] == 13 && (index + 1 == bytes.count || bytes[index + 1] != 10))
            if isBreak { starts.append(index + 1) }
        }
    }

    /// Whether a text stands at the beginning of a line.
    public func line(_ number: Int, beginsWith text: [UInt8]) -> Bool {
        guard number >= 1, number <= starts.count else { return false }
        return bytes[starts[number - 1]...].starts(with: text)
    }

    /// Whether a text stands somewhere behind the beginning of a line, with nothing but blanks before it on that line.
    public func line(_ number: Int, holds text: [UInt8]) -> Bool {
        guard number >= 1, number <= starts.count else { return false }
        let end = number < starts.count ? starts[number] : bytes.count
        return (starts[number - 1]...end).contains { bytes[$0...].starts(with: text) }
    }
}
