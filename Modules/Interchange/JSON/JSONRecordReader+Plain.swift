extension JSONRecordReader {
    /// Reads a simple object, as most objects are, without the general parser.
    ///
    /// The object is completely in the window and on one line. Its strings have no escapes, its numbers are integers,
    /// and its values are not nested. The next byte must be the object's brace.
    ///
    /// - Returns: `false` if the object is not simple; the reader is then unchanged.
    mutating func readPlainObject() -> Bool {
        let (start, end, anchor) = (window.position, window.end, window.anchor)
        let buffer = window.bytes
        let bytes = buffer.span
        let line = currentLine
        var highBits: UInt8 = 0
        var index = start + 1
        while index < end {
            // A key.
            guard bytes[index] == UInt8(ascii: "\"") else { break }
            let key = Self.endOfPlainString(bytes, from: index + 1, to: end, &highBits)
            guard key < end else { break }
            let keyText = Text(range: index + 1 - anchor..<key - anchor)
            index = key + 1
            guard index < end, bytes[index] == UInt8(ascii: ":") else { break }
            index += 1
            if index < end, bytes[index] == UInt8(ascii: " ") { index += 1 }
            guard index < end else { break }
            // Its value.
            let first = index
            let kind: JSONKind
            var value = first..<first
            switch bytes[first] {
            case UInt8(ascii: "\""):
                index = Self.endOfPlainString(bytes, from: first + 1, to: end, &highBits)
                (kind, value) = (.string, first + 1..<index)
                index += 1
            case UInt8(ascii: "n") where Self.matches("null", in: bytes, from: first, to: end):
                index = first + 4
                (kind, value) = (.null, first..<index)
            case UInt8(ascii: "t") where Self.matches("true", in: bytes, from: first, to: end):
                index = first + 4
                (kind, value) = (.boolean(true), first..<index)
            case UInt8(ascii: "f") where Self.matches("false", in: bytes, from: first, to: end):
                index = first + 5
                (kind, value) = (.boolean(false), first..<index)
            default:
                index = Self.endOfPlainNumber(bytes, from: first, to: end)
                (kind, value) = (.number, first..<index)
            }
            guard index < end, !(kind == .number && value.isEmpty) else { break }
            members.append(
                Member(
                    key: keyText, kind: kind,
                    value: Text(range: value.lowerBound - anchor..<value.upperBound - anchor), line: line))
            if bytes[index] == UInt8(ascii: ",") {
                index += 1
                if index < end, bytes[index] == UInt8(ascii: " ") { index += 1 }
                continue
            }
            // The values cannot be longer than the text of the object.
            guard bytes[index] == UInt8(ascii: "}"), index + 1 - anchor <= limit.held,
                members.count <= Self.maximumMembers,
                highBits < 0x80 || UTF8Text.isValid(bytes.extracting(start..<index))
            else { break }
            window.position = index + 1
            return true
        }
        members.removeAll(keepingCapacity: true)
        return false
    }

    /// Returns the index of the closing quote; `end` if the string has an escape or control character or is incomplete.
    @inline(__always)
    private static func endOfPlainString(
        _ bytes: Span<UInt8>, from start: Int, to end: Int, _ highBits: inout UInt8
    ) -> Int {
        var index = start
        while index < end {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") { return index }
            if byte < 0x20 || byte == UInt8(ascii: "\\") { return end }
            highBits |= byte
            index += 1
        }
        return end
    }

    /// Returns the index after an integer; `start` if there is none, or if it continues as another kind of number.
    @inline(__always)
    private static func endOfPlainNumber(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Int {
        var index = start
        if bytes[index] == UInt8(ascii: "-") { index += 1 }
        let digits = index
        while index < end, bytes[index] &- UInt8(ascii: "0") <= 9 { index += 1 }
        guard index > digits, index - digits == 1 || bytes[digits] != UInt8(ascii: "0"), index < end,
            bytes[index] == UInt8(ascii: ",") || bytes[index] == UInt8(ascii: "}")
        else { return start }
        return index
    }

    @inline(__always)
    private static func matches(_ word: StaticString, in bytes: Span<UInt8>, from start: Int, to end: Int) -> Bool {
        guard end - start > word.utf8CodeUnitCount else { return false }
        for index in 0..<word.utf8CodeUnitCount where bytes[start + index] != word.utf8Start[index] { return false }
        return true
    }
}
