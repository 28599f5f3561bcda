extension CSVReader {
    /// Reads a field that breaks the rules as spreadsheets mean it: quotes open only at the beginning, what follows a closing one belongs to the
    /// field, NUL bytes are nothing.
    ///
    /// A quote that is never closed, or on another line only by one that opens a field itself, was none: it would take the records behind it into its
    /// field. It is a character then, and the field ends with its line; up to that other line no row is filled up with null, so that no record becomes
    /// two. Any other quote on another line with something behind it may be one of the field's own, or not, and is an error.
    ///
    /// - Returns: True when the field is the last one of its record.
    mutating func readLenientField(from start: Int, line fieldLine: Int) throws(InterchangeError) -> Bool {
        let first = scratch.count
        var hasOpeningQuote = true
        var notes: [(name: String, line: Int)] = []
        while try !appendLenientField(from: start, line: fieldLine, opensQuote: hasOpeningQuote, &notes) {
            notes = []
            scratch.removeSubrange(first...)
            mending.note("quote that is never closed, taken as a character", line: fieldLine)
            hasOpeningQuote = false
        }
        for note in notes { mending.note(note.name, line: note.line) }
        let isQuoted = hasOpeningQuote && hasQuotes && window.bytes[window.anchor + start] == quote
        mendEncoding(from: first)
        fields.append(Field(start: first, end: scratch.count, isQuoted: isQuoted, isInScratch: true))
        held += scratch.count - first
        return try endOfField()
    }

    /// Adds the field's text to the scratch memory.
    ///
    /// - Parameters:
    ///   - start: Where the field begins, from the anchor on.
    ///   - fieldLine: The line on which it begins.
    ///   - opensQuote: Whether a quote at its beginning opens one.
    ///   - notes: Gets what was mended.
    /// - Returns: False where the quote at its beginning cannot have been meant to open one.
    /// - Throws: What reading throws, and where the record is too long.
    private mutating func appendLenientField(
        from start: Int, line fieldLine: Int, opensQuote: Bool, _ notes: inout [(name: String, line: Int)]
    ) throws(InterchangeError) -> Bool {
        window.position = window.anchor + start
        currentLine = fieldLine
        let first = scratch.count
        let next = try peek()
        let isQuoted = hasQuotes && next == quote && opensQuote
        var isInside = isQuoted
        var previous: UInt8 = 0
        if isQuoted { window.position += 1 }
        while let byte = try peek() {
            try checkLength(scratch.count - first)
            if !isInside, byte == separator || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") { break }
            window.position += 1
            switch byte {
            case 0: notes.append(("NUL byte left out", currentLine))
            case quote where isInside:
                if try peek() == quote {
                    scratch.append(byte)
                    window.position += 1
                } else {
                    isInside = false
                    if let next = try peek(), next != separator, next != UInt8(ascii: "\n"), next != UInt8(ascii: "\r"),
                        next != 0
                    {
                        if currentLine != fieldLine, try !endsBehindBlanks() {
                            let opens = [separator, UInt8(ascii: "\n"), UInt8(ascii: "\r")].contains(previous)
                            guard opens else { throw doubtfulQuote(openedOn: fieldLine) }
                            doubtfulLine = max(doubtfulLine, currentLine)
                            return false
                        }
                        notes.append(("text after a closing quote", currentLine))
                    }
                }
            case quote where hasQuotes:
                if !isQuoted, opensQuote || window.offset > start + 1 {
                    notes.append(("quote inside a field without quotes", currentLine))
                }
                scratch.append(byte)
            default:
                if byte == UInt8(ascii: "\r") || (byte == UInt8(ascii: "\n") && previous != UInt8(ascii: "\r")) {
                    currentLine += 1
                }
                scratch.append(byte)
            }
            previous = byte
        }
        return !isInside
    }

    /// Whether nothing but spaces and tabs stands between the position and the field's end.
    private mutating func endsBehindBlanks() throws(InterchangeError) -> Bool {
        let offset = window.offset
        while let byte = try peek(), byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t"), byte != separator {
            window.position += 1
        }
        let next = try peek()
        window.position = window.anchor + offset
        return next == nil || next == separator || next == UInt8(ascii: "\n") || next == UInt8(ascii: "\r")
    }

    /// Reads bytes at the end of the scratch memory as Windows-1252 where they are no UTF-8.
    mutating func mendEncoding(from first: Int) {
        guard !UTF8Text.isValid(scratch.span.extracting(first..<scratch.count)) else { return }
        mending.note("bytes that are no UTF-8, read as Windows-1252", line: currentLine)
        let bytes = Array(scratch[first...])
        scratch.removeSubrange(first...)
        for byte in bytes { TextEncoding.appendWindows1252(byte, to: &scratch) }
    }
}
