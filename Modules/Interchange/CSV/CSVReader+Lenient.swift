extension CSVReader {
    /// Reads a field that violates the syntax in the way in which spreadsheets read it.
    ///
    /// Quotes have a meaning only at the beginning of the field. Text after a closing quote is a part of the field. NUL
    /// bytes are skipped.
    ///
    /// A quote is read as an ordinary character in two cases: it is never closed, or the quote that closes it is on
    /// another line and opens a field itself. Otherwise the field would include the records that follow it. The field
    /// then ends on its line. Up to the other line, a row with missing fields is an error, so that one record does not
    /// become two. Any other closing quote on another line that is followed by text is ambiguous and therefore an
    /// error.
    ///
    /// - Returns: `true` if the field is the last one of its record.
    mutating func readLenientField(from start: Int, line fieldLine: Int) throws(InterchangeError) -> Bool {
        let first = scratch.count
        var hasOpeningQuote = true
        var notes: [(name: String, line: Int)] = []
        while try !appendLenientField(from: start, line: fieldLine, opensQuote: hasOpeningQuote, &notes) {
            notes = []
            scratch.removeSubrange(first...)
            repairLog.note("quote that is never closed, taken as a character", line: fieldLine)
            hasOpeningQuote = false
        }
        for note in notes { repairLog.note(note.name, line: note.line) }
        let isQuoted = hasOpeningQuote && hasQuotes && window.bytes[window.anchor + start] == quote
        repairEncoding(from: first)
        fields.append(Field(start: first, end: scratch.count, isQuoted: isQuoted, isInScratch: true))
        held += scratch.count - first
        return try endOfField()
    }

    /// Appends the text of a field that violates the syntax to the scratch memory.
    ///
    /// - Parameters:
    ///   - start: The offset of the field from the window's anchor.
    ///   - fieldLine: The physical line on which the field begins.
    ///   - opensQuote: A Boolean value that indicates whether a quote at the beginning opens quoted text.
    ///   - notes: The list to which notes about accepted errors are appended.
    /// - Returns: `false` if a quote at the beginning of the field cannot be an opening quote.
    /// - Throws: ``InterchangeError`` if the input cannot be read or the record is too long.
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

    /// Returns a Boolean value that indicates whether only spaces and tabs remain before the end of the field.
    private mutating func endsBehindBlanks() throws(InterchangeError) -> Bool {
        let offset = window.offset
        while let byte = try peek(), byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t"), byte != separator {
            window.position += 1
        }
        let next = try peek()
        window.position = window.anchor + offset
        return next == nil || next == separator || next == UInt8(ascii: "\n") || next == UInt8(ascii: "\r")
    }

    /// Converts the text at the end of the scratch memory from Windows-1252 to UTF-8 if it is not valid UTF-8.
    mutating func repairEncoding(from first: Int) {
        guard !UTF8Text.isValid(scratch.span.extracting(first..<scratch.count)) else { return }
        repairLog.note("bytes that are not UTF-8, read as Windows-1252", line: currentLine)
        let bytes = Array(scratch[first...])
        scratch.removeSubrange(first...)
        for byte in bytes { TextEncoding.appendWindows1252(byte, to: &scratch) }
    }
}
