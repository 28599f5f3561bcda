/// The part of an input that is in memory: from the byte that must be kept to the last one read.
///
/// A reader moves ``position``, and marks with ``anchor`` where the record (or token) begins that it still needs. When it asks
/// for more, what lies before the anchor is dropped and the rest moves to the front; offsets from the anchor stay valid.
struct ByteWindow: ~Copyable {
    /// What asking for more bytes came to.
    enum Refill {
        case more
        case end
        case overLimit
    }

    /// The buffer; its bytes from ``anchor`` to ``end`` are the input's.
    var bytes: [UInt8]
    /// The first byte that is kept.
    var anchor = 0
    /// The next byte to be looked at.
    var position = 0
    /// The end of what has been read.
    private(set) var end = 0

    /// The most bytes that may be kept, with some room for what ends a record.
    let limit: Int
    let input: ByteInput

    private static let lineBreakLength = 2

    init(_ input: ByteInput, limit: Int) {
        self.input = input
        self.limit = max(1, limit)
        bytes = [UInt8](repeating: 0, count: input.blockSize)
    }

    /// How far the position is from the anchor.
    var offset: Int { position - anchor }

    /// Reads another block behind the others.
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

    /// Makes the buffer larger.
    ///
    /// Appending zeros is the same, and byte by byte in a debug build: that took a fifth of all tests.
    private mutating func grow(to size: Int) {
        bytes = [UInt8](unsafeUninitializedCapacity: size) { larger, count in
            let memory = UnsafeMutableRawBufferPointer(larger)
            bytes.withUnsafeBytes { memory.copyMemory(from: $0) }
            let rest = UnsafeMutableRawBufferPointer(rebasing: memory[bytes.count...])
            _ = rest.initializeMemory(as: UInt8.self, repeating: 0)
            count = size
        }
    }

    /// Copies bytes towards the front.
    mutating func move(_ range: Range<Int>, to target: Int) {
        guard range.lowerBound > target, !range.isEmpty else { return }
        bytes.withUnsafeMutableBytes { bytes in
            let source = UnsafeRawBufferPointer(rebasing: bytes[range])
            UnsafeMutableRawBufferPointer(rebasing: bytes[target..<target + range.count]).copyMemory(from: source)
        }
    }

    /// Reads until so many bytes from the position on are there, or the input ends, or the window is full.
    mutating func fill(upTo count: Int) throws(InterchangeError) {
        while end - position < count {
            guard try refill() == .more else { return }
        }
    }

    /// Whether the next bytes are these.
    mutating func holds(_ text: [UInt8]) throws(InterchangeError) -> Bool {
        for index in text.indices {
            if position + index >= end { try fill(upTo: text.count) }
            guard position + index < end, bytes[position + index] == text[index] else { return false }
        }
        return true
    }

    /// Skips the UTF-8 byte order mark at the very beginning of the input.
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
