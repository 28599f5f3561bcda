/// The reading of texts, references and sections.
extension XMLPullReader {
    /// Reads a text up to the next tag, or to the end of the buffer.
    mutating func readText() throws(ContainerError) {
        text.removeAll(keepingCapacity: true)
        while position < buffer.count {
            let start = position
            var index = position
            let end = buffer.count
            buffer.withUnsafeBufferPointer { bytes in
                while index < end, bytes[index] >= 0x20, bytes[index] != 0x26, bytes[index] != 0x3C,
                    bytes[index] != 0x5D
                { index += 1 }
            }
            text += buffer[start..<index]
            position = index
            guard index < end else { return }
            switch buffer[index] {
            case UInt8(ascii: "<"): return
            case UInt8(ascii: "&"): try readReference()
            case 0x0D: try readCarriageReturn()
            case 0x09, 0x0A:
                text.append(buffer[index])
                position += 1
            case UInt8(ascii: "]"):
                while buffer.count - position < Self.sectionEnd.count, try refill() {}
                guard !buffer[position...].starts(with: Self.sectionEnd) else {
                    throw error("“]]>” in a text must be written as “]]&gt;”")
                }
                text.append(UInt8(ascii: "]"))
                position += 1
            default: throw error("a character that XML does not allow")
            }
        }
    }

    mutating func readCarriageReturn() throws(ContainerError) {
        if position + 1 == buffer.count { _ = try refill() }
        text.append(0x0A)
        position += position + 1 < buffer.count && buffer[position + 1] == 0x0A ? 2 : 1
    }

    mutating func readReference() throws(ContainerError) {
        while buffer.count - position < Self.longestReference, try refill() {}
        guard let reference = Self.reference(buffer[position...]) else { throw referenceError(at: position) }
        text += reference.bytes
        position += reference.length
    }

    func referenceError(at index: Int) -> ContainerError {
        buffer[index...].starts(with: [0x26, 0x23])
            ? error("the reference represents a character that XML does not allow", at: index)
            : error(
                "only &lt; &gt; &amp; &quot; &apos; and references by numbers are allowed here; “&” alone must be "
                    + "written as “&amp;”", at: index)
    }

    static let entities: [(StaticString, UInt8)] = [
        ("&lt;", 0x3C), ("&gt;", 0x3E), ("&amp;", 0x26), ("&quot;", 0x22), ("&apos;", 0x27),
    ]

    /// Returns the bytes of the character that a reference represents, and the length of the reference.
    static func reference(_ bytes: ArraySlice<UInt8>) -> (bytes: [UInt8], length: Int)? {
        for (name, byte) in entities where name.withUTF8Buffer({ bytes.starts(with: $0) }) {
            return ([byte], name.utf8CodeUnitCount)
        }
        let prefix = bytes.prefix(longestReference)
        guard let end = prefix.firstIndex(of: UInt8(ascii: ";")), prefix.starts(with: [0x26, 0x23]) else { return nil }
        let digits = prefix[(prefix.startIndex + 2)..<end]
        let isHexadecimal = digits.first == UInt8(ascii: "x")
        let text = String(decoding: isHexadecimal ? digits.dropFirst() : digits, as: UTF8.self)
        guard text.first?.isHexDigit == true, let value = UInt32(text, radix: isHexadecimal ? 16 : 10),
            value >= 0x20 || value == 9 || value == 10 || value == 13, value != 0xFFFE, value != 0xFFFF,
            let scalar = Unicode.Scalar(value)
        else { return nil }
        return (Array(String(Character(scalar)).utf8), end - bytes.startIndex + 1)
    }

    /// Reads a part of a CDATA section; returns `false` if the section ended without one.
    mutating func readSection() throws(ContainerError) -> Bool {
        text.removeAll(keepingCapacity: true)
        while true {
            guard let index = buffer[position...].firstIndex(where: { $0 == UInt8(ascii: "]") || $0 == 0x0D }) else {
                text += buffer[position...]
                position = buffer.count
                return !text.isEmpty
            }
            text += buffer[position..<index]
            position = index
            if buffer[index] == 0x0D {
                try readCarriageReturn()
                continue
            }
            while buffer.count - position < Self.sectionEnd.count, try refill() {}
            guard buffer[position...].starts(with: Self.sectionEnd) else {
                text.append(buffer[position])
                position += 1
                continue
            }
            position += 3
            isInSection = false
            return !text.isEmpty
        }
    }
}
