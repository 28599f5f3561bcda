extension CSVReader {
    /// Reads a field that breaks the rules as spreadsheets mean it: quotes open only at the beginning, what follows a closing one belongs to the
    /// field, NUL bytes are nothing.
    ///
    /// - Returns: True when the field is the last one of its record.
    mutating func readLenientField(from start: Int, line fieldLine: Int) throws(InterchangeError) -> Bool {
        window.position = window.anchor + start
        currentLine = fieldLine
        let first = scratch.count
        let next = try peek()
        let isQuoted = hasQuotes && next == quote
        var isInside = isQuoted
        var previous: UInt8 = 0
        if isQuoted { window.position += 1 }
        while let byte = try peek() {
            guard window.offset <= recordLimit else { throw tooLong }
            if !isInside, byte == separator || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") { break }
            window.position += 1
            switch byte {
            case 0: mending.note("NUL byte left out", line: currentLine)
            case quote where isInside:
                if try peek() == quote {
                    scratch.append(byte)
                    window.position += 1
                } else {
                    isInside = false
                    if let next = try peek(), next != separator, next != UInt8(ascii: "\n"), next != UInt8(ascii: "\r"),
                        next != 0
                    {
                        mending.note("text after a closing quote", line: currentLine)
                    }
                }
            case quote where hasQuotes:
                if !isQuoted { mending.note("quote inside a field without quotes", line: currentLine) }
                scratch.append(byte)
            default:
                if byte == UInt8(ascii: "\r") || (byte == UInt8(ascii: "\n") && previous != UInt8(ascii: "\r")) {
                    currentLine += 1
                }
                scratch.append(byte)
            }
            previous = byte
        }
        if isInside { mending.note("quote that is never closed", line: fieldLine) }
        mendEncoding(from: first)
        fields.append(Field(start: first, end: scratch.count, isQuoted: isQuoted, isInScratch: true))
        return try endOfField()
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
