/// A reader of an XML document from a stream; each call of ``next()`` returns the next tag or text.
///
/// The memory is limited to a few blocks of the source. Elements and attributes are found by their local names, so the
/// prefix of a namespace does not matter. Comments and processing instructions are skipped; ``skippedComment`` and
/// ``skippedInstruction`` locate them for callers that reject them. Document types, and therefore all entities except
/// the five predefined ones, are rejected, and so are encodings other than UTF-8. The reader does not verify that texts
/// are valid UTF-8.
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
        /// The ranges of the local name, of the name with its prefix, and of the value in the buffer.
        let name: Range<Int>
        let qualifiedName: Range<Int>
        let value: Range<Int>
    }

    private let source: any ByteSource
    /// The noun for the document in messages.
    private let document: String
    private var buffer: [UInt8] = []
    private var position = 0
    /// The count of bytes before the buffer.
    private var base = 0
    private var isAtEnd = false
    private var attributes: [Attribute] = []
    /// The ranges of the name of the last tag in the buffer, without and with its prefix.
    private var name = 0..<0
    private var qualifiedNameRange = 0..<0
    /// A Boolean value that indicates whether the last start tag ends with a slash; its end is the next event.
    package private(set) var isEmptyTag = false
    private var isInSection = false
    private var hasRoot = false
    /// The names of the open elements with their prefixes, and the end of each name.
    private var openNames: [UInt8] = []
    private var openEnds: [Int] = []

    /// The bytes of the last text, with references replaced and line breaks as line feeds.
    package private(set) var text: [UInt8] = []

    /// The offset of the last event in the document in bytes; for a part of a CDATA section, that of the section.
    package private(set) var offset = 0
    /// The offset of the first byte after the last event in the document.
    package var nextOffset: Int { base + position }
    /// The offset of a comment that the last call of ``next()`` skipped; `nil` if it skipped none.
    package private(set) var skippedComment: Int?
    /// The offset of a processing instruction that the last call of ``next()`` skipped; `nil` if it skipped none.
    package private(set) var skippedInstruction: Int?

    /// The count of elements that are open, including the element of the last start, but not that of the last end.
    package var depth: Int { openEnds.count }

    /// Creates a reader of a document, and reads the XML declaration if there is one.
    ///
    /// - Parameters:
    ///   - source: The bytes of the document.
    ///   - document: The noun for the document in messages.
    /// - Throws: ``ContainerError`` if the document is not in UTF-8, or the source fails.
    package init(_ source: any ByteSource, document: String = "the document") throws(ContainerError) {
        (self.source, self.document) = (source, document)
        while buffer.count < Self.byteOrderMark.count + Self.declaration.count, try refill() {}
        if buffer.starts(with: [0xFE, 0xFF]) || buffer.starts(with: [0xFF, 0xFE]) || buffer.prefix(4).contains(0) {
            throw error("\(document) must be XML in UTF-8")
        }
        // Some editors write a byte order mark, which has no meaning in UTF-8.
        if buffer.starts(with: Self.byteOrderMark) { position = Self.byteOrderMark.count }
        if buffer[position...].starts(with: Self.declaration) { try readXMLDeclaration() }
    }

    /// Returns an error at an index of the buffer (default: the position).
    private func error(_ message: String, at index: Int? = nil) -> ContainerError {
        ContainerError(.malformed, message, offset: base + (index ?? position))
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
        (skippedComment, skippedInstruction) = (nil, nil)
        if isEmptyTag {
            isEmptyTag = false
            close()
            return .end
        }
        while true {
            if !isInSection { offset = nextOffset }
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
                    guard text.allSatisfy({ $0 <= 0x20 }) else {
                        throw ContainerError(
                            .malformed, "a tag is expected, but a text was found", offset: offset)
                    }
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

    // MARK: Names and attributes

    /// The name of the last tag with its prefix.
    package var qualifiedName: String { text(qualifiedNameRange) }

    /// The count of attributes of the last start tag.
    package var attributeCount: Int { attributes.count }

    /// Returns an attribute of the last start tag: its name with the prefix, its value, and its offset in the document.
    package func attribute(at index: Int) -> (name: String, value: String, offset: Int) {
        let (name, range) = (attributes[index].qualifiedName, attributes[index].value)
        return (
            text(name), String(decoding: value(range), as: UTF8.self), base + name.lowerBound
        )
    }

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
            case 0x0D where index + 1 < range.upperBound && buffer[index + 1] == 0x0A: break
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

    private mutating func readCarriageReturn() throws(ContainerError) {
        if position + 1 == buffer.count { _ = try refill() }
        text.append(0x0A)
        position += position + 1 < buffer.count && buffer[position + 1] == 0x0A ? 2 : 1
    }

    private mutating func readReference() throws(ContainerError) {
        while buffer.count - position < Self.longestReference, try refill() {}
        guard let reference = Self.reference(buffer[position...]) else { throw referenceError(at: position) }
        text += reference.bytes
        position += reference.length
    }

    private func referenceError(at index: Int) -> ContainerError {
        buffer[index...].starts(with: [0x26, 0x23])
            ? error("the reference represents a character that XML does not allow", at: index)
            : error(
                "only &lt; &gt; &amp; &quot; &apos; and references by numbers are allowed here; “&” alone must be "
                    + "written as “&amp;”", at: index)
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

    // MARK: Markup

    /// Reads a tag, or skips another markup and returns `nil`; the position is at its `<`.
    private mutating func readMarkup() throws(ContainerError) -> Event? {
        while buffer.count - position < 2 {
            guard try refill() else { throw error("the document ends inside a tag") }
        }
        switch buffer[position + 1] {
        case UInt8(ascii: "!"): try readDeclaration()
        case UInt8(ascii: "?"):
            skippedInstruction = offset
            guard try skip(past: [0x3F, 0x3E]) else {
                throw ContainerError(.malformed, "the processing instruction does not end", offset: offset)
            }
        case UInt8(ascii: "/"):
            try readEndTag()
            return .end
        default:
            try readStartTag()
            return .start
        }
        return nil
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    private static let declaration = Array("<?xml ".utf8)
    private static let comment = Array("<!--".utf8)
    private static let commentEnd = Array("--".utf8)
    private static let section = Array("<![CDATA[".utf8)
    private static let sectionEnd = Array("]]>".utf8)
    private static let documentType = Array("<!DOCTYPE".utf8)

    private mutating func readXMLDeclaration() throws(ContainerError) {
        let end = try tagEnd()
        guard buffer[end - 1] == UInt8(ascii: "?") else { throw error("the XML declaration does not end with “?>”") }
        try readAttributes(position + Self.declaration.count - 1, before: end - 1)
        var rest = (0..<attributes.count).map { attribute(at: $0) }[...]
        guard let version = rest.popFirst(), version.name == "version", version.value == "1.0" else {
            throw error("the XML declaration must contain version=\"1.0\"")
        }
        if let encoding = rest.first, encoding.name == "encoding" {
            rest.removeFirst()
            guard encoding.value.lowercased() == "utf-8" else {
                throw ContainerError(
                    .malformed, "the encoding is “\(encoding.value)”; \(document) must be in UTF-8",
                    offset: encoding.offset)
            }
        }
        if rest.first?.name == "standalone" { rest.removeFirst() }
        if let more = rest.first {
            throw ContainerError(
                .malformed, "the XML declaration must not have “\(more.name)” here", offset: more.offset)
        }
        attributes = []
        position = end + 1
    }

    /// Skips a comment, or begins a CDATA section.
    private mutating func readDeclaration() throws(ContainerError) {
        while buffer.count - position < Self.section.count, try refill() {}
        if buffer[position...].starts(with: Self.comment) {
            skippedComment = offset
            position += Self.comment.count
            guard try skip(past: Self.commentEnd) else {
                throw ContainerError(.malformed, "the comment does not end", offset: offset)
            }
            if position == buffer.count { _ = try refill() }
            guard position < buffer.count, buffer[position] == UInt8(ascii: ">") else {
                throw ContainerError(
                    .malformed, "a comment must not contain “--” except at its end",
                    offset: nextOffset - Self.commentEnd.count)
            }
            position += 1
        } else if buffer[position...].starts(with: Self.section), !openEnds.isEmpty {
            position += Self.section.count
            isInSection = true
        } else if buffer[position...].starts(with: Self.documentType) {
            throw error("\(document) must not have a document type (DOCTYPE)")
        } else {
            throw error("a tag is expected here")
        }
    }

    /// Moves after the next occurrence of a text of two bytes; returns `false` if there is none.
    private mutating func skip(past end: [UInt8]) throws(ContainerError) -> Bool {
        while true {
            while buffer.count - position < end.count {
                guard try refill() else { return false }
            }
            position = buffer[position...].firstIndex(of: end[0]) ?? buffer.count
            while position < buffer.count, buffer.count - position < end.count {
                guard try refill() else { return false }
            }
            if buffer[position...].starts(with: end) {
                position += end.count
                return true
            }
            if position < buffer.count { position += 1 }
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
        (name, qualifiedNameRange) = try readName(at: position + 2, before: end)
        guard let after = buffer[qualifiedNameRange.upperBound..<end].firstIndex(where: { !Self.isSpace($0) }) else {
            return try closeElement(before: end)
        }
        throw error("the end tag does not end with “>”", at: after)
    }

    private mutating func closeElement(before end: Int) throws(ContainerError) {
        guard let last = openEnds.last else { throw error("the end tag </\(qualifiedName)> has no start tag") }
        let open = openNames[(openEnds.count > 1 ? openEnds[openEnds.count - 2] : 0)..<last]
        guard buffer[qualifiedNameRange].elementsEqual(open) else {
            let open = String(decoding: open, as: UTF8.self)
            throw error("</\(qualifiedName)> found where <\(open)> ends")
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
        (name, qualifiedNameRange) = try readName(at: position + 1, before: end)
        try readAttributes(qualifiedNameRange.upperBound, before: end)
        hasRoot = true
        openNames += buffer[qualifiedNameRange]
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

    /// Returns the ranges of a name, without and with its prefix.
    private func readName(
        at start: Int, before end: Int
    ) throws(ContainerError) -> (local: Range<Int>, qualified: Range<Int>) {
        var (index, local) = (start, start)
        while index < end {
            let byte = buffer[index]
            if byte == UInt8(ascii: ":") { local = index + 1 } else if !Self.isPartOfName(byte) { break }
            index += 1
        }
        // A name begins with a letter or an underscore.
        guard index > local, !(0x2D...0x39).contains(buffer[start]) else {
            throw error("a name is expected here", at: start)
        }
        return (local..<index, start..<index)
    }

    private mutating func readAttributes(_ start: Int, before end: Int) throws(ContainerError) {
        attributes.removeAll(keepingCapacity: true)
        var index = start
        while true {
            let previous = index
            while index < end, Self.isSpace(buffer[index]) { index += 1 }
            guard index < end else { return }
            guard index > previous else { throw error("a space is expected here", at: index) }
            let (name, qualifiedName) = try readName(at: index, before: end)
            index = qualifiedName.upperBound
            while index < end, Self.isSpace(buffer[index]) { index += 1 }
            guard index < end, buffer[index] == UInt8(ascii: "=") else {
                throw error("the attribute “\(text(qualifiedName))” has no value", at: index)
            }
            index += 1
            while index < end, Self.isSpace(buffer[index]) { index += 1 }
            guard !hasAttribute(qualifiedName) else {
                throw error("the attribute “\(text(qualifiedName))” occurs twice", at: qualifiedName.lowerBound)
            }
            guard attributes.count < Self.maximumAttributes else {
                throw error(
                    "a tag has more than \(Self.maximumAttributes) attributes", at: qualifiedName.lowerBound)
            }
            let value = try readValue(at: index, before: end)
            attributes.append(Attribute(name: name, qualifiedName: qualifiedName, value: value))
            index = value.upperBound + 1
        }
    }

    private func text(_ range: Range<Int>) -> String { String(decoding: buffer[range], as: UTF8.self) }

    private func hasAttribute(_ name: Range<Int>) -> Bool {
        attributes.contains { attribute in
            attribute.qualifiedName.count == name.count && buffer[attribute.qualifiedName].elementsEqual(buffer[name])
        }
    }

    /// Returns the range of an attribute's value without its quotes.
    private func readValue(at start: Int, before end: Int) throws(ContainerError) -> Range<Int> {
        guard start < end, buffer[start] == UInt8(ascii: "\"") || buffer[start] == UInt8(ascii: "'") else {
            throw error("a quote is expected here", at: start)
        }
        let quote = buffer[start]
        var index = start + 1
        while index < end, buffer[index] != quote {
            if buffer[index] == UInt8(ascii: "<") {
                throw error("“<” in the value of an attribute must be written as “&lt;”", at: index)
            }
            if buffer[index] == UInt8(ascii: "&"), Self.reference(buffer[index..<end]) == nil {
                throw referenceError(at: index)
            }
            index += 1
        }
        guard index < end else { throw error("the value of the attribute does not end", at: start) }
        return (start + 1)..<index
    }
}
