/// Reads JSON (RFC 8259) into values that know where they stand.
///
/// Foundation's decoder knows no places, drops keys that nobody asks for and takes the last of two equal ones: all three are
/// mistakes that the person who writes a description must hear of.
struct DescriptionReader {
    /// Deeper than any description is, and shallow enough for the call stack.
    private static let deepest = 64

    private let bytes: [UInt8]
    private var place = 0
    private var line = 1
    private var lineStart = 0

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Reads a whole text.
    ///
    /// - Parameter bytes: UTF-8, with or without a byte order mark.
    /// - Returns: The document's value.
    /// - Throws: ``FixtureError`` with the code `malformed`, the line and the column.
    static func read(_ bytes: [UInt8]) throws(FixtureError) -> DescriptionValue {
        var reader = DescriptionReader(bytes)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            reader.place = 3
            reader.lineStart = 3
        }
        let value = try reader.value(depth: 0)
        reader.skipBlanks()
        guard reader.place == bytes.count else { throw reader.error("there is something behind the document") }
        return value
    }

    private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

    private var here: DescriptionValue.Place { .init(line: line, column: place - lineStart + 1) }

    private func error(_ message: String, at place: DescriptionValue.Place? = nil) -> FixtureError {
        DescriptionValue(.null, at: place ?? here).error(code: .malformed, message)
    }

    private mutating func skipBlanks() {
        while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
            place += 1
            if byte == 0x0A {
                line += 1
                lineStart = place
            }
        }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        skipBlanks()
        guard next == UInt8(ascii: character) else { return false }
        place += 1
        return true
    }

    private mutating func value(depth: Int) throws(FixtureError) -> DescriptionValue {
        skipBlanks()
        let start = here
        guard depth < Self.deepest else { throw error("the document is nested more than \(Self.deepest) levels deep") }
        guard let byte = next else { throw error("the document ends where a value should be") }
        let content: DescriptionValue.Content
        switch byte {
        case UInt8(ascii: "{"): content = .object(try members(depth))
        case UInt8(ascii: "["): content = .array(try elements(depth))
        case UInt8(ascii: "\""): content = .string(try string())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): content = .number(try number())
        default: content = try word()
        }
        return DescriptionValue(content, at: start)
    }

    private mutating func members(_ depth: Int) throws(FixtureError) -> [DescriptionValue.Member] {
        place += 1
        var members: [DescriptionValue.Member] = []
        // By bytes: what Unicode takes for the same text may be two texts of "oneOf".
        var names: Set<[UInt8]> = []
        if take("}") { return members }
        repeat {
            skipBlanks()
            let start = here
            guard next == UInt8(ascii: "\"") else { throw error("a name in quotes should be here") }
            let name = try string()
            guard names.insert(Array(name.utf8)).inserted else {
                throw error("the name \"\(name)\" is there twice", at: start)
            }
            guard take(":") else { throw error("a colon should be here") }
            members.append(.init(name: name, value: try value(depth: depth + 1)))
        } while take(",")
        guard take("}") else { throw error("a comma or } should be here") }
        return members
    }

    private mutating func elements(_ depth: Int) throws(FixtureError) -> [DescriptionValue] {
        place += 1
        var elements: [DescriptionValue] = []
        if take("]") { return elements }
        repeat { elements.append(try value(depth: depth + 1)) } while take(",")
        guard take("]") else { throw error("a comma or ] should be here") }
        return elements
    }

    private mutating func word() throws(FixtureError) -> DescriptionValue.Content {
        let words: [(StaticString, DescriptionValue.Content)] = [
            ("true", .boolean(true)), ("false", .boolean(false)), ("null", .null),
        ]
        for (word, content) in words {
            let letters = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
            guard bytes[place...].starts(with: letters) else { continue }
            place += letters.count
            return content
        }
        throw error("no value of JSON begins like this")
    }

    private mutating func number() throws(FixtureError) -> String {
        let start = place
        func isDigit(_ byte: UInt8?) -> Bool { byte.map { $0 >= 0x30 && $0 <= 0x39 } ?? false }
        if next == UInt8(ascii: "-") { place += 1 }
        if next == UInt8(ascii: "0") {
            place += 1
        } else {
            guard isDigit(next) else { throw error("a digit should be here") }
            while isDigit(next) { place += 1 }
        }
        if next == UInt8(ascii: ".") {
            place += 1
            guard isDigit(next) else { throw error("a digit should be here") }
            while isDigit(next) { place += 1 }
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            place += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { place += 1 }
            guard isDigit(next) else { throw error("a digit should be here") }
            while isDigit(next) { place += 1 }
        }
        return String(decoding: bytes[start..<place], as: UTF8.self)
    }
}

// MARK: - Strings

extension DescriptionReader {
    private mutating func string() throws(FixtureError) -> String {
        let start = here
        place += 1
        var text: [UInt8] = []
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                place += 1
                guard let string = String(validating: text, as: UTF8.self) else {
                    throw error("the text is not valid UTF-8", at: start)
                }
                return string
            case UInt8(ascii: "\\"):
                place += 1
                try escape(&text)
            case 0..<0x20: throw error("a control character must be written as an escape")
            default:
                text.append(byte)
                place += 1
            }
        }
        throw error("the text has no end", at: start)
    }

    private mutating func escape(_ text: inout [UInt8]) throws(FixtureError) {
        let byte = next
        place += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte ?? 0)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"):
            var code = UInt32(try hexadecimal())
            if code & 0xFC00 == 0xD800 {
                guard next == UInt8(ascii: "\\"), place + 1 < bytes.count, bytes[place + 1] == UInt8(ascii: "u") else {
                    throw error("the first half of a pair of escapes stands alone")
                }
                place += 2
                let low = UInt32(try hexadecimal())
                guard low & 0xFC00 == 0xDC00 else { throw error("the second half of a pair of escapes is none") }
                code = 0x10000 + (code & 0x3FF) << 10 + low & 0x3FF
            }
            guard let scalar = Unicode.Scalar(code) else {
                throw error("the second half of a pair of escapes stands alone")
            }
            text.append(contentsOf: String(scalar).utf8)
        default:
            place -= 1
            throw error("there is no such escape")
        }
    }

    private mutating func hexadecimal() throws(FixtureError) -> UInt16 {
        var code: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw error("an escape has four hexadecimal digits")
            }
            code = code << 4 | UInt16(digit)
            place += 1
        }
        return code
    }
}
