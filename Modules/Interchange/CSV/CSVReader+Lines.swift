extension CSVReader {
    /// Skips a number of physical lines.
    ///
    /// Quotes have no meaning in these lines, because text before a header is often not CSV. The method ends without an
    /// error at the end of the file.
    mutating func skipLines(_ count: Int) throws(InterchangeError) {
        for _ in 0..<max(0, count) {
            window.anchor = window.position
            guard try peek() != nil else { return }
            try skipLine(keeping: false)
        }
        window.anchor = window.position
    }

    /// Reads the line `sep=;` at the beginning of the file, in which spreadsheets declare the separator.
    ///
    /// - Returns: The separator; `nil` if the next line does not declare one, in which case the line is not consumed.
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

    /// Skips the blank lines that are in the window, eight bytes at a time, because some files contain gigabytes of
    /// them.
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
                // Compare as little-endian, so that the comparison finds CR before LF on a big-endian machine too.
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
                // The byte after the CR is not in the window yet.
                break
            }
            lines += 1
        }
    }

    /// Skips comment lines, and rows that the dialect skips.
    ///
    /// A row is counted when the method passes it, so ``row`` is the number of the record that is read next. Rows are
    /// counted only as long as rows may be skipped, because counting costs time.
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
        // Count the row that is read now.
        row += 1
        // After the last skipped row, rows need no counting.
        if waitingRows.isEmpty, comment.isEmpty { skipsRows = false }
    }

    /// Moves after the next line break, and sets the end of the current record before it.
    ///
    /// If `keeping` is `false`, the skipped bytes may be dropped from memory.
    mutating func skipLine(keeping: Bool = true) throws(InterchangeError) {
        // The bytes before an error at the end of the input belong to the record too.
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

    /// Returns the next byte without consuming it, or `nil` at the end of the input.
    ///
    /// Bytes that were skipped are dropped from memory if they are not needed or if there are too many.
    private mutating func peekForgetting(_ forgets: Bool) throws(InterchangeError) -> UInt8? {
        if window.position >= window.end, forgets || window.offset > limit.spelled { window.anchor = window.position }
        return try peek()
    }

    /// Calls a closure with the verbatim bytes of the current record, or with the bytes that ``recover()`` skipped.
    ///
    /// The line break at the end of the record is not included.
    ///
    /// Use the bytes to write a rejected record to another file. Call the method after a successful ``next()``, or
    /// after ``recover()`` for the skipped record. The bytes contain the quotes and escapes of the file.
    ///
    /// - Parameter body: A closure that receives the bytes, which are in the reader's buffer; they are UTF-8 whatever
    ///   the file's encoding.
    /// - Returns: The result of the closure.
    /// - Throws: The error of the closure.
    /// - Complexity: O(1); the bytes are not copied.
    public func withOriginal<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let range = window.anchor..<window.anchor + max(0, recordEnd)
        return try body(window.bytes.span.extracting(range))
    }
}

extension CSVReader {
    /// Calls a closure with the verbatim bytes of the current record, or with the bytes that ``recover()`` skipped,
    /// including a line break.
    func withOriginalLine<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        body(window.bytes.span.extracting(window.anchor..<max(window.anchor, window.position)))
    }
}

/// The syntax errors that a lenient reader accepted, counted by kind.
///
/// The order of the kinds is the order in which they first occurred. There are few kinds, so a list is searched instead
/// of a dictionary.
struct CSVRepairs {
    private var kinds: [(name: String, line: Int, count: Int)] = []

    /// Counts an accepted error; the line is stored only for the first error of its kind.
    mutating func note(_ name: String, line: Int) {
        if let index = kinds.firstIndex(where: { $0.name == name }) {
            kinds[index].count += 1
        } else {
            kinds.append((name, line, 1))
        }
    }

    /// A phrase for each kind, with the first line and the count.
    var list: [String] {
        kinds.map {
            $0.count == 1 ? "\($0.name) (line \($0.line))" : "\($0.name) (\($0.count) times, first in line \($0.line))"
        }
    }
}
