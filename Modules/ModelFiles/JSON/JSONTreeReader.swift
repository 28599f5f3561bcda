/// Reads a JSON document (RFC 8259) into memory.
///
/// A member that stands twice is an error: which of the two counts is up to each reader.
struct JSONTreeReader {
    /// The deepest nesting: a descriptor has some eight levels, and each costs a call.
    private static let deepest = 64

    private let bytes: [UInt8]
    private var index = 0

    /// Reads a document.
    ///
    /// - Throws: ``JSONSyntaxError``.
    static func read(_ bytes: [UInt8]) throws(JSONSyntaxError) -> JSONValue {
        var reader = JSONTreeReader(bytes)
        // A mark of the byte order is none of JSON's, and editors write it.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { reader.index = 3 }
        let value = try reader.value(depth: 0)
        reader.skipBlanks()
        guard reader.index == bytes.count else { throw reader.error("there is more behind the end of the document") }
        return value
    }

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    private var byte: UInt8? { index < bytes.count ? bytes[index] : nil }

    private func error(_ message: String) -> JSONSyntaxError {
        let before = bytes[..<min(index, bytes.count)]
        let line = 1 + before.count { $0 == UInt8(ascii: "\n") }
        let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let column = 1 + before[start...].count { $0 & 0xC0 != 0x80 }
        return JSONSyntaxError(line: line, column: column, message: message)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private mutating func skipBlanks() {
        while let byte, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { index += 1 }
    }

    private mutating func value(depth: Int) throws(JSONSyntaxError) -> JSONValue {
        guard depth <= Self.deepest else { throw error("more than \(Self.deepest) levels are nested") }
        skipBlanks()
        switch byte {
        case UInt8(ascii: "{"): return .object(try members(depth: depth))
        case UInt8(ascii: "["): return .array(try elements(depth: depth))
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .boolean(true))
        case UInt8(ascii: "f"): return try word("false", .boolean(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case nil: throw error("the document ends where a value is expected")
        case let first? where first == UInt8(ascii: "-") || Self.isDigit(first): return .number(try number())
        default: throw error("a value is expected here")
        }
    }

    private mutating func word(_ word: String, _ value: JSONValue) throws(JSONSyntaxError) -> JSONValue {
        guard bytes[index...].starts(with: word.utf8) else { throw error("a value is expected here") }
        index += word.utf8.count
        return value
    }

    private mutating func members(depth: Int) throws(JSONSyntaxError) -> [JSONValue.Member] {
        var members: [JSONValue.Member] = []
        var names: Set<String> = []
        index += 1
        skipBlanks()
        if byte == UInt8(ascii: "}") {
            index += 1
            return []
        }
        while true {
            skipBlanks()
            guard byte == UInt8(ascii: "\"") else { throw error("a member's name in quotes is expected here") }
            let start = index
            let name = try string()
            guard names.insert(name).inserted else {
                index = start
                throw error("“\(name)” stands twice in one object")
            }
            skipBlanks()
            guard byte == UInt8(ascii: ":") else { throw error("a colon is expected here") }
            index += 1
            members.append(JSONValue.Member(name: name, value: try value(depth: depth + 1)))
            if try ends(with: UInt8(ascii: "}")) { return members }
        }
    }

    private mutating func elements(depth: Int) throws(JSONSyntaxError) -> [JSONValue] {
        var elements: [JSONValue] = []
        index += 1
        skipBlanks()
        if byte == UInt8(ascii: "]") {
            index += 1
            return []
        }
        while true {
            elements.append(try value(depth: depth + 1))
            if try ends(with: UInt8(ascii: "]")) { return elements }
        }
    }

    /// Whether an object or a list ends here, and not goes on behind a comma.
    private mutating func ends(with closing: UInt8) throws(JSONSyntaxError) -> Bool {
        skipBlanks()
        guard let byte, byte == closing || byte == UInt8(ascii: ",") else {
            throw error("a comma or \(Character(Unicode.Scalar(closing))) is expected here")
        }
        index += 1
        return byte == closing
    }

    private mutating func number() throws(JSONSyntaxError) -> String {
        let start = index
        if byte == UInt8(ascii: "-") { index += 1 }
        let whole = index
        try digits()
        if bytes[whole] == UInt8(ascii: "0"), index > whole + 1 {
            index = whole
            throw error("a number does not begin with 0")
        }
        if byte == UInt8(ascii: ".") {
            index += 1
            try digits()
        }
        if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
            index += 1
            if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { index += 1 }
            try digits()
        }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private mutating func digits() throws(JSONSyntaxError) {
        let start = index
        while let byte, Self.isDigit(byte) { index += 1 }
        if index == start { throw error("a digit is expected here") }
    }

    private mutating func string() throws(JSONSyntaxError) -> String {
        index += 1
        var text: [UInt8] = []
        while let byte {
            switch byte {
            case UInt8(ascii: "\""):
                let end = index
                index += 1
                guard let string = String(validating: text, as: UTF8.self) else {
                    index = end
                    throw error("the text before this is no UTF-8")
                }
                return string
            case UInt8(ascii: "\\"):
                index += 1
                text += Array(String(try escape()).utf8)
            case 0..<0x20: throw error("a control character stands in a text; it is written as an escape")
            default:
                text.append(byte)
                index += 1
            }
        }
        throw error("the document ends in a text")
    }

    private mutating func escape() throws(JSONSyntaxError) -> Unicode.Scalar {
        guard let byte else { throw error("the document ends in a text") }
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): break
        default: throw error("this is no escape of JSON")
        }
        let first = try hexadecimal()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard (0xD800..<0xDC00).contains(first), bytes[index...].starts(with: [0x5C, 0x75]) else {
            throw error("half of a surrogate pair is no character")
        }
        index += 2
        let second = try hexadecimal()
        guard (0xDC00..<0xE000).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw error("half of a surrogate pair is no character") }
        return scalar
    }

    private mutating func hexadecimal() throws(JSONSyntaxError) -> UInt32 {
        var number: UInt32 = 0
        for _ in 0..<4 {
            guard let byte, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw error("four hexadecimal digits are expected behind \\u")
            }
            number = number << 4 | UInt32(digit)
            index += 1
        }
        return number
    }
}

/// Where a document is no JSON, and why.
struct JSONSyntaxError: Error {
    let line: Int
    let column: Int
    let message: String
}
