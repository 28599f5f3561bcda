extension JSONRecordReader {
    /// Reads an object that is in the window as a whole, on one line, with strings without escapes, whole numbers, and nothing inside: most are so.
    ///
    /// The next byte is the object's brace.
    ///
    /// - Returns: False where it is not so; nothing has happened then.
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
            // What is so short as it stands holds no more.
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

    /// The quote that closes a string; the end where something stands before it that needs more than a look.
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

    /// Behind a whole number; its start where there is none, or where it goes on as another number.
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
