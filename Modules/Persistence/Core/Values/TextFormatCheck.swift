extension TextFormat {
    /// Returns a Boolean value that indicates whether a text is valid in the format.
    package func takes(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { TextFormatCheck.isValid($0, as: self) }
    }

    /// Returns a Boolean value that indicates whether a text in UTF-8 is valid in the format.
    package func takes(_ text: Span<UInt8>) -> Bool {
        text.withUnsafeBufferPointer { TextFormatCheck.isValid($0, as: self) }
    }
}

/// A check of the formats of texts.
enum TextFormatCheck {
    static func isValid(_ text: UnsafeBufferPointer<UInt8>, as format: TextFormat) -> Bool {
        var bytes = TextCursor(text)
        return switch format {
        case .localDateTime: isDateTime(&bytes, zone: false)
        case .offsetDateTime: isDateTime(&bytes, zone: true)
        case .dateTime: isDateTime(&bytes, zone: nil)
        case .year: isYear(&bytes) && bytes.isAtEnd
        case .yearMonth:
            isYear(&bytes) && bytes.skip("-") && bytes.number(digits: 2).map { 1...12 ~= $0 } ?? false && bytes.isAtEnd
        case .duration: isDuration(&bytes)
        case .email: isEmail(Array(text))
        case .uri: isURI(Array(text))
        case .uuid:
            text.count == 36
                && text.enumerated().allSatisfy { [8, 13, 18, 23].contains($0) ? $1 == UInt8(ascii: "-") : isHex($1) }
        case .base64: isBase64(text)
        case .bigInteger: bytes.skipSign() && bytes.skipDigits() > 0 && bytes.isAtEnd
        case .number: isNumber(&bytes) && bytes.isAtEnd
        case .geopoint: isGeopoint(text)
        case .object: if case .object = json(text) { true } else { false }
        case .array: if case .array = json(text) { true } else { false }
        case .json: json(text) != nil
        }
    }

    /// Returns the content of a JSON text; `nil` if the text is not JSON.
    private static func json(_ text: UnsafeBufferPointer<UInt8>) -> JSONValue.Content? {
        do throws(JSONSyntaxError) { return try JSONTreeReader.read(Array(text)).content } catch { return nil }
    }

    // MARK: Time

    private static func isDateTime(_ bytes: inout TextCursor, zone: Bool?) -> Bool {
        guard let year = bytes.number(digits: 4), bytes.skip("-"), let month = bytes.number(digits: 2), bytes.skip("-"),
            let day = bytes.number(digits: 2), 1...12 ~= month, day >= 1,
            day <= CalendarDay.length(ofMonth: month, year: year), bytes.skip("T"),
            let hour = bytes.number(digits: 2), bytes.skip(":"), let minute = bytes.number(digits: 2), bytes.skip(":"),
            let second = bytes.number(digits: 2), hour < 24, minute < 60, second < 60
        else { return false }
        if bytes.skip("."), !(1...9 ~= bytes.skipDigits()) { return false }
        if bytes.isAtEnd { return zone != true }
        return zone != false && isZone(&bytes) && bytes.isAtEnd
    }

    private static func isZone(_ bytes: inout TextCursor) -> Bool {
        if bytes.skip("Z") { return true }
        guard bytes.skip("+") || bytes.skip("-"), let hours = bytes.number(digits: 2), bytes.skip(":"),
            let minutes = bytes.number(digits: 2)
        else { return false }
        return minutes < 60 && (hours < 14 || (hours == 14 && minutes == 0))
    }

    private static func isYear(_ bytes: inout TextCursor) -> Bool {
        _ = bytes.skip("-")
        let hasZero = bytes.next == UInt8(ascii: "0")
        let digits = bytes.skipDigits()
        return digits == 4 || (digits > 4 && !hasZero)
    }

    private static func isDuration(_ bytes: inout TextCursor) -> Bool {
        _ = bytes.skip("-")
        guard bytes.skip("P") else { return false }
        var parts = 0
        func skip(_ units: [Unicode.Scalar]) -> Bool {
            var rest = units[...]
            while bytes.next.map({ (0x30...0x39).contains($0) }) ?? false {
                _ = bytes.skipDigits()
                let hasFraction = bytes.skip(".")
                if hasFraction, bytes.skipDigits() == 0 { return false }
                guard let unit = rest.firstIndex(where: { bytes.skip($0) }), !hasFraction || rest[unit] == "S" else {
                    return false
                }
                rest = rest[(unit + 1)...]
                parts += 1
            }
            return true
        }
        guard skip(["Y", "M", "D"]) else { return false }
        let days = parts
        if bytes.skip("T") {
            guard skip(["H", "M", "S"]), parts > days else { return false }
        }
        return parts > 0 && bytes.isAtEnd
    }

    // MARK: Numbers

    private static func isNumber(_ bytes: inout TextCursor) -> Bool {
        guard bytes.skipSign() else { return false }
        var digits = bytes.skipDigits()
        if bytes.skip(".") { digits += bytes.skipDigits() }
        guard digits > 0 else { return false }
        if bytes.skip("e") || bytes.skip("E") { return bytes.skipSign() && bytes.skipDigits() > 0 }
        return true
    }

    private static func isGeopoint(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        let parts = text.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        guard parts.count == 2 else { return false }
        let blank = UInt8(ascii: " ")
        let limits: [Double] = [180, 90]
        return zip(parts, limits).allSatisfy { part, limit in
            let rest = UnsafeBufferPointer(rebasing: part.drop { $0 == blank })
            var bytes = TextCursor(rest)
            guard isNumber(&bytes), bytes.isAtEnd, let number = Double(String(decoding: rest, as: UTF8.self))
            else { return false }
            return abs(number) <= limit
        }
    }

    private static func isBase64(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard text.count.isMultiple(of: 4) else { return false }
        let padding = text.reversed().prefix(2).prefix { $0 == UInt8(ascii: "=") }.count
        return text.dropLast(padding).allSatisfy { isLetter($0) || isDigit($0) || "+/".utf8.contains($0) }
    }

    // MARK: Addresses

    private static func isEmail(_ bytes: [UInt8]) -> Bool {
        let at = UInt8(ascii: "@")
        let parts = bytes.split(separator: at, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return false }
        return parts.allSatisfy { part in
            part.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { word in
                !word.isEmpty && word.allSatisfy { $0 > 0x20 && $0 != 0x7F && !"\"(),:;<>[\\]".utf8.contains($0) }
            }
        }
    }

    private static func isURI(_ bytes: [UInt8]) -> Bool {
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon > 0, isLetter(bytes[0]),
            bytes[..<colon].allSatisfy({ isLetter($0) || isDigit($0) || "+-.".utf8.contains($0) })
        else { return false }
        let rest = bytes[(colon + 1)...]
        var index = rest.startIndex
        while index < rest.endIndex {
            let byte = rest[index]
            if byte == UInt8(ascii: "%") {
                guard index + 2 < rest.endIndex, isHex(rest[index + 1]), isHex(rest[index + 2]) else { return false }
                index += 3
                continue
            }
            guard isLetter(byte) || isDigit(byte) || "-._~:/?#[]@!$&'()*+,;=".utf8.contains(byte) else { return false }
            index += 1
        }
        return !rest.isEmpty
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte & 0xDF) }
    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    private static func isHex(_ byte: UInt8) -> Bool { isDigit(byte) || (0x41...0x46).contains(byte & 0xDF) }
}

/// A cursor over bytes.
///
/// The bytes are borrowed, because texts are checked cell by cell without memory of their own.
private struct TextCursor {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var index = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    var isAtEnd: Bool { index == bytes.count }
    var next: UInt8? { isAtEnd ? nil : bytes[index] }

    mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
        guard let next, UInt32(next) == scalar.value else { return false }
        index += 1
        return true
    }

    /// Skips a sign, if there is one.
    ///
    /// - Returns: `true`, so that the call can be used in a condition.
    mutating func skipSign() -> Bool {
        if !skip("-") { _ = skip("+") }
        return true
    }

    /// Skips digits.
    ///
    /// - Returns: The count of digits.
    mutating func skipDigits() -> Int {
        let start = index
        while let next, (0x30...0x39).contains(next) { index += 1 }
        return index - start
    }

    /// Reads a number with exactly a count of digits.
    mutating func number(digits: Int) -> Int? {
        guard index + digits <= bytes.count else { return nil }
        var value = 0
        for byte in bytes[index..<index + digits] {
            guard (0x30...0x39).contains(byte) else { return nil }
            value = 10 * value + Int(byte - 0x30)
        }
        index += digits
        return value
    }
}
