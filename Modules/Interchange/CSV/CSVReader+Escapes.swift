extension CSVReader {
    /// Reads the next field of a file whose dialect has an escape character, quotes that are not doubled, or blanks
    /// after separators.
    ///
    /// - Returns: `true` if the field is the last one of its record.
    mutating func readUnusualField() throws(InterchangeError) -> Bool {
        if dialect.skipsInitialSpace, !fields.isEmpty { try skipInitialSpace() }
        let next = try peek()
        let isQuoted = hasQuotes && next == quote
        guard escape != nil || !dialect.doublesQuotes else {
            return try isQuoted ? readQuotedField() : readPlainField()
        }
        return try readEscapedField(isQuoted: isQuoted)
    }

    /// Skips spaces and tabs before a field; if the separator is a tab, tabs are not skipped.
    private mutating func skipInitialSpace() throws(InterchangeError) {
        while let byte = try peek(), Self.isBlank(byte), byte != separator { window.position += 1 }
    }

    /// Removes the spaces and tabs at the beginning of each field of the current record, which is completely in the
    /// window.
    mutating func trimBeginnings() {
        for index in fields.indices.dropFirst() {
            while fields[index].start < fields[index].end,
                Self.isBlank(window.bytes[window.anchor + fields[index].start])
            {
                fields[index].start += 1
            }
        }
    }

    /// The state of reading a field with escape characters.
    private struct Progress {
        /// The offset from the window's anchor at which the text of the field begins, after an opening quote.
        let start: Int
        /// The offset from the window's anchor at which the part of the field begins that is not in the scratch memory
        /// yet.
        var segment: Int
        /// The offset in the scratch memory at which the field begins; `nil` while the window contains the field
        /// verbatim.
        var first: Int?
        var highBits: UInt8 = 0
        let openedOn: Int
    }

    /// Reads a field with escape characters or with quotes that are not doubled.
    ///
    /// The field is not copied as long as it has no escape. With the first escape, its text moves to the scratch
    /// memory.
    private mutating func readEscapedField(isQuoted: Bool) throws(InterchangeError) -> Bool {
        let openedOn = currentLine
        let opening = window.offset
        if isQuoted { window.position += 1 }
        var field = Progress(start: window.offset, segment: window.offset, openedOn: openedOn)
        var previous: UInt8 = 0
        while true {
            let byte = try peek()
            // Check the length before any other error, so that the error does not depend on the block size.
            if byte == nil || isSpecial[Int(byte ?? 0)] || byte == escape { try checkLength(length(of: field)) }
            guard let byte else {
                guard !isQuoted else {
                    isOpenEnded = true
                    throw unclosedQuote(openedOn: openedOn)
                }
                return try end(field, isQuoted: false)
            }
            switch byte {
            case 0: throw zeroByte
            case let byte where byte == escape:
                try takeEscaped(&field)
                previous = 0
                continue
            case let byte where isQuoted && byte == quote:
                window.position += 1
                if dialect.doublesQuotes, try peek() == quote {
                    // Of two quotes the first is retained.
                    put(&field, upTo: window.offset)
                    window.position += 1
                    field.segment = window.offset
                } else {
                    return try endQuoted(field, opening: opening)
                }
            case let byte
            where !isQuoted && (byte == separator || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")):
                return try end(field, isQuoted: false)
            case let byte where !isQuoted && hasQuotes && byte == quote: throw quoteInside
            default:
                if byte == UInt8(ascii: "\r") || (byte == UInt8(ascii: "\n") && previous != UInt8(ascii: "\r")) {
                    currentLine += 1
                }
                field.highBits |= byte
                window.position += 1
            }
            previous = byte
        }
    }

    /// Reads the character after an escape character; CRLF counts as one character.
    private mutating func takeEscaped(_ field: inout Progress) throws(InterchangeError) {
        put(&field, upTo: window.offset)
        window.position += 1
        field.segment = window.offset
        guard let next = try peek() else { throw escapeAtEnd }
        guard next != 0 else { throw zeroByte }
        field.highBits |= next
        window.position += 1
        guard next == UInt8(ascii: "\r") || next == UInt8(ascii: "\n") else { return }
        currentLine += 1
        if next == UInt8(ascii: "\r"), try peek() == UInt8(ascii: "\n") { window.position += 1 }
    }

    /// Appends the part of a field that is not in the scratch memory yet to the scratch memory.
    private mutating func put(_ field: inout Progress, upTo end: Int) {
        if field.first == nil { field.first = scratch.count }
        keep(field.segment..<end)
    }

    /// Returns the count of bytes in the text of the field so far, without escape characters.
    private func length(of field: Progress) -> Int {
        window.offset - field.segment + (field.first.map { scratch.count - $0 } ?? 0)
    }

    private mutating func endQuoted(_ field: Progress, opening: Int) throws(InterchangeError) -> Bool {
        let end = window.offset - 1
        let found = finished(field, upTo: end, isQuoted: true)
        return try endQuotedField(found, highBits: field.highBits, opening: opening, openedOn: field.openedOn)
    }

    private mutating func end(_ field: Progress, isQuoted: Bool) throws(InterchangeError) -> Bool {
        // A null token is compared with the verbatim text, for example \N.
        if let first = field.first, isNullToken(field.start..<window.offset) {
            scratch.removeSubrange(first...)
            let whole = Field(start: field.start, end: window.offset, isQuoted: false)
            return try endField(whole, highBits: field.highBits, fieldLine: field.openedOn)
        }
        let found = finished(field, upTo: window.offset, isQuoted: isQuoted)
        return try endField(found, highBits: field.highBits, fieldLine: field.openedOn)
    }

    private mutating func finished(_ field: Progress, upTo end: Int, isQuoted: Bool) -> Field {
        guard let first = field.first else { return Field(start: field.start, end: end, isQuoted: isQuoted) }
        keep(field.segment..<end)
        return Field(start: first, end: scratch.count, isQuoted: isQuoted, isInScratch: true)
    }

    /// Returns a Boolean value that indicates whether the verbatim text of an unquoted field is a null token.
    private func isNullToken(_ range: Range<Int>) -> Bool {
        let bytes = window.bytes[window.anchor + range.lowerBound..<window.anchor + range.upperBound]
        return nullTokens.contains { bytes.elementsEqual($0) }
    }

    private var escapeAtEnd: InterchangeError {
        broken("the file ends after an escape character; another character must follow")
    }
}
