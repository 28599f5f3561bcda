/// The physical lines of a text, determined by a simple independent implementation.
public struct TextLines {
    /// The bytes of the text.
    public let bytes: [UInt8]
    /// The start offset of each line.
    public private(set) var starts = [0]

    /// Determines the lines, which end with LF, CRLF or CR.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
        for index in bytes.indices {
            let isBreak =
                bytes[index] == 10 || (bytes[index] == 13 && (index + 1 == bytes.count || bytes[index + 1] != 10))
            if isBreak { starts.append(index + 1) }
        }
    }

    /// Returns a Boolean value that indicates whether a line begins with a text.
    public func line(_ number: Int, beginsWith text: [UInt8]) -> Bool {
        guard number >= 1, number <= starts.count else { return false }
        return bytes[starts[number - 1]...].starts(with: text)
    }

    /// Returns a Boolean value that indicates whether a line contains a text after its beginning, with only spaces
    /// before it.
    public func line(_ number: Int, holds text: [UInt8]) -> Bool {
        guard number >= 1, number <= starts.count else { return false }
        let end = number < starts.count ? starts[number] : bytes.count
        return (starts[number - 1]...end).contains { bytes[$0...].starts(with: text) }
    }
}
