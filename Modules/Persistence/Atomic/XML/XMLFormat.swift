import Foundation
import StrataCore
import StrataInMemory

/// The XML format of a store's file, for people and for version control.
struct XMLFormat: AtomicFormat {
    var kind: String { "XML" }
    var version: Int { 2 }

    func write(_ contents: InMemoryContents, _ title: StoreTitle, to output: any AtomicOutput) throws {
        var writer = XMLWriter(output)
        try writer.write(contents, title, version: version)
    }

    /// Returns the line and the column of an offset, both beginning with 1; columns are counted in characters.
    func place(_ offset: Int, in bytes: [UInt8]) -> String {
        var (line, column) = (1, 1)
        for byte in bytes.prefix(offset) {
            if byte == 0x0A {
                (line, column) = (line + 1, 1)
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
        return "line \(line), column \(column)"
    }

    // MARK: The beginning

    func head(of bytes: [UInt8]) throws -> StoreHead {
        var reader = try Self.readingRoot { try XMLReader(bytes) }
        let root = try Self.readingRoot { try reader.tag() }
        guard root.name == XMLNames.store else {
            throw FormatError(
                "this is another kind of XML document, <\(root.name)>, not a store", at: root.offset,
                code: .foreignStore)
        }
        let number = try root.required(XMLNames.format)
        let format = try number.number()
        guard format <= version else {
            throw FormatError(
                "the store has format \(format), but this version of Strata supports formats up to \(version); use a "
                    + "newer version",
                at: number.offset, code: .newerFormat)
        }
        try reader.checkCharacters()
        guard format > 0 else { throw FormatError("\(format) is not a format version", at: number.offset) }
        try root.allow([XMLNames.format, XMLNames.identifier])
        guard root.side == .start else { throw FormatError("the store has no model", at: root.offset) }
        let identifier = try root.required(XMLNames.identifier)
        guard let uuid = UUID(uuidString: identifier.value) else {
            throw FormatError("the identifier is not a UUID", at: identifier.offset)
        }
        var tag = try reader.tag()
        var metadata: [String: String] = [:]
        if tag.name == XMLNames.metadata, tag.side != .end {
            metadata = try self.metadata(&reader, tag)
            tag = try reader.tag()
        }
        guard tag.name == XMLNames.model, tag.side == .start else {
            throw FormatError("the store's model, <\(XMLNames.model)>, is expected here", at: tag.offset)
        }
        try tag.allow([])
        let model = String(decoding: try reader.text(in: tag), as: UTF8.self)
        return StoreHead(identifier: uuid, modelFile: model, metadata: metadata, rows: reader.offset)
    }

    /// Runs a part of the reading of a file's first tag; a file without one is no store.
    private static func readingRoot<Result: ~Copyable>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let error as FormatError {
            throw FormatError("this is not an XML store: \(error.message)", at: error.offset, code: .notADatabase)
        }
    }

    private func metadata(_ reader: inout XMLReader, _ element: XMLTag) throws -> [String: String] {
        try element.allow([])
        var metadata: [String: String] = [:]
        guard element.side == .start else { return metadata }
        while true {
            let tag = try reader.tag()
            if tag.side == .end { return metadata }
            guard tag.name == XMLNames.entry else {
                throw FormatError("in <\(XMLNames.metadata)> only <\(XMLNames.entry)> is allowed", at: tag.offset)
            }
            try tag.allow([XMLNames.key, XMLNames.keyForm, XMLNames.form])
            let key = try tag.required(XMLNames.key)
            let name = try text(Array(key.value.utf8), form: tag.optional(XMLNames.keyForm), at: key.offset)
            let value = try text(
                try reader.text(in: tag), form: tag.optional(XMLNames.form), at: tag.offset)
            guard metadata.updateValue(value, forKey: name) == nil else {
                throw FormatError("the key occurs twice", at: key.offset)
            }
        }
    }

    /// Returns the content of an element, which is plain text or base64.
    private func text(_ bytes: [UInt8], form: XMLTag.Attribute?, at offset: Int) throws -> String {
        guard let form else { return String(decoding: bytes, as: UTF8.self) }
        guard form.value == XMLNames.base64 else {
            throw FormatError("the form “\(form.value)” of a text is unknown", at: form.offset)
        }
        do throws(InvalidText) {
            if let text = String(validating: try BinaryText.parse(bytes.span), as: UTF8.self) { return text }
        } catch {
            throw FormatError("the text is \(error.reason)", at: offset)
        }
        throw FormatError("the text is not valid UTF-8", at: offset)
    }

    // MARK: The rows

    func read(_ bytes: [UInt8], after head: StoreHead, into loader: ContentsLoader) throws {
        var reader = try XMLReader(bytes)
        try reader.skip(to: head.rows)
        var rows = XMLRowReader(reader, loader)
        try rows.read()
    }
}
