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
    static let longestReference = 16

    struct Attribute {
        /// The ranges of the local name, of the name with its prefix, and of the value in the buffer.
        let name: Range<Int>
        let qualifiedName: Range<Int>
        let value: Range<Int>
    }

    let source: any ByteSource
    /// The noun for the document in messages.
    let document: String
    var buffer: [UInt8] = []
    var position = 0
    /// The count of bytes before the buffer.
    var base = 0
    var isAtEnd = false
    var attributes: [Attribute] = []
    /// The ranges of the name of the last tag in the buffer, without and with its prefix.
    var name = 0..<0
    var qualifiedNameRange = 0..<0
    /// A Boolean value that indicates whether the last start tag ends with a slash; its end is the next event.
    package internal(set) var isEmptyTag = false
    var isInSection = false
    var hasRoot = false
    /// The names of the open elements with their prefixes, and the end of each name.
    var openNames: [UInt8] = []
    var openEnds: [Int] = []

    /// The bytes of the last text, with references replaced and line breaks as line feeds.
    package internal(set) var text: [UInt8] = []

    /// The offset of the last event in the document in bytes; for a part of a CDATA section, that of the section.
    package internal(set) var offset = 0
    /// The offset of the first byte after the last event in the document.
    package var nextOffset: Int { base + position }
    /// The offset of a comment that the last call of ``next()`` skipped; `nil` if it skipped none.
    package internal(set) var skippedComment: Int?
    /// The offset of a processing instruction that the last call of ``next()`` skipped; `nil` if it skipped none.
    package internal(set) var skippedInstruction: Int?

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
    func error(_ message: String, at index: Int? = nil) -> ContainerError {
        ContainerError(.malformed, message, offset: base + (index ?? position))
    }

    /// Appends the next block to the bytes that are still needed; returns `false` at the end.
    mutating func refill() throws(ContainerError) -> Bool {
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
    func isEqual(_ range: Range<Int>, _ text: StaticString) -> Bool {
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

    func value(_ range: Range<Int>) -> [UInt8] {
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
}
