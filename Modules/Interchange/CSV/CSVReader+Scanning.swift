extension CSVReader {
    /// Reads the fields of the next record; returns `false` at the end of the input.
    ///
    /// A record without quotes that is completely in the window is read by a fast loop. Any other record is read field
    /// by field. Both ways have the same result.
    ///
    /// - Returns: `true` if a record was read. The record may be blank; the caller decides whether that is a record.
    /// - Throws: ``InterchangeError/Code/malformed`` for a violation of the syntax or of the limits;
    ///   ``InterchangeError`` if the input cannot be read.
    mutating func readRecord() throws(InterchangeError) -> Bool {
        window.anchor = window.position
        fields.removeAll(keepingCapacity: true)
        scratch.removeAll(keepingCapacity: true)
        try skipComments()
        physicalLine = currentLine
        line = sheet?.row(ofLine: currentLine) ?? currentLine
        guard try peek() != nil else { return false }
        if readPlainRecord() {
            if dialect.skipsInitialSpace { trimBeginnings() }
            return true
        }
        held = 0
        while true {
            guard fields.count < Self.maximumFields else {
                throw error(.malformed, message: "more than \(Self.maximumFields) fields")
            }
            if isUnusual {
                if try readUnusualField() { return true }
                continue
            }
            let next = try peek()
            let isQuoted = hasQuotes && next == quote
            if try isQuoted ? readQuotedField() : readPlainField() { return true }
        }
    }

    /// Reads a record that is completely in the window and contains no quotes or other special syntax.
    ///
    /// Only a line feed ends such a record. A carriage return would need the byte after it, which may not be in the
    /// window.
    ///
    /// - Returns: `false` if the next record is not of this kind; the reader is then unchanged.
    private mutating func readPlainRecord() -> Bool {
        let (start, end, anchor) = (window.position, window.end, window.anchor)
        var index = start
        var fieldStart = start - anchor
        var highBits: UInt8 = 0
        let (buffer, table) = (window.bytes, isSpecial)
        let (bytes, isSpecial) = (buffer.span, table.span)
        var isWhole = false
        while index < end {
            let byte = bytes[index]
            guard isSpecial[Int(byte)] else {
                highBits |= byte
                index += 1
                continue
            }
            let field = Field(start: fieldStart, end: index - anchor, isQuoted: false)
            if byte == separator {
                fields.append(field)
                fieldStart = index + 1 - anchor
                index += 1
            } else {
                guard byte == UInt8(ascii: "\n") else { break }
                fields.append(field)
                isWhole = true
                break
            }
        }
        // The values cannot be longer than the verbatim text.
        guard isWhole, fields.count <= Self.maximumFields, index - anchor <= limit.held,
            highBits < 0x80 || UTF8Text.isValid(bytes.extracting(start..<index))
        else {
            fields.removeAll(keepingCapacity: true)
            return false
        }
        recordEnd = index - anchor
        window.position = index + 1
        currentLine += 1
        return true
    }

    /// Returns the next byte without consuming it, or `nil` at the end of the input.
    @inline(__always)
    mutating func peek() throws(InterchangeError) -> UInt8? {
        if window.position < window.end { return window.bytes[window.position] }
        return try peekFurther()
    }

    /// Reads more of the input, and returns the next byte; `nil` at the end of the input.
    private mutating func peekFurther() throws(InterchangeError) -> UInt8? {
        while window.position >= window.end {
            switch try window.refill() {
            case .more: break
            case .end: return nil
            case .overLimit:
                isOpenEnded = true
                throw tooLong
            }
        }
        return window.bytes[window.position]
    }

    /// Reads an unquoted field; returns `true` if the field is the last one of its record.
    mutating func readPlainField() throws(InterchangeError) -> Bool {
        let start = window.offset
        var highBits: UInt8 = 0
        while true {
            let (next, bits) = endOfRun(from: window.position)
            window.position = next
            highBits |= bits
            if window.position >= window.end { try checkLength(window.offset - start) }
            guard let byte = try peek() else {
                return try endField(
                    Field(start: start, end: window.offset, isQuoted: false), highBits: highBits, fieldLine: currentLine
                )
            }
            // If the window was refilled, the new bytes are still to be scanned.
            guard isSpecial[Int(byte)] else { continue }
            if byte == 0 || (hasQuotes && byte == quote) {
                try checkLength(window.offset - start)
                if dialect.isLenient { return try readLenientField(from: start, line: currentLine) }
                throw byte == 0 ? zeroByte : quoteInside
            }
            return try endField(
                Field(start: start, end: window.offset, isQuoted: false), highBits: highBits, fieldLine: currentLine)
        }
    }

    /// Returns the position of the next byte that may end an unquoted field, and the bitwise OR of all bytes before it.
    private func endOfRun(from position: Int) -> (Int, UInt8) {
        let bytes = window.bytes.span
        let isSpecial = isSpecial.span
        let end = window.end
        var index = position
        var highBits: UInt8 = 0
        while index < end {
            let byte = bytes[index]
            if isSpecial[Int(byte)] { break }
            highBits |= byte
            index += 1
        }
        return (index, highBits)
    }

    /// Reads a quoted field; if it contains doubled quotes, its text is assembled in the scratch memory.
    ///
    /// - Returns: `true` if the field is the last one of its record.
    mutating func readQuotedField() throws(InterchangeError) -> Bool {
        let openedOn = currentLine
        let opening = window.offset
        window.position += 1
        var segment = window.offset
        var firstInScratch: Int?
        var highBits: UInt8 = 0
        var previous: UInt8 = 0
        while true {
            // Check the length before any other error, so that the error does not depend on the block size.
            if window.position >= window.end || window.bytes[window.position] == 0 {
                try checkLength(window.offset - segment + scratch.count - (firstInScratch ?? scratch.count))
            }
            guard let byte = try peek() else {
                if dialect.isLenient { return try readLenientField(from: opening, line: openedOn) }
                isOpenEnded = true
                throw unclosedQuote(openedOn: openedOn)
            }
            switch byte {
            case quote:
                window.position += 1
                guard try peek() == quote else {
                    let end = window.offset - 1
                    guard let first = firstInScratch else {
                        let field = Field(start: segment, end: end, isQuoted: true)
                        return try endQuotedField(field, highBits: highBits, opening: opening, openedOn: openedOn)
                    }
                    keep(segment..<end)
                    let field = Field(start: first, end: scratch.count, isQuoted: true, isInScratch: true)
                    return try endQuotedField(field, highBits: highBits, opening: opening, openedOn: openedOn)
                }
                // Of two quotes the first is retained.
                if firstInScratch == nil { firstInScratch = scratch.count }
                keep(segment..<window.offset)
                window.position += 1
                segment = window.offset
            case 0:
                if dialect.isLenient { return try readLenientField(from: opening, line: openedOn) }
                throw zeroByte
            case UInt8(ascii: "\n"):
                window.position += 1
                if previous != UInt8(ascii: "\r") { currentLine += 1 }
            case UInt8(ascii: "\r"):
                window.position += 1
                currentLine += 1
            default:
                let (next, bits) = endOfQuotedRun(from: window.position)
                window.position = next
                highBits |= bits
            }
            previous = byte
        }
    }

    /// Copies bytes of the window, given by their offsets from the anchor, to the end of the scratch memory.
    mutating func keep(_ range: Range<Int>) {
        scratch.append(contentsOf: window.bytes[window.anchor + range.lowerBound..<window.anchor + range.upperBound])
    }

    /// Returns the position of the next byte with a meaning inside quotes, and the bitwise OR of all bytes before it.
    private func endOfQuotedRun(from position: Int) -> (Int, UInt8) {
        let bytes = window.bytes.span
        let end = window.end
        let quote = quote
        var index = position
        var highBits: UInt8 = 0
        while index < end {
            let byte = bytes[index]
            if byte == quote || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") || byte == 0 { break }
            highBits |= byte
            index += 1
        }
        return (index, highBits)
    }

    /// Validates the byte after a closing quote, and ends the field.
    ///
    /// The parameter `opening` is the offset of the opening quote, from which a lenient reader reads the field again.
    mutating func endQuotedField(
        _ field: Field, highBits: UInt8, opening: Int, openedOn: Int
    ) throws(InterchangeError) -> Bool {
        switch try peek() {
        case nil, separator, UInt8(ascii: "\n"), UInt8(ascii: "\r"): break
        case let byte:
            try checkLength(field.end - field.start)
            if dialect.isLenient { return try readLenientField(from: opening, line: openedOn) }
            throw byte == 0 ? zeroByte : textAfterQuote
        }
        return try endField(field, highBits: highBits, fieldLine: openedOn)
    }

    /// Validates and stores a field, and skips the separator or line break after it; returns `true` at the end of the
    /// record.
    mutating func endField(
        _ field: Field, highBits: UInt8, fieldLine: Int
    ) throws(InterchangeError) -> Bool {
        try checkLength(field.end - field.start)
        held += field.end - field.start
        if highBits >= 0x80, !hasValidText(field) {
            if dialect.isLenient {
                let first = scratch.count
                if field.isInScratch {
                    scratch.append(contentsOf: scratch[field.start..<field.end])
                } else {
                    keep(field.start..<field.end)
                }
                repairEncoding(from: first)
                fields.append(
                    Field(start: first, end: scratch.count, isQuoted: field.isQuoted, isInScratch: true))
                return try endOfField()
            }
            throw invalidText
        }
        fields.append(field)
        return try endOfField()
    }

    /// Throws an error if a field with `count` bytes makes the record longer than the limit.
    @inline(__always)
    mutating func checkLength(_ count: Int) throws(InterchangeError) {
        guard held + count <= limit.held, window.offset <= limit.spelled else {
            isOpenEnded = true
            throw tooLong
        }
    }

    /// Returns a Boolean value that indicates whether the text of a field is UTF-8.
    private func hasValidText(_ field: Field) -> Bool {
        if field.isInScratch { return UTF8Text.isValid(scratch.span.extracting(field.start..<field.end)) }
        return UTF8Text.isValid(
            window.bytes.span.extracting(window.anchor + field.start..<window.anchor + field.end))
    }

    /// Skips the separator or the line break after a field; returns `true` at the end of the record.
    mutating func endOfField() throws(InterchangeError) -> Bool {
        recordEnd = window.offset
        guard let byte = try peek() else { return true }
        window.position += 1
        guard byte != separator else { return false }
        currentLine += 1
        if byte == UInt8(ascii: "\r"), try peek() == UInt8(ascii: "\n") { window.position += 1 }
        return true
    }
}
