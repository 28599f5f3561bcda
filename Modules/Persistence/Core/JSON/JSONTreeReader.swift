/// A reader of JSON texts (RFC 8259) that returns values with their locations.
///
/// If a member name occurs twice in an object, the reader throws an error, because JSON does not define which of the
/// two values is valid.
///
/// The whole document is in memory, with a value for each element. It is meant for model files and descriptions;
/// datasets in JSON are read by a reader that processes one record at a time.
package struct JSONTreeReader {
    private let bytes: [UInt8]
    private let deepest: Int
    private var index = 0
    private var line = 1
    private var lineStart = 0
    /// The index of the digit that follows the leading zero of a number; `nil` if no such digit was found.
    private var behindZero: Int?

    /// Reads a whole JSON document.
    ///
    /// - Parameters:
    ///   - bytes: The document in UTF-8, with or without a byte order mark.
    ///   - deepest: The maximum depth of nested values; each level is a recursive call.
    /// - Returns: The document's value.
    /// - Throws: ``JSONSyntaxError`` at the first location that is not valid JSON.
    /// - Complexity: O(*n*) in the count of bytes.
    package static func read(_ bytes: [UInt8], deepest: Int = 64) throws(JSONSyntaxError) -> JSONValue {
        var reader = JSONTreeReader(bytes, deepest: deepest)
        // JSON has no byte order mark, but editors write one.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            reader.index = 3
            reader.lineStart = 3
        }
        let value = try reader.value(depth: 0)
        reader.skipBlanks()
        guard reader.index == bytes.count else { throw reader.error(.moreBehind) }
        return value
    }

    private init(_ bytes: [UInt8], deepest: Int) {
        self.bytes = bytes
        self.deepest = deepest
    }

    private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    private func error(_ reason: JSONSyntaxError.Reason, at offset: Int? = nil) -> JSONSyntaxError {
        // No value contains a line break, so the error is in the current line.
        let offset = offset ?? index
        return JSONSyntaxError(
            reason: reason, place: .init(line: line, column: offset - lineStart + 1), offset: offset,
            isBehindZero: behindZero == offset)
    }

    private mutating func skipBlanks() {
        while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
            index += 1
            if byte == 0x0A {
                line += 1
                lineStart = index
            }
        }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        skipBlanks()
        guard next == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    private mutating func value(depth: Int) throws(JSONSyntaxError) -> JSONValue {
        skipBlanks()
        let place = JSONValue.Place(line: line, column: index - lineStart + 1)
        guard depth < deepest else { throw error(.tooDeep) }
        guard let byte = next else { throw error(.noValue) }
        let content: JSONValue.Content
        switch byte {
        case UInt8(ascii: "{"): content = .object(try members(depth))
        case UInt8(ascii: "["): content = .array(try elements(depth))
        case UInt8(ascii: "\""): content = .string(try string())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): content = .number(try number())
        default: content = try word()
        }
        return JSONValue(content, at: place)
    }

    private mutating func members(_ depth: Int) throws(JSONSyntaxError) -> [JSONValue.Member] {
        index += 1
        var members: [JSONValue.Member] = []
        var names = MemberNames()
        if take("}") { return members }
        repeat {
            skipBlanks()
            let start = index
            guard next == UInt8(ascii: "\"") else { throw error(.noName) }
            let name = try string()
            guard names.insert(name, among: members) else { throw error(.repeatedName(name), at: start) }
            guard take(":") else { throw error(.noColon) }
            members.append(.init(name: name, value: try value(depth: depth + 1)))
        } while take(",")
        guard take("}") else { throw error(.noEnd("}")) }
        return members
    }

    private mutating func elements(_ depth: Int) throws(JSONSyntaxError) -> [JSONValue] {
        index += 1
        var elements: [JSONValue] = []
        if take("]") { return elements }
        repeat { elements.append(try value(depth: depth + 1)) } while take(",")
        guard take("]") else { throw error(.noEnd("]")) }
        return elements
    }

    private mutating func word() throws(JSONSyntaxError) -> JSONValue.Content {
        let words: [(StaticString, JSONValue.Content)] = [
            ("true", .boolean(true)), ("false", .boolean(false)), ("null", .null),
        ]
        for (word, content) in words {
            let letters = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
            guard bytes[index...].starts(with: letters) else { continue }
            index += letters.count
            return content
        }
        throw error(.unknownValue)
    }

    private static func isDigit(_ byte: UInt8?) -> Bool { byte.map { $0 >= 0x30 && $0 <= 0x39 } ?? false }

    private mutating func number() throws(JSONSyntaxError) -> String {
        let start = index
        if next == UInt8(ascii: "-") { index += 1 }
        if next == UInt8(ascii: "0") {
            index += 1
            // A digit after the zero is an error. The caller that expects something else here throws it.
            if Self.isDigit(next) { behindZero = index }
        } else {
            try digits()
        }
        if next == UInt8(ascii: ".") {
            index += 1
            try digits()
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            index += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { index += 1 }
            try digits()
        }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private mutating func digits() throws(JSONSyntaxError) {
        guard Self.isDigit(next) else { throw error(.noDigit) }
        while Self.isDigit(next) { index += 1 }
    }
}

// MARK: - Texts

extension JSONTreeReader {
    private mutating func string() throws(JSONSyntaxError) -> String {
        let start = index
        index += 1
        var text: [UInt8] = []
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                index += 1
                guard let string = String(validating: text, as: UTF8.self) else { throw error(.notUTF8, at: start) }
                return string
            case UInt8(ascii: "\\"):
                index += 1
                try escape(&text)
            case 0..<0x20: throw error(.controlCharacter)
            default:
                text.append(byte)
                index += 1
            }
        }
        throw error(.endlessText, at: start)
    }

    private mutating func escape(_ text: inout [UInt8]) throws(JSONSyntaxError) {
        guard let byte = next else { throw error(.unknownEscape) }
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"):
            var code = UInt32(try hexadecimal())
            if code & 0xFC00 == 0xD800 {
                guard bytes[index...].starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]) else {
                    throw error(.firstHalfAlone)
                }
                index += 2
                let low = UInt32(try hexadecimal())
                guard low & 0xFC00 == 0xDC00 else { throw error(.wrongSecondHalf) }
                code = 0x10000 + (code & 0x3FF) << 10 + low & 0x3FF
            }
            guard let scalar = Unicode.Scalar(code) else { throw error(.secondHalfAlone) }
            text.append(contentsOf: String(scalar).utf8)
        default: throw error(.unknownEscape, at: index - 1)
        }
    }

    private mutating func hexadecimal() throws(JSONSyntaxError) -> UInt16 {
        var code: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw error(.noHexadecimalDigit)
            }
            code = code << 4 | UInt16(digit)
            index += 1
        }
        return code
    }
}

/// The set of member names in a JSON object.
private struct MemberNames {
    /// The maximum count of names that are compared one by one before a set is allocated.
    private static let fewNames = 12

    private var names: Set<[UInt8]> = []

    /// Adds the name of an object's next member.
    ///
    /// - Parameters:
    ///   - name: The name of the next member.
    ///   - members: The members before it.
    /// - Returns: `false` if another member has the same name. Names are compared by their bytes: canonically
    ///   equivalent texts are different names.
    mutating func insert(_ name: String, among members: [JSONValue.Member]) -> Bool {
        guard members.count >= Self.fewNames else {
            return !members.contains { $0.name.utf8.elementsEqual(name.utf8) }
        }
        if names.isEmpty { for member in members { names.insert(Array(member.name.utf8)) } }
        return names.insert(Array(name.utf8)).inserted
    }
}
