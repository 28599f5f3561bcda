extension JSONRecordReader {
    /// Reads a string whose quote is the next byte; a string with escapes is assembled in the scratch memory.
    ///
    /// - Parameter isKey: A Boolean value that indicates whether the string is a record's key, whose size is not added
    ///   to the record's values.
    /// - Returns: The location of its text.
    /// - Throws: An error if the string is invalid or too long.
    mutating func scanString(isKey: Bool = false) throws(InterchangeError) -> Text {
        window.position += 1
        var segment = window.offset
        var firstInScratch: Int?
        var highBits: UInt8 = 0
        while true {
            let (next, bits) = endOfRun(from: window.position)
            window.position = next
            highBits |= bits
            // Check the length before any other error, so that the error does not depend on the block size.
            if window.offset > limit.held {
                let count = window.offset - segment + scratch.count - (firstInScratch ?? scratch.count)
                try checkLength(count, behind: isKey ? 0 : held)
            }
            guard let byte = try peek() else { throw expected("the quote that closes a string", found: nil) }
            switch byte {
            case UInt8(ascii: "\""):
                if firstInScratch != nil { keep(from: segment) }
                let text =
                    firstInScratch.map { Text(range: $0..<scratch.count, isInScratch: true) }
                    ?? Text(range: segment..<window.offset)
                window.position += 1
                try checkUTF8(text, highBits)
                return text
            case UInt8(ascii: "\\"):
                if firstInScratch == nil { firstInScratch = scratch.count }
                keep(from: segment)
                window.position += 1
                try scanEscape()
                segment = window.offset
            case 0..<0x20:
                throw broken("control character \(byte) in a string; write it with an escape")
            default:
                // The window was refilled; the new bytes are still to be scanned.
                continue
            }
        }
    }

    /// Returns the position of the next byte with a meaning inside a string, and all bytes before it ORed.
    private func endOfRun(from position: Int) -> (Int, UInt8) {
        let bytes = window.bytes.span
        let end = window.end
        var index = position
        var highBits: UInt8 = 0
        while index < end {
            let byte = bytes[index]
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { break }
            highBits |= byte
            index += 1
        }
        return (index, highBits)
    }

    /// Copies the text from an offset to the position.
    private mutating func keep(from segment: Int) {
        scratch.append(contentsOf: window.bytes[window.anchor + segment..<window.position])
    }

    /// Throws if a text is not UTF-8.
    ///
    /// The parameter `highBits` is the bitwise OR of the bytes, so that ASCII texts need no second pass.
    private func checkUTF8(_ text: Text, _ highBits: UInt8) throws(InterchangeError) {
        guard highBits >= 0x80 else { return }
        guard withBytes(of: text, { UTF8Text.isValid($0) }) else {
            let name = window.input.encodingName
            throw broken(
                "invalid \(name) in a string; "
                    + (name == "UTF-8" ? "save the file as UTF-8, or name its encoding" : "choose another encoding"))
        }
    }

    /// Calls a closure with the bytes of a text.
    func withBytes<Result, Failure: Error>(
        of text: Text, _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        if text.isInScratch { return try body(scratch.span.extracting(text.range)) }
        let range = window.anchor + text.range.lowerBound..<window.anchor + text.range.upperBound
        return try body(window.bytes.span.extracting(range))
    }

    /// Reads the part of an escape after the backslash.
    private mutating func scanEscape() throws(InterchangeError) {
        let byte = try peek()
        let character: UInt8
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): character = byte ?? 0
        case UInt8(ascii: "b"): character = 0x08
        case UInt8(ascii: "f"): character = 0x0C
        case UInt8(ascii: "n"): character = 0x0A
        case UInt8(ascii: "r"): character = 0x0D
        case UInt8(ascii: "t"): character = 0x09
        case UInt8(ascii: "u"):
            window.position += 1
            let scalar = try scanScalar()
            scratch.append(contentsOf: UTF8.encode(scalar) ?? .init())
            return
        default:
            throw expected("one of \"\\/bfnrtu after a backslash", found: byte)
        }
        window.position += 1
        scratch.append(character)
    }

    /// Reads the digits after `\u`, and the second half of a surrogate pair.
    private mutating func scanScalar() throws(InterchangeError) -> Unicode.Scalar {
        let first = try scanHexDigits()
        guard first != 0 else { throw broken("\\u0000, which a text cannot contain") }
        if let scalar = Unicode.Scalar(first) { return scalar }
        let lone = "half of a surrogate pair in a string; write both halves"
        guard first < 0xDC00 else { throw broken(lone) }
        for expected in [UInt8(ascii: "\\"), UInt8(ascii: "u")] {
            guard try peek() == expected else { throw broken(lone) }
            window.position += 1
        }
        let second = try scanHexDigits()
        guard 0xDC00...0xDFFF ~= second else { throw broken(lone) }
        guard let scalar = Unicode.Scalar(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00)) else {
            throw broken(lone)
        }
        return scalar
    }

    /// Reads four hexadecimal digits, in any case.
    private mutating func scanHexDigits() throws(InterchangeError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            let byte = try peek()
            let digit: UInt8
            switch byte {
            case let byte? where byte &- UInt8(ascii: "0") <= 9: digit = byte - UInt8(ascii: "0")
            case let byte? where (byte | 0x20) &- UInt8(ascii: "a") <= 5: digit = (byte | 0x20) - UInt8(ascii: "a") + 10
            default: throw expected("four hexadecimal digits", found: byte)
            }
            value = value << 4 | UInt32(digit)
            window.position += 1
        }
        return value
    }
}
