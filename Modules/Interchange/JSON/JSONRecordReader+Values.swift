extension JSONRecordReader {
    /// Returns the next byte, or `nil` at the end of the input.
    @inline(__always)
    mutating func peek() throws(InterchangeError) -> UInt8? {
        if window.position < window.end { return window.bytes[window.position] }
        return try peekFurther()
    }

    private mutating func peekFurther() throws(InterchangeError) -> UInt8? {
        while window.position >= window.end {
            switch try window.refill() {
            case .more: break
            case .end: return nil
            case .overLimit:
                isTooLong = true
                throw tooLong
            }
        }
        return window.bytes[window.position]
    }

    /// Moves to the next byte that is not white space and counts lines; returns `nil` at the end of the input.
    ///
    /// Outside of a record, the bytes before it are no longer retained.
    mutating func skipWhitespace() throws(InterchangeError) -> UInt8? {
        var previous: UInt8 = 0
        // The count of blanks after a line break; negative before the first line break.
        var blanks = Int.min
        while true {
            let (next, lines) = endOfWhitespace(&previous, &blanks)
            window.position = next
            currentLine += lines
            if !isInRecord { window.anchor = next }
            if next < window.end {
                if !isInRecord { indentation = max(-1, blanks) }
                return window.bytes[next]
            }
            guard try peek() != nil else { return nil }
        }
    }

    /// Returns the index of the next byte that is not white space, and the count of lines that end before it.
    @inline(__always)
    private func endOfWhitespace(_ previous: inout UInt8, _ blanks: inout Int) -> (next: Int, lines: Int) {
        let bytes = window.bytes.span
        let end = window.end
        var (index, lines) = (window.position, 0)
        while index < end {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\t"): blanks += 1
            case UInt8(ascii: "\n"):
                if previous != UInt8(ascii: "\r") { lines += 1 }
                blanks = 0
            case UInt8(ascii: "\r"):
                lines += 1
                blanks = 0
            default: return (index, lines)
            }
            previous = byte
            index += 1
        }
        return (index, lines)
    }

    mutating func skipColon() throws(InterchangeError) {
        let byte = try skipWhitespace()
        guard byte == UInt8(ascii: ":") else { throw expected("a colon", found: byte) }
        window.position += 1
    }

    /// Reads a value that begins at the next byte; arrays and objects are validated and skipped.
    ///
    /// - Parameter depth: The nesting depth of the value if it is an array or an object, from 1.
    /// - Returns: The kind of the value; the location of a string is in ``scannedString``.
    /// - Throws: ``InterchangeError/Code/malformed`` if the value violates the syntax, is nested too deeply or is too
    ///   long.
    mutating func scanValue(depth: Int) throws(InterchangeError) -> JSONKind {
        let kind: JSONKind
        let start = window.offset
        switch try peek() {
        case UInt8(ascii: "{"):
            try skipContainer(depth: depth)
            return .object
        case UInt8(ascii: "["):
            try skipContainer(depth: depth)
            return .array
        case UInt8(ascii: "\""):
            scannedString = try scanString()
            try hold(scannedString.range.count)
            return .string
        case UInt8(ascii: "n"):
            try scanWord("null")
            kind = .null
        case UInt8(ascii: "t"):
            try scanWord("true")
            kind = .boolean(true)
        case UInt8(ascii: "f"):
            try scanWord("false")
            kind = .boolean(false)
        case let byte? where byte == UInt8(ascii: "-") || byte &- UInt8(ascii: "0") <= 9:
            try scanNumber()
            kind = .number
        case let byte:
            throw expected("a value", found: byte)
        }
        try hold(window.offset - start)
        return kind
    }

    /// Reads `null`, `true` or `false` byte by byte, because the word may continue in the next block.
    private mutating func scanWord(_ word: StaticString) throws(InterchangeError) {
        for index in 0..<word.utf8CodeUnitCount {
            let byte = try peek()
            let isRight = word.withUTF8Buffer { byte == $0[index] }
            guard isRight else { throw expected("\(word)", found: byte) }
            window.position += 1
        }
    }

    /// Reads a number in the syntax of RFC 8259: no leading zeros, no plus sign, digits on both sides of a point.
    private mutating func scanNumber() throws(InterchangeError) {
        if try peek() == UInt8(ascii: "-") { window.position += 1 }
        if try peek() == UInt8(ascii: "0") { window.position += 1 } else { try scanDigits() }
        if try peek() == UInt8(ascii: ".") {
            window.position += 1
            try scanDigits()
        }
        if let byte = try peek(), byte | 0x20 == UInt8(ascii: "e") {
            window.position += 1
            if let sign = try peek(), sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { window.position += 1 }
            try scanDigits()
        }
    }

    private mutating func scanDigits() throws(InterchangeError) {
        let first = try peek()
        guard let first, first &- UInt8(ascii: "0") <= 9 else { throw expected("a digit", found: first) }
        while let byte = try peek(), byte &- UInt8(ascii: "0") <= 9 { window.position += 1 }
    }

    /// The tokens that may follow inside an array or an object.
    private enum Expectation {
        case value
        case valueOrEnd
        case key
        case keyOrEnd
        case commaOrEnd
    }

    /// Validates and skips an array or an object, with an explicit stack instead of recursion.
    private mutating func skipContainer(depth: Int) throws(InterchangeError) {
        var closing: [UInt8] = []
        var expectation = Expectation.value
        let first = scratch.count
        repeat {
            let byte = try skipWhitespace()
            // The content of skipped strings is not needed, so their unescaped text is dropped.
            if scratch.count > first { scratch.removeSubrange(first...) }
            switch (expectation, byte) {
            case (.valueOrEnd, UInt8(ascii: "]")), (.keyOrEnd, UInt8(ascii: "}")), (.commaOrEnd, closing.last):
                window.position += 1
                closing.removeLast()
                expectation = .commaOrEnd
            case (.commaOrEnd, UInt8(ascii: ",")):
                window.position += 1
                expectation = closing.last == UInt8(ascii: "}") ? .key : .value
            case (.commaOrEnd, _):
                throw expected(closing.last == UInt8(ascii: "}") ? "a comma or }" : "a comma or ]", found: byte)
            case (.key, UInt8(ascii: "\"")), (.keyOrEnd, UInt8(ascii: "\"")):
                try hold(try scanString().range.count)
                try skipColon()
                expectation = .value
            case (.key, _), (.keyOrEnd, _):
                throw expected("a key in quotes", found: byte)
            case (.value, UInt8(ascii: "{")), (.valueOrEnd, UInt8(ascii: "{")):
                try open(UInt8(ascii: "}"), closing: &closing, depth: depth)
                expectation = .keyOrEnd
            case (.value, UInt8(ascii: "[")), (.valueOrEnd, UInt8(ascii: "[")):
                try open(UInt8(ascii: "]"), closing: &closing, depth: depth)
                expectation = .valueOrEnd
            case (.value, _), (.valueOrEnd, _):
                _ = try scanValue(depth: depth)  // no bracket, so this does not come back here
                expectation = .commaOrEnd
            }
        } while !closing.isEmpty
        if scratch.count > first { scratch.removeSubrange(first...) }
        try checkLength(0, behind: held)
    }

    /// Moves after an opening bracket, and adds the closing one to the stack.
    private mutating func open(_ end: UInt8, closing: inout [UInt8], depth: Int) throws(InterchangeError) {
        guard depth + closing.count <= Self.maximumDepth else {
            throw broken("more than \(Self.maximumDepth) nested arrays and objects")
        }
        closing.append(end)
        window.position += 1
        try hold(1)
    }
}
