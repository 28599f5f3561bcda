extension JSONRecordReader {
    /// Goes behind a record in an array or an object that begins at the anchor and could not be read.
    ///
    /// Its brackets and quotes say where it ends where they are right, as they are where the error is a value or a comma. Where they are not, each
    /// record may have a line of its own, so that the next one begins on another line. Whatever else there is may be inside of the record, and to take
    /// that for one would be worse than to stop. So it is where what would be passed over may be more than one record: see ``PassedElement``.
    ///
    /// - Returns: False where the next record cannot be found.
    mutating func skipElement() throws(InterchangeError) -> Bool {
        let isOnOneLine = currentLine == line && indentation >= 0
        rewind()
        if try followElement(), !passed.mayBeSeveral, try isBeforeRecord() { return true }
        guard isOnOneLine else { return false }
        rewind()
        return try followLines()
    }

    private mutating func rewind() {
        passed = PassedElement(areMembers: layout.shape == .members, isTooLong: isTooLong)
        window.position = window.anchor
        currentLine = line
        recordEnd = 0
    }

    /// What the array or object of the records ends with, and what each of them begins with.
    private var closing: UInt8 { layout.shape == .members ? UInt8(ascii: "}") : UInt8(ascii: "]") }
    private var beginning: UInt8 { layout.shape == .members ? UInt8(ascii: "\"") : UInt8(ascii: "{") }

    // MARK: - By brackets and quotes

    /// Goes to the comma or the bracket behind the element; false where its brackets and quotes do not fit.
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

    /// Goes behind a string, which ends on its line; false where it does not.
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

    /// Whether what comes behind the comma looks like a record; behind the last one nothing has to come.
    private mutating func isBeforeRecord() throws(InterchangeError) -> Bool {
        guard try peek() == UInt8(ascii: ",") else { return true }
        try window.fill(upTo: Self.bytesLookedAt)
        let next = window.bytes[window.position + 1..<min(window.position + Self.bytesLookedAt, window.end)]
            .first { $0 > UInt8(ascii: " ") }
        guard let next else { return true }
        // Behind a quote too many or too few texts and what is between them have changed places.
        return [beginning, closing, UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "-")].contains(next)
            || next &- UInt8(ascii: "0") <= 9
    }

    /// How far behind a comma a record is looked for.
    private static let bytesLookedAt = 4096

    // MARK: - By lines

    /// Goes to the next line that begins as the element's does, or to the end of the array or object.
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

    /// Goes behind the next line break, and notes where the last byte before it is that is no space.
    private mutating func followLine() throws(InterchangeError) {
        while let byte = try peekForgetting() {
            passed.note(byte, inside: UInt8(ascii: "\""))
            try step(over: byte)
            if byte > UInt8(ascii: " ") { recordEnd = window.offset }
            if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") { return }
        }
    }

    /// Whether the lines passed over end as a record does: an object with its brace, and all but the last one with a comma.
    private func endsRecord(at end: Int, isLast: Bool) -> Bool {
        guard end >= 2, end <= window.offset else { return false }
        let last = window.bytes[window.anchor + end - 1]
        guard !isLast else { return layout.shape == .members || last == UInt8(ascii: "}") }
        return last == UInt8(ascii: ",")
            && (layout.shape == .members || window.bytes[window.anchor + end - 2] == UInt8(ascii: "}"))
    }

    /// The comma behind an element is none of its bytes.
    private mutating func dropComma(at end: Int) {
        recordEnd = min(end, window.offset)
        if recordEnd > 0, window.bytes[window.anchor + recordEnd - 1] == UInt8(ascii: ",") { recordEnd -= 1 }
    }

    /// Goes one byte further, or two where they are one line break, and counts lines.
    private mutating func step(over byte: UInt8) throws(InterchangeError) {
        window.position += 1
        guard byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") else { return }
        currentLine += 1
        if byte == UInt8(ascii: "\r"), try peekForgetting() == UInt8(ascii: "\n") { window.position += 1 }
    }
}
