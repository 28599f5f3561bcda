extension CSVReader {
    /// Passes over physical lines.
    mutating func skipLines(_ count: Int) throws(InterchangeError) {
        for _ in 0..<max(0, count) {
            window.anchor = window.position
            guard try peek() != nil else { return }
            try skipLine(keeping: false)
        }
        window.anchor = window.position
    }

    /// Reads the line by which spreadsheets say what separates the fields: `sep=;`.
    ///
    /// - Returns: The separator; nil, and nothing has happened, where the next line is another one.
    mutating func readSeparatorLine() throws(InterchangeError) -> CSVSeparator? {
        let length = CSVSeparator.lineBeginning.count + 1
        try window.fill(upTo: length + 1)
        let line = window.bytes[window.position..<min(window.position + length + 1, window.end)]
        guard line.count >= length, zip(line, CSVSeparator.lineBeginning).allSatisfy({ $0 | 0x20 == $1 | 0x20 }),
            line.count == length || [UInt8(ascii: "\n"), UInt8(ascii: "\r")].contains(line[line.startIndex + length])
        else { return nil }
        guard let found = CSVSeparator.allowed(line[line.startIndex + length - 1]) else { return nil }
        try skipLine(keeping: false)
        window.anchor = window.position
        return found
    }

    /// Passes over the blank lines that are in the window: eight bytes at a time, as some files have gigabytes of them.
    mutating func skipBlankLines() {
        let end = window.end
        var (position, lines) = (window.position, 0)
        window.bytes.withUnsafeBytes { buffer in
            Self.skipBlankLines(buffer, &position, to: end, &lines)
        }
        window.position = position
        currentLine += lines
        row += lines
    }

    private static func skipBlankLines(
        _ buffer: UnsafeRawBufferPointer, _ position: inout Int, to end: Int, _ lines: inout Int
    ) {
        while position < end {
            let byte = buffer[position]
            if end - position >= 8 {
                let word = buffer.loadUnaligned(fromByteOffset: position, as: UInt64.self)
                if word == 0x0A0A_0A0A_0A0A_0A0A {
                    (position, lines) = (position + 8, lines + 8)
                    continue
                }
                // LF and CR are other bytes of the word where the machine's big end is first, and so is the first of them.
                if UInt64(littleEndian: word) == 0x0A0D_0A0D_0A0D_0A0D {
                    (position, lines) = (position + 8, lines + 4)
                    continue
                }
            }
            if byte == UInt8(ascii: "\n") {
                position += 1
            } else if byte == UInt8(ascii: "\r"), position + 1 < end {
                position += buffer[position + 1] == UInt8(ascii: "\n") ? 2 : 1
            } else {
                // What comes behind a CR is not there yet.
                break
            }
            lines += 1
        }
    }

    /// Passes over comments, and rows that are left out.
    mutating func skipComments() throws(InterchangeError) {
        guard skipsRows else { return }
        while true {
            if waitingRows.first == row + 1 {
                guard try peek() != nil else { break }
                waitingRows.removeFirst()
            } else {
                guard !comment.isEmpty, try window.holds(comment) else { break }
            }
            try skipLine(keeping: false)
            window.anchor = window.position
            row += 1
        }
        // The one that is read now.
        row += 1
        // Behind the last one nothing has to be counted.
        if waitingRows.isEmpty, comment.isEmpty { skipsRows = false }
    }

    /// Goes behind the next line break, which is in no field; notes the record's end.
    mutating func skipLine(keeping: Bool = true) throws(InterchangeError) {
        // What was read before an error at the end of the input belongs to the record too.
        recordEnd = window.offset
        while let byte = try peekForgetting(!keeping) {
            recordEnd = window.offset
            window.position += 1
            guard byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") else {
                recordEnd = window.offset
                continue
            }
            currentLine += 1
            if byte == UInt8(ascii: "\r"), try peekForgetting(!keeping) == UInt8(ascii: "\n") { window.position += 1 }
            return
        }
    }

    /// The next byte, or nil at the end; what was passed over need not be kept where nobody asks for it, or where it is too long.
    private mutating func peekForgetting(_ forgets: Bool) throws(InterchangeError) -> UInt8? {
        if window.position >= window.end, forgets || window.offset > limit.spelled { window.anchor = window.position }
        return try peek()
    }

    /// Gives access to the bytes of the current record, or of what ``recover()`` passed over, as they stand in the file, without the line break at the end.
    ///
    /// - Parameter body: Gets the bytes, which are in the reader's buffer; in UTF-8 whatever the file's encoding.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws.
    public func withOriginal<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let range = window.anchor..<window.anchor + max(0, recordEnd)
        return try body(window.bytes.span.extracting(range))
    }
}

extension CSVReader {
    /// The bytes of the current record, or of what ``recover()`` passed over, with the line break that ended them where there was one.
    func withOriginalLine<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        body(window.bytes.span.extracting(window.anchor..<max(window.anchor, window.position)))
    }
}

/// What was accepted against the rules, by kind.
struct CSVMending {
    private var kinds: [(name: String, line: Int, count: Int)] = []

    mutating func note(_ name: String, line: Int) {
        if let index = kinds.firstIndex(where: { $0.name == name }) {
            kinds[index].count += 1
        } else {
            kinds.append((name, line, 1))
        }
    }

    var list: [String] {
        kinds.map {
            $0.count == 1 ? "\($0.name) (line \($0.line))" : "\($0.name) (\($0.count) times, first in line \($0.line))"
        }
    }
}
