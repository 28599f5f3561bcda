import StrataCore

/// A reader of the subset of XML 1.0 that stores use; each call returns the next tag or text.
///
/// The reader rejects, with an error that contains the location: document types, and therefore all entities except the
/// five predefined ones; processing instructions; and encodings other than UTF-8. Comments and spaces are allowed
/// between elements. The caller limits the nesting of elements, because it knows all allowed names.
struct XMLReader {
    let bytes: [UInt8]
    private(set) var offset = 0

    /// The maximum count of attributes of one tag.
    private static let maximumAttributes = 16
    /// The maximum size of a name in bytes.
    private static let longestName = 1_024

    /// Creates a reader of a file whose characters were not verified yet.
    init(_ bytes: [UInt8]) throws {
        self.bytes = bytes
        if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) || bytes.prefix(4).contains(0) {
            throw FormatError("this is not an XML file in UTF-8", at: 0)
        }
        // Some editors write a byte order mark, which has no meaning in UTF-8.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
    }

    /// Creates a reader that continues in a file whose characters were verified.
    init(checked bytes: [UInt8], at offset: Int) { (self.bytes, self.offset) = (bytes, offset) }

    /// Throws an error if a character of the file is not allowed in XML.
    func checkCharacters() throws {
        if let illegal = XMLText.firstIllegal(bytes) {
            throw FormatError("invalid UTF-8, or a character that XML does not allow", at: illegal)
        }
    }

    private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private func error(_ message: String) -> FormatError { FormatError(message, at: offset) }

    private func isNext(_ text: StaticString) -> Bool {
        text.withUTF8Buffer { text in
            offset + text.count <= bytes.count && bytes[offset..<offset + text.count].elementsEqual(text)
        }
    }

    private mutating func skip(_ text: StaticString) -> Bool {
        guard isNext(text) else { return false }
        offset += text.utf8CodeUnitCount
        return true
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

    /// Skips white space; returns a Boolean value that indicates whether there was any.
    @discardableResult
    private mutating func skipSpaces() -> Bool {
        let start = offset
        while let next, Self.isSpace(next) { offset += 1 }
        return offset > start
    }

    // MARK: Prolog and end

    /// Reads the XML declaration at the beginning of the file, if there is one.
    mutating func readDeclaration() throws {
        let start = offset
        guard skip("<?xml") else { return }
        let attributes = try attributes(endingWith: "?>")
        guard skip("?>") else { throw error("the XML declaration does not end with “?>”") }
        var rest = attributes[...]
        guard let version = rest.popFirst(), version.name == "version", version.value == "1.0" else {
            throw FormatError("the XML declaration must contain version=\"1.0\"", at: start)
        }
        if let encoding = rest.first, encoding.name == "encoding" {
            rest.removeFirst()
            guard encoding.value.lowercased() == "utf-8" else {
                throw FormatError("the encoding is “\(encoding.value)”; a store must be in UTF-8", at: encoding.offset)
            }
        }
        if let standalone = rest.first, standalone.name == "standalone" {
            rest.removeFirst()
            guard standalone.value == "yes" || standalone.value == "no" else {
                throw FormatError("standalone is neither “yes” nor “no”", at: standalone.offset)
            }
        }
        if let more = rest.first {
            throw FormatError("the XML declaration must not have “\(more.name)” here", at: more.offset)
        }
    }

    /// Skips white space and comments after the last tag; throws an error if anything else follows.
    mutating func readEnd() throws {
        try skipBetween()
        if offset < bytes.count { throw error("the store ends here, but more text follows") }
    }

    // MARK: Between elements

    /// Skips spaces and comments.
    private mutating func skipBetween() throws {
        while true {
            skipSpaces()
            guard isNext("<!--") else { return }
            let start = offset
            offset += 4
            while !skip("--") {
                guard offset < bytes.count else { throw FormatError("the comment does not end", at: start) }
                offset += 1
            }
            guard skip(">") else {
                throw FormatError("a comment must not contain “--” except at its end", at: offset - 2)
            }
        }
    }

    /// Reads the next tag; only spaces and comments may precede it.
    mutating func tag() throws -> XMLTag {
        try skipBetween()
        let start = offset
        guard let byte = next else { throw error("the file ends here, before the end of the store") }
        guard byte == UInt8(ascii: "<") else { throw error("a tag is expected, but a text was found") }
        if isNext("<!DOCTYPE") { throw error("a store must not have a document type (DOCTYPE)") }
        if isNext("<?") { throw error("a store must not have processing instructions") }
        if isNext("<!") { throw error("a tag is expected here") }
        offset += 1
        if skip("/") {
            let name = try name()
            skipSpaces()
            guard skip(">") else { throw error("the end tag does not end with “>”") }
            return XMLTag(side: .end, name: name, attributes: [], offset: start)
        }
        let name = try name()
        let attributes = try attributes(endingWith: ">")
        if skip("/>") { return XMLTag(side: .empty, name: name, attributes: attributes, offset: start) }
        guard skip(">") else { throw error("the tag <\(name)> does not end with “>”") }
        return XMLTag(side: .start, name: name, attributes: attributes, offset: start)
    }

    private mutating func name() throws -> String {
        let start = offset
        while let next, Self.isPartOfName(next, isFirst: offset == start) { offset += 1 }
        guard offset > start else { throw error("a name is expected here") }
        guard offset - start <= Self.longestName else { throw FormatError("the name is too long", at: start) }
        return String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    /// Returns a Boolean value that indicates whether a byte can be part of an element's or attribute's name.
    ///
    /// The names in stores are ASCII. Other characters are accepted, so that an error message can contain the name.
    private static func isPartOfName(_ byte: UInt8, isFirst: Bool) -> Bool {
        switch byte {
        case 0x41...0x5A, 0x61...0x7A, 0x80..., UInt8(ascii: "_"), UInt8(ascii: ":"): true
        case 0x30...0x39, UInt8(ascii: "-"), UInt8(ascii: "."): !isFirst
        default: false
        }
    }

    // MARK: Attributes

    private mutating func attributes(endingWith end: StaticString) throws -> [XMLTag.Attribute] {
        var attributes: [XMLTag.Attribute] = []
        while true {
            let hasSpace = skipSpaces()
            if offset >= bytes.count || isNext(end) || isNext("/>") { return attributes }
            guard hasSpace else { throw error("a space is expected here") }
            let start = offset
            let name = try name()
            skipSpaces()
            guard skip("=") else { throw error("the attribute “\(name)” has no value") }
            skipSpaces()
            guard !attributes.contains(where: { $0.name == name }) else {
                throw FormatError("the attribute “\(name)” occurs twice", at: start)
            }
            guard attributes.count < Self.maximumAttributes else {
                throw FormatError("a tag must have at most \(Self.maximumAttributes) attributes", at: start)
            }
            attributes.append(XMLTag.Attribute(name: name, value: try attributeValue(), offset: start))
        }
    }

    private mutating func attributeValue() throws -> String {
        let start = offset
        guard let quote = next, quote == 0x22 || quote == 0x27 else { throw error("a quote is expected here") }
        offset += 1
        var value: [UInt8] = []
        while let byte = next {
            switch byte {
            case quote:
                offset += 1
                return String(decoding: value, as: UTF8.self)
            case UInt8(ascii: "<"): throw error("“<” in the value of an attribute must be written as “&lt;”")
            case UInt8(ascii: "&"): try appendReference(to: &value)
            case 0x0D where offset + 1 < bytes.count && bytes[offset + 1] == 0x0A: offset += 1
            case _ where Self.isSpace(byte):
                value.append(0x20)
                offset += 1
            default:
                value.append(byte)
                offset += 1
            }
        }
        throw FormatError("the value of the attribute does not end", at: start)
    }

    // MARK: Text

    /// Returns the text of an element up to its end tag; the element's start tag must be the last tag that was read.
    ///
    /// All line ends in the file become line feeds. For a carriage return in a text, the file contains a character
    /// reference.
    mutating func text(in element: XMLTag) throws -> [UInt8] {
        if element.side == .empty { return [] }
        var text: [UInt8] = []
        while let byte = next {
            switch byte {
            case UInt8(ascii: "<"):
                if isNext("<![CDATA[") {
                    try appendSection(to: &text)
                    continue
                }
                if isNext("<!--") { throw error("a comment is not allowed in a value") }
                let tag = try tag()
                guard tag.side == .end else {
                    throw FormatError(
                        "<\(tag.name)> is not allowed in <\(element.name)>, which contains a text", at: tag.offset)
                }
                try expectEnd(tag, of: element)
                return text
            case UInt8(ascii: "&"): try appendReference(to: &text)
            case UInt8(ascii: "]") where isNext("]]>"): throw error("“]]>” in a text must be written as “]]&gt;”")
            default: appendCharacter(byte, to: &text)
            }
        }
        throw FormatError("the file ends here, in <\(element.name)>", at: bytes.count)
    }

    private mutating func appendCharacter(_ byte: UInt8, to text: inout [UInt8]) {
        offset += 1
        guard byte == 0x0D else { return text.append(byte) }
        if next == 0x0A { offset += 1 }
        text.append(0x0A)
    }

    private mutating func appendSection(to text: inout [UInt8]) throws {
        let start = offset
        offset += 9
        while !skip("]]>") {
            guard let byte = next else { throw FormatError("the CDATA section does not end", at: start) }
            appendCharacter(byte, to: &text)
        }
    }

    /// Throws an error if a tag is not the end tag of an element.
    func expectEnd(_ tag: XMLTag, of element: XMLTag) throws {
        guard tag.side == .end, tag.name == element.name else {
            throw FormatError("</\(tag.name)> found where <\(element.name)> ends", at: tag.offset)
        }
    }

    /// The maximum count of digits in a character reference; further digits are leading zeros, or no character has the
    /// number.
    private static let maximumDigits = 8

    private mutating func appendReference(to text: inout [UInt8]) throws {
        let start = offset
        offset += 1
        if skip("#") {
            let base: UInt32 = skip("x") ? 16 : 10
            let digits = offset
            var value: UInt32 = 0
            while let next, let digit = Self.digit(next), digit < base, offset - digits < Self.maximumDigits {
                value = value &* base &+ digit
                offset += 1
            }
            guard offset > digits, skip(";"), XMLText.isLegal(value), let scalar = Unicode.Scalar(value) else {
                throw FormatError("the reference represents a character that XML does not allow", at: start)
            }
            return text.append(contentsOf: Array(String(Character(scalar)).utf8))
        }
        for (name, byte) in Self.entities where skip(name) { return text.append(byte) }
        throw FormatError(
            "only &lt; &gt; &amp; &quot; &apos; and references by numbers are allowed here; “&” alone must be written "
                + "as “&amp;”",
            at: start)
    }

    private static let entities: [(StaticString, UInt8)] = [
        ("lt;", 0x3C), ("gt;", 0x3E), ("amp;", 0x26), ("quot;", 0x22), ("apos;", 0x27),
    ]

    private static func digit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case 0x30...0x39: UInt32(byte - 0x30)
        case 0x41...0x46: UInt32(byte - 0x41 + 10)
        case 0x61...0x66: UInt32(byte - 0x61 + 10)
        default: nil
        }
    }
}
