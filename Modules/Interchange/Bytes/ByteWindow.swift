/// The part of an input that is in memory: from the first byte that is still needed to the last byte that was read.
///
/// A reader moves ``position``, and sets ``anchor`` to the beginning of the record or token that it still needs. If the
/// reader requests more bytes, the bytes before the anchor are dropped and the rest moves to the front of the buffer.
/// Offsets from the anchor stay valid.
struct ByteWindow: ~Copyable {
    /// The outcome of a request for more bytes.
    enum Refill {
        case more
        case end
        case overLimit
    }

    /// The buffer; the bytes from ``anchor`` to ``end`` are the part of the input in memory.
    var bytes: [UInt8]
    /// The offset in the buffer of the first byte that must be retained.
    var anchor = 0
    /// The offset in the buffer of the next byte to be scanned.
    var position = 0
    /// The offset in the buffer after the last byte that was read.
    private(set) var end = 0

    /// The maximum count of bytes that are retained, not including the line break at the end of a record.
    let limit: Int
    let input: ByteInput

    private static let lineBreakLength = 2

    init(_ input: ByteInput, limit: Int) {
        self.input = input
        self.limit = max(1, limit)
        bytes = [UInt8](repeating: 0, count: input.blockSize)
    }

    /// The distance of the position from the anchor.
    var offset: Int { position - anchor }

    /// Reads another block of the input after the retained bytes.
    mutating func refill() throws(InterchangeError) -> Refill {
        let kept = end - anchor
        guard kept - Self.lineBreakLength <= limit else { return .overLimit }
        if anchor > 0 {
            move(anchor..<end, to: 0)
            position -= anchor
            anchor = 0
            end = kept
        }
        if bytes.count - end < input.blockSize {
            grow(to: max(end + input.blockSize, bytes.count * 2))
        }
        let count = try input.read(into: &bytes, at: end)
        end += count
        return count > 0 ? .more : .end
    }

    /// Enlarges the buffer to a size.
    ///
    /// Appending zeros would have the same result. In a debug build it would work byte by byte, which took a fifth of
    /// the time of all tests.
    private mutating func grow(to size: Int) {
        bytes = [UInt8](unsafeUninitializedCapacity: size) { larger, count in
            let memory = UnsafeMutableRawBufferPointer(larger)
            bytes.withUnsafeBytes { memory.copyMemory(from: $0) }
            let rest = UnsafeMutableRawBufferPointer(rebasing: memory[bytes.count...])
            _ = rest.initializeMemory(as: UInt8.self, repeating: 0)
            count = size
        }
    }

    /// Copies a range of the buffer's bytes to a lower offset.
    mutating func move(_ range: Range<Int>, to target: Int) {
        guard range.lowerBound > target, !range.isEmpty else { return }
        bytes.withUnsafeMutableBytes { bytes in
            let source = UnsafeRawBufferPointer(rebasing: bytes[range])
            UnsafeMutableRawBufferPointer(rebasing: bytes[target..<target + range.count]).copyMemory(from: source)
        }
    }

    /// Reads until `count` bytes after the position are available, the input ends, or the window is full.
    mutating func fill(upTo count: Int) throws(InterchangeError) {
        while end - position < count {
            guard try refill() == .more else { return }
        }
    }

    /// Returns a Boolean value that indicates whether the bytes after the position begin with a text.
    mutating func holds(_ text: [UInt8]) throws(InterchangeError) -> Bool {
        for index in text.indices {
            if position + index >= end { try fill(upTo: text.count) }
            guard position + index < end, bytes[position + index] == text[index] else { return false }
        }
        return true
    }

    /// Skips a UTF-8 byte order mark at the beginning of the input.
    mutating func skipByteOrderMark() throws(InterchangeError) {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        for index in mark.indices {
            while position + index >= end {
                guard try refill() == .more else { return }
            }
            guard bytes[position + index] == mark[index] else { return }
        }
        position += mark.count
        anchor = position
    }
}
