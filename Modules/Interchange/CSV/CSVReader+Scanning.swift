extension CSVReader {
    /// What is behind a field.
    private enum Terminator {
        case separator
        case lineBreak
        case end
    }

    /// Reads the fields of the next line that there is; false at the end of the input.
    mutating func readRecord() throws(InterchangeError) -> Bool {
        window.anchor = window.position
        line = currentLine
        fields.removeAll(keepingCapacity: true)
        guard try peek() != nil else { return false }
        while true {
            guard fields.count < Self.maximumFields else {
                throw error(.malformed, message: "more than \(Self.maximumFields) fields")
            }
            let isQuoted = try peek() == UInt8(ascii: "\"")
            if try isQuoted ? readQuotedField() : readPlainField() { return true }
        }
    }

    /// The next byte, or nil at the end of the input.
    private mutating func peek() throws(InterchangeError) -> UInt8? {
        while window.position >= window.end {
            switch try window.refill() {
            case .more: break
            case .end: return nil
            case .overLimit: throw tooLong
            }
        }
        return window.bytes[window.position]
    }

    /// Reads a field without quotes; true when it is the last one of its record.
    private mutating func readPlainField() throws(InterchangeError) -> Bool {
        let start = window.offset
        var highBits: UInt8 = 0
        while true {
            let (next, bits) = endOfRun(from: window.position)
            window.position = next
            highBits |= bits
            guard let byte = try peek() else {
                return try endField(from: start, to: window.offset, isQuoted: false, highBits, before: .end)
            }
            // More bytes may have come, which then are still to be looked at.
            guard isSpecial[Int(byte)] else { continue }
            let end = window.offset
            switch byte {
            case UInt8(ascii: "\""): throw quoteInside
            case 0: throw zeroByte
            default:
                let terminator = byte == separator ? Terminator.separator : .lineBreak
                return try endField(from: start, to: end, isQuoted: false, highBits, before: terminator)
            }
        }
    }

    /// The first byte that ends a run of a field without quotes, and all bytes before it ORed.
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

    /// Reads a field in quotes, taking doubled quotes together in place; true when it is the last one of its record.
    private mutating func readQuotedField() throws(InterchangeError) -> Bool {
        let openedOn = currentLine
        window.position += 1
        let start = window.offset
        var written = start
        var segment = start
        var highBits: UInt8 = 0
        var previous: UInt8 = 0
        while true {
            guard let byte = try peek() else { throw unclosedQuote(openedOn: openedOn) }
            switch byte {
            case UInt8(ascii: "\""):
                window.position += 1
                let isDoubled = try peek() == UInt8(ascii: "\"")
                // Of two quotes the first is kept.
                let length = window.offset - segment - (isDoubled ? 0 : 1)
                let from = window.anchor + segment
                window.move(from..<from + length, to: window.anchor + written)
                written += length
                if !isDoubled { return try endQuotedField(from: start, to: written, highBits) }
                window.position += 1
                segment = window.offset
            case 0:
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

    /// The first byte that means something inside quotes, and all bytes before it ORed.
    private func endOfQuotedRun(from position: Int) -> (Int, UInt8) {
        let bytes = window.bytes.span
        let end = window.end
        var index = position
        var highBits: UInt8 = 0
        while index < end {
            let byte = bytes[index]
            if byte <= UInt8(ascii: "\"") {
                if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") || byte == 0 {
                    break
                }
            }
            highBits |= byte
            index += 1
        }
        return (index, highBits)
    }

    private mutating func endQuotedField(
        from start: Int, to end: Int, _ highBits: UInt8
    ) throws(InterchangeError) -> Bool {
        let terminator: Terminator
        switch try peek() {
        case nil: terminator = .end
        case separator: terminator = .separator
        case UInt8(ascii: "\n"), UInt8(ascii: "\r"): terminator = .lineBreak
        case 0: throw zeroByte
        default: throw textAfterQuote
        }
        return try endField(from: start, to: end, isQuoted: true, highBits, before: terminator)
    }

    /// Checks and keeps a field and skips what is behind it; true when the record ends there.
    private mutating func endField(
        from start: Int, to end: Int, isQuoted: Bool, _ highBits: UInt8, before terminator: Terminator
    ) throws(InterchangeError) -> Bool {
        guard window.offset <= recordLimit else { throw tooLong }
        if highBits >= 0x80 {
            let range = window.anchor + start..<window.anchor + end
            guard UTF8Text.isValid(window.bytes.span.extracting(range)) else {
                throw broken("invalid UTF-8; save the file as UTF-8")
            }
        }
        fields.append(Field(start: start, end: end, isQuoted: isQuoted))
        guard terminator != .end else { return true }
        let isCarriageReturn = window.bytes[window.position] == UInt8(ascii: "\r")
        window.position += 1
        guard terminator == .lineBreak else { return false }
        currentLine += 1
        if isCarriageReturn, try peek() == UInt8(ascii: "\n") { window.position += 1 }
        return true
    }
}
