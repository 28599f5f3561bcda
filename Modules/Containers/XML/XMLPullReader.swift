/// A reader of an XML document from a stream; each call of ``next()`` returns the next tag or text.
///
/// The memory is limited to a few blocks of the source. Elements and attributes are found by their local names, so the
/// prefix of a namespace does not matter. Comments and processing instructions are skipped. Document types, and
/// therefore all entities except the five predefined ones, are rejected, and so are encodings other than UTF-8. The
/// reader does not verify that texts are valid UTF-8.
package struct XMLPullReader: ~Copyable {
    /// A part of a document.
    package enum Event {
        /// The start of an element; the end follows as a separate event, also for an empty-element tag.
        case start
        /// The end of an element.
        case end
        /// A part of a text; a long text has several parts.
        case text
        /// The end of the document.
        case finished
    }

    /// The maximum count of elements inside each other, which limits the memory for their names.
    package static let maximumDepth = 256
    /// The maximum count of attributes of an element.
    package static let maximumAttributes = 256
    /// The maximum size of a tag in bytes; a value of an attribute in a workbook has at most 32 KiB.
    package static let maximumTag = 1 << 20
    /// The maximum size of a reference to a character in bytes.
    private static let longestReference = 16

    private struct Attribute {
        /// The range of the local name in the buffer.
        let name: Range<Int>
        let value: Range<Int>
    }

    private let source: any ByteSource
    private var buffer: [UInt8] = []
    private var position = 0
    /// The count of bytes before the buffer.
    private var base = 0
    private var isAtEnd = false
    private var attributes: [Attribute] = []
    /// The range of the local name of the last tag in the buffer.
    private var name = 0..<0
    private var isEmptyTag = false
    private var isInSection = false
    private var hasRoot = false
    /// The names of the open elements with their prefixes, and the end of each name.
    private var openNames: [UInt8] = []
    private var openEnds: [Int] = []

    /// The bytes of the last text, with references replaced and line breaks as line feeds.
    package private(set) var text: [UInt8] = []

    /// The count of elements that are open, including the element of the last start, but not that of the last end.
    package var depth: Int { openEnds.count }

    /// Creates a reader of a document.
    ///
    /// - Throws: ``ContainerError`` if the document is not in UTF-8, or the source fails.
    package init(_ source: any ByteSource) throws(ContainerError) {
        self.source = source
        while buffer.count < 4, try refill() {}
        if buffer.starts(with: [0xFE, 0xFF]) || buffer.starts(with: [0xFF, 0xFE]) || buffer.prefix(4).contains(0) {
            throw error("it is not XML in UTF-8")
        }
        if buffer.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    private func error(_ message: String) -> ContainerError {
        ContainerError(.malformed, "invalid XML after \(base + position) bytes: \(message)")
    }

    /// Appends the next block to the bytes that are still needed; returns `false` at the end.
    private mutating func refill() throws(ContainerError) -> Bool {
        guard !isAtEnd else { return false }
        let block = try source.next()
        guard !block.isEmpty else {
            isAtEnd = true
            return false
        }
        base += position
        if position == buffer.count {
            buffer = block
        } else {
            buffer.removeFirst(position)
            buffer += block
        }
        position = 0
        return true
    }

    // MARK: Events

    /// Returns the next part of the document.
    ///
    /// - Throws: ``ContainerError`` for a violation of the rules of XML, and the errors of the source.
    package mutating func next() throws(ContainerError) -> Event {
        if isEmptyTag {
            isEmptyTag = false
            close()
            return .end
        }
        while true {
            if position == buffer.count, try !refill() {
                guard openEnds.isEmpty, !isInSection else { throw error("the document ends inside an element") }
                guard hasRoot else { throw error("the document has no element") }
                return .finished
            }
            if isInSection {
                if try readSection() { return .text }
                continue
            }
            guard buffer[position] == UInt8(ascii: "<") else {
                try readText()
                if openEnds.isEmpty {
                    guard text.allSatisfy({ $0 <= 0x20 }) else { throw error("a text outside of the element") }
                    continue
                }
                return .text
            }
            if let event = try readMarkup() { return event }
        }
    }

    /// Returns a Boolean value that indicates whether the last tag has a local name.
    @inline(__always)
    package func isNamed(_ text: StaticString) -> Bool { isEqual(name, text) }

    @inline(__always)
    private func isEqual(_ range: Range<Int>, _ text: StaticString) -> Bool {
        guard range.count == text.utf8CodeUnitCount else { return false }
        return text.withUTF8Buffer { text in
            for index in 0..<text.count where text[index] != buffer[range.lowerBound + index] { return false }
            return true
        }
    }

    /// Skips the rest of the element whose start was the last event.
    package mutating func skipElement() throws(ContainerError) {
        let depth = openEnds.count - 1
        while openEnds.count > depth {
            if try next() == .finished { return }
        }
    }

    /// Appends the text of the element whose start was the last event, without the texts in other elements.
    package mutating func appendElementText(to bytes: inout [UInt8]) throws(ContainerError) {
        let depth = openEnds.count
        while openEnds.count >= depth {
            switch try next() {
            case .text where openEnds.count == depth: bytes += text
            case .finished: return
            default: break
            }
        }
    }

    // MARK: Attributes

    /// Returns the value of the attribute with a local name; `nil` if the last start tag does not have it.
    package func attribute(_ name: StaticString) -> String? {
        for attribute in attributes where isEqual(attribute.name, name) {
            return String(decoding: value(attribute.value), as: UTF8.self)
        }
        return nil
    }

    /// Calls a closure with the bytes of an attribute's value as they are in the document; `nil` if the last start tag
    /// does not have the attribute.
    @inline(__always)
    package func withAttribute<Result>(_ name: StaticString, _ body: (Span<UInt8>) -> Result) -> Result? {
        for attribute in attributes where isEqual(attribute.name, name) {
            return body(buffer.span.extracting(attribute.value))
        }
        return nil
    }

    private func value(_ range: Range<Int>) -> [UInt8] {
        var value: [UInt8] = []
        var index = range.lowerBound
        while index < range.upperBound {
            switch buffer[index] {
            case UInt8(ascii: "&"):
                // The reference was verified when the tag was read.
                if let reference = Self.reference(buffer[index..<range.upperBound]) {
                    value += reference.bytes
                    index += reference.length
                    continue
                }
            case 0x09, 0x0A, 0x0D: value.append(0x20)
            case let byte: value.append(byte)
            }
            index += 1
        }
        return value
    }

    // MARK: Texts

    /// Reads a text up to the next tag, or to the end of the buffer.
    private mutating func readText() throws(ContainerError) {
        text.removeAll(keepingCapacity: true)
        while position < buffer.count {
            let start = position
            var index = position
            let end = buffer.count
            buffer.withUnsafeBufferPointer { bytes in
                while index < end, bytes[index] >= 0x20, bytes[index] != 0x26, bytes[index] != 0x3C { index += 1 }
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
            default: throw error("a control character")
            }
        }
    }

    private mutating func readCarriageReturn() throws(ContainerError) {
        if position + 1 == buffer.count { _ = try refill() }
        text.append(0x0A)
        position += position + 1 < buffer.count && buffer[position + 1] == 0x0A ? 2 : 1
    }

    private mutating func readReference() throws(ContainerError) {
        while buffer.count - position < Self.longestReference, try refill() {}
        guard let reference = Self.reference(buffer[position...]) else {
            throw error("an unknown entity, or “&” alone")
        }
        text += reference.bytes
        position += reference.length
    }

    private static let entities: [(StaticString, UInt8)] = [
        ("&lt;", 0x3C), ("&gt;", 0x3E), ("&amp;", 0x26), ("&quot;", 0x22), ("&apos;", 0x27),
    ]

    /// Returns the bytes of the character that a reference represents, and the length of the reference.
    private static func reference(_ bytes: ArraySlice<UInt8>) -> (bytes: [UInt8], length: Int)? {
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
    private mutating func readSection() throws(ContainerError) -> Bool {
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
            while buffer.count - position < 3, try refill() {}
            guard buffer[position...].starts(with: [0x5D, 0x5D, 0x3E]) else {
                text.append(buffer[position])
                position += 1
                continue
            }
            position += 3
            isInSection = false
            return !text.isEmpty
        }
    }

    // MARK: Markup

    /// Reads a tag, or skips another markup and returns `nil`; the position is at its `<`.
    private mutating func readMarkup() throws(ContainerError) -> Event? {
        while buffer.count - position < 2 {
            guard try refill() else { throw error("the document ends inside a tag") }
        }
        switch buffer[position + 1] {
        case UInt8(ascii: "!"): try readDeclaration()
        case UInt8(ascii: "?"): try skip(past: [0x3F, 0x3E])
        case UInt8(ascii: "/"):
            try readEndTag()
            return .end
        default:
            try readStartTag()
            return .start
        }
        return nil
    }

    private static let comment = Array("<!--".utf8)
    private static let section = Array("<![CDATA[".utf8)

    private mutating func readDeclaration() throws(ContainerError) {
        while buffer.count - position < Self.section.count, try refill() {}
        if buffer[position...].starts(with: Self.comment) {
            position += Self.comment.count
            try skip(past: [0x2D, 0x2D, 0x3E])
        } else if buffer[position...].starts(with: Self.section), !openEnds.isEmpty {
            position += Self.section.count
            isInSection = true
        } else {
            throw error("a document type (DOCTYPE), which is not allowed here")
        }
    }

    /// Moves after the next occurrence of a text.
    private mutating func skip(past end: [UInt8]) throws(ContainerError) {
        while true {
            while buffer.count - position < end.count {
                guard try refill() else { throw error("a comment or an instruction does not end") }
            }
            guard let index = buffer[position...].firstIndex(of: end[0]) else {
                position = buffer.count
                continue
            }
            position = index
            while buffer.count - position < end.count {
                guard try refill() else { throw error("a comment or an instruction does not end") }
            }
            if buffer[position...].starts(with: end) {
                position += end.count
                return
            }
            position += 1
        }
    }

    /// Reads further blocks until the buffer contains the end of the tag at the position; returns its index.
    private mutating func tagEnd() throws(ContainerError) -> Int {
        while true {
            var quote: UInt8 = 0
            var index = position + 1
            let end = buffer.count
            let found = buffer.withUnsafeBufferPointer { bytes in
                while index < end {
                    let byte = bytes[index]
                    if quote != 0 {
                        if byte == quote { quote = 0 }
                    } else if byte == UInt8(ascii: ">") {
                        return true
                    } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                        quote = byte
                    }
                    index += 1
                }
                return false
            }
            if found, index - position <= Self.maximumTag { return index }
            guard !found, end - position <= Self.maximumTag else {
                throw error("a tag has more than \(Self.maximumTag) bytes")
            }
            guard try refill() else { throw error("the document ends inside a tag") }
        }
    }

    private mutating func readEndTag() throws(ContainerError) {
        let end = try tagEnd()
        let full = try readName(at: position + 2, before: end)
        guard buffer[full.upperBound..<end].allSatisfy(Self.isSpace) else { throw error("an invalid end tag") }
        guard let last = openEnds.last else { throw error("an end tag without a start tag") }
        let start = openEnds.count > 1 ? openEnds[openEnds.count - 2] : 0
        guard last - start == full.count, buffer[full].elementsEqual(openNames[start..<last]) else {
            throw error("an end tag of another element than the last start tag")
        }
        close()
        position = end + 1
    }

    private mutating func close() {
        openEnds.removeLast()
        openNames.removeSubrange((openEnds.last ?? 0)...)
    }

    private mutating func readStartTag() throws(ContainerError) {
        guard !hasRoot || !openEnds.isEmpty else { throw error("a second element after the first") }
        guard openEnds.count < Self.maximumDepth else {
            throw error("more than \(Self.maximumDepth) elements inside each other")
        }
        var end = try tagEnd()
        let closing = end
        if buffer[end - 1] == UInt8(ascii: "/") {
            isEmptyTag = true
            end -= 1
        }
        let full = try readName(at: position + 1, before: end)
        try readAttributes(full.upperBound, before: end)
        hasRoot = true
        openNames += buffer[full]
        openEnds.append(openNames.count)
        position = closing + 1
    }

    @inline(__always)
    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

    @inline(__always)
    private static func isPartOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x61...0x7A, 0x41...0x5A, 0x30...0x39, 0x80..., 0x5F, 0x2D, 0x2E: true
        default: false
        }
    }

    /// Reads a name, and stores the range of the local name; returns the range with the prefix.
    private mutating func readName(at start: Int, before end: Int) throws(ContainerError) -> Range<Int> {
        var (index, local) = (start, start)
        while index < end {
            let byte = buffer[index]
            if byte == UInt8(ascii: ":") { local = index + 1 } else if !Self.isPartOfName(byte) { break }
            index += 1
        }
        guard index > local else { throw error("a tag without a name") }
        name = local..<index
        return start..<index
    }

    private mutating func readAttributes(_ start: Int, before end: Int) throws(ContainerError) {
        attributes.removeAll(keepingCapacity: true)
        var index = start
        while true {
            let previous = index
            while index < end, Self.isSpace(buffer[index]) { index += 1 }
            guard index < end else { return }
            var local = index
            let nameStart = index
            while index < end {
                let byte = buffer[index]
                if byte == UInt8(ascii: ":") { local = index + 1 } else if !Self.isPartOfName(byte) { break }
                index += 1
            }
            let name = local..<max(local, index)
            while index < end, Self.isSpace(buffer[index]) { index += 1 }
            guard nameStart > previous, !name.isEmpty, index < end, buffer[index] == UInt8(ascii: "=") else {
                throw error("an invalid attribute")
            }
            index += 1
            while index < end, Self.isSpace(buffer[index]) { index += 1 }
            guard index < end, buffer[index] == UInt8(ascii: "\"") || buffer[index] == UInt8(ascii: "'") else {
                throw error("an attribute without a value in quotes")
            }
            let quote = buffer[index]
            index += 1
            let valueStart = index
            while index < end, buffer[index] != quote {
                if buffer[index] == UInt8(ascii: "<") { throw error("“<” in the value of an attribute") }
                if buffer[index] == UInt8(ascii: "&"), Self.reference(buffer[index..<end]) == nil {
                    throw error("an unknown entity, or “&” alone")
                }
                index += 1
            }
            guard index < end else { throw error("an attribute whose value does not end") }
            guard attributes.count < Self.maximumAttributes else {
                throw error("a tag has more than \(Self.maximumAttributes) attributes")
            }
            attributes.append(Attribute(name: name, value: valueStart..<index))
            index += 1
        }
    }
}
