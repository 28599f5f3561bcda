import StrataContainers
import StrataCore

/// A reader of the tags and texts of a store's XML file.
///
/// In addition to the rules of ``XMLPullReader``, the reader rejects processing instructions, texts between elements,
/// and comments in texts. Errors have the offset of their cause.
struct XMLReader: ~Copyable {
    private let bytes: [UInt8]
    private var xml: XMLPullReader

    /// Creates a reader of a file whose characters were not verified yet.
    init(_ bytes: [UInt8]) throws {
        self.bytes = bytes
        do throws(ContainerError) {
            xml = try XMLPullReader(ByteArraySource(bytes), document: "a store")
        } catch { throw FormatError(error, byteCount: bytes.count) }
    }

    /// The offset after the last tag or text.
    var offset: Int { xml.nextOffset }

    /// Skips the tags and texts before an offset, up to which the file was read before.
    mutating func skip(to offset: Int) throws {
        while xml.nextOffset < offset { _ = try next() }
    }

    /// Throws an error if a character of the file is not allowed in XML.
    func checkCharacters() throws {
        if let illegal = XMLText.firstIllegal(bytes) {
            throw FormatError("invalid UTF-8, or a character that XML does not allow", at: illegal)
        }
    }

    private mutating func next() throws -> XMLPullReader.Event {
        let event: XMLPullReader.Event
        do throws(ContainerError) { event = try xml.next() } catch {
            throw FormatError(error, byteCount: bytes.count)
        }
        if let offset = xml.skippedInstruction {
            throw FormatError("a store must not have processing instructions", at: offset)
        }
        return event
    }

    /// Reads the next tag; only spaces and comments may precede it.
    mutating func tag() throws -> XMLTag {
        while true {
            switch try next() {
            case .start:
                let attributes = (0..<xml.attributeCount).map { index in
                    let (name, value, offset) = xml.attribute(at: index)
                    return XMLTag.Attribute(name: name, value: value, offset: offset)
                }
                let tag = XMLTag(
                    side: xml.isEmptyTag ? .empty : .start, name: xml.qualifiedName, attributes: attributes,
                    offset: xml.offset)
                if tag.side == .empty { _ = try next() }
                return tag
            case .end: return XMLTag(side: .end, name: xml.qualifiedName, attributes: [], offset: xml.offset)
            case .text:
                if let text = bytes[xml.offset..<xml.nextOffset].firstIndex(where: { !Self.isSpace($0) }) {
                    throw FormatError("a tag is expected, but a text was found", at: text)
                }
            case .finished: throw FormatError.earlyEnd(at: bytes.count)
            }
        }
    }

    /// Skips white space and comments after the last tag; throws an error if anything else follows.
    mutating func readEnd() throws {
        let event: XMLPullReader.Event?
        do { event = try next() } catch { event = nil }
        guard event != .finished else { return }
        let offset = bytes[xml.offset...].firstIndex { !Self.isSpace($0) }
        throw FormatError("the store ends here, but more text follows", at: offset)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

    /// Returns the text of an element up to its end tag; the element's start tag must be the last tag that was read.
    ///
    /// All line ends in the file become line feeds. For a carriage return in a text, the file contains a character
    /// reference.
    mutating func text(in element: XMLTag) throws -> [UInt8] {
        var text: [UInt8] = []
        while element.side == .start {
            let event = try next()
            if let offset = xml.skippedComment {
                throw FormatError("a comment is not allowed in a value", at: offset)
            }
            switch event {
            case .text: text += xml.text
            case .end: return text
            case .start:
                throw FormatError(
                    "<\(xml.qualifiedName)> is not allowed in <\(element.name)>, which contains a text",
                    at: xml.offset)
            case .finished: throw FormatError.earlyEnd(at: bytes.count)
            }
        }
        return text
    }
}

extension FormatError {
    /// Creates the error of an XML file with a count of bytes.
    fileprivate init(_ error: ContainerError, byteCount: Int) {
        self = error.offset == byteCount ? .earlyEnd(at: byteCount) : FormatError(error.message, at: error.offset)
    }

    fileprivate static func earlyEnd(at offset: Int) -> FormatError {
        FormatError("the file ends here, before the end of the store", at: offset)
    }
}
