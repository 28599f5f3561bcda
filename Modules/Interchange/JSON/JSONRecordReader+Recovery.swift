extension JSONRecordReader {
    /// Moves after a record in an array or an object that begins at the anchor and could not be read.
    ///
    /// The brackets and quotes of the record determine its end, if they match. They do match if the error is an invalid
    /// value or a missing comma. Otherwise, if each record has its own line, the next record begins on a later line
    /// with the same indentation. Any other text may be inside the record. Reading it as a record would be worse than
    /// to stop, so the search fails. The search also fails if the skipped bytes may be more than one record: see
    /// ``SkippedElement``.
    ///
    /// - Returns: `false` if the next record cannot be found.
    mutating func skipElement() throws(InterchangeError) -> Bool {
        let isOnOneLine = currentLine == line && indentation >= 0
        rewind()
        if try followElement(), !passed.mayBeSeveral, try isBeforeRecord() { return true }
        guard isOnOneLine else { return false }
        rewind()
        return try followLines()
    }

    /// Moves back to the beginning of the element, and resets the statistics of the skipped bytes.
    private mutating func rewind() {
        passed = SkippedElement(areMembers: layout.shape == .members, isTooLong: isTooLong)
        window.position = window.anchor
        currentLine = line
        recordEnd = 0
    }

    /// The byte that ends the array or object of the records.
    private var closing: UInt8 { layout.shape == .members ? UInt8(ascii: "}") : UInt8(ascii: "]") }
    /// The byte with which a record begins.
    private var beginning: UInt8 { layout.shape == .members ? UInt8(ascii: "\"") : UInt8(ascii: "{") }

    // MARK: - By brackets and quotes

    /// Moves to the comma or the bracket after the element; returns `false` if brackets and quotes do not match.
    private mutating func followElement() throws(InterchangeError) -> Bool {
        var open: [UInt8] = []
        while let byte = try peekForgetting() {
            if open.isEmpty, byte == UInt8(ascii: ",") { return true }
            passed.note(byte, inside: open.last)
            switch byte {
            case UInt8(ascii: "\""):
                passed.noteQuote(isOutside: open.isEmpty)
                guard try followString() else { return false }
                passed.noteQuote(isOutside: open.isEmpty)
                recordEnd = window.offset
                continue
            case UInt8(ascii: "{"): open.append(UInt8(ascii: "}"))
            case UInt8(ascii: "["): open.append(UInt8(ascii: "]"))
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                guard let expected = open.popLast() else { return byte == closing }
                guard byte == expected else { return false }
            default: break
            }
            guard open.count <= Self.maximumDepth else { return false }
            try step(over: byte)
            if byte > UInt8(ascii: " ") { recordEnd = window.offset }
        }
        return false
    }

    /// Moves after a string, which must end on its line; returns `false` otherwise.
    private mutating func followString() throws(InterchangeError) -> Bool {
        window.position += 1
        while let byte = try peekForgetting() {
            passed.note(byte, inside: UInt8(ascii: "\""))
            switch byte {
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"): return false
            case UInt8(ascii: "\""):
                window.position += 1
                return true
            case UInt8(ascii: "\\"):
                window.position += 1
                guard let escaped = try peekForgetting(), escaped >= UInt8(ascii: " ") else { return false }
                window.position += 1
            default: window.position += 1
            }
        }
        return false
    }

    /// Returns a Boolean value that indicates whether a record or nothing follows the comma, if there is a comma.
    private mutating func isBeforeRecord() throws(InterchangeError) -> Bool {
        guard try peek() == UInt8(ascii: ",") else { return true }
        try window.fill(upTo: Self.bytesLookedAt)
        let next = window.bytes[window.position + 1..<min(window.position + Self.bytesLookedAt, window.end)]
            .first { $0 > UInt8(ascii: " ") }
        guard let next else { return true }
        // After a surplus or missing quote, strings and the text between them are swapped.
        return [beginning, closing, UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "-")].contains(next)
            || next &- UInt8(ascii: "0") <= 9
    }

    /// The count of bytes after a comma in which a record is searched.
    private static let bytesLookedAt = 4096

    // MARK: - By lines

    /// Moves to the next line that begins like the element's line, or to the end of the array or object.
    private mutating func followLines() throws(InterchangeError) -> Bool {
        try followLine()
        while true {
            let end = recordEnd
            var blanks = 0
            while let byte = try peekForgetting(), byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") {
                blanks += 1
                window.position += 1
            }
            guard let byte = try peek() else { return false }
            if byte == beginning, blanks == indentation, endsRecord(at: end, isLast: false) {
                guard !passed.mayBeSeveral else { return false }
                dropComma(at: end)
                resumesAtRecord = true
                return true
            }
            if byte == closing, blanks <= indentation, endsRecord(at: end, isLast: true) {
                guard !passed.mayBeSeveral else { return false }
                dropComma(at: end)
                return true
            }
            try followLine()
        }
    }

    /// Moves after the next line break, and stores the end of the last byte before it that is not a space.
    private mutating func followLine() throws(InterchangeError) {
        while let byte = try peekForgetting() {
            passed.note(byte, inside: UInt8(ascii: "\""))
            try step(over: byte)
            if byte > UInt8(ascii: " ") { recordEnd = window.offset }
            if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") { return }
        }
    }

    /// Returns a Boolean value that indicates whether the skipped lines end like a record.
    ///
    /// A record ends with a brace if it is an object, and with a comma if it is not the last one.
    private func endsRecord(at end: Int, isLast: Bool) -> Bool {
        guard end >= 2, end <= window.offset else { return false }
        let last = window.bytes[window.anchor + end - 1]
        guard !isLast else { return layout.shape == .members || last == UInt8(ascii: "}") }
        return last == UInt8(ascii: ",")
            && (layout.shape == .members || window.bytes[window.anchor + end - 2] == UInt8(ascii: "}"))
    }

    /// Excludes the comma after an element from its bytes.
    private mutating func dropComma(at end: Int) {
        recordEnd = min(end, window.offset)
        if recordEnd > 0, window.bytes[window.anchor + recordEnd - 1] == UInt8(ascii: ",") { recordEnd -= 1 }
    }

    /// Moves one byte forward, or two for CRLF, and counts lines.
    private mutating func step(over byte: UInt8) throws(InterchangeError) {
        window.position += 1
        guard byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") else { return }
        currentLine += 1
        if byte == UInt8(ascii: "\r"), try peekForgetting() == UInt8(ascii: "\n") { window.position += 1 }
    }
}
