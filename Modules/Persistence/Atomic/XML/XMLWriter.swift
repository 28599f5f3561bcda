import Foundation
import StrataCore
import StrataInMemory

/// A writer of a store's file as XML; the same store always results in the same bytes.
struct XMLWriter: ~Copyable {
    private let output: any AtomicOutput
    private var buffer = ByteBuffer(capacity: 2 * XMLWriter.drainSize)

    /// The size in bytes from which the content of the buffer is passed to the output.
    private static let drainSize = 65_536

    init(_ output: any AtomicOutput) { self.output = output }

    private mutating func drain(all: Bool = false) throws {
        guard all || buffer.count >= Self.drainSize else { return }
        try output.write(UnsafeRawBufferPointer(buffer.bytes))
        buffer.truncate(to: 0)
    }

    // MARK: Document

    mutating func write(_ contents: InMemoryContents, _ title: StoreTitle, version: Int) throws {
        buffer.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
        buffer.append(
            "<\(XMLNames.store) \(XMLNames.format)=\"\(version)\" \(XMLNames.identifier)=\"\(title.identifier.uuidString)\">\n"
        )
        try write(metadata: contents.metadata)
        buffer.append("  <\(XMLNames.model)>")
        write(text: title.modelFile)
        buffer.append("</\(XMLNames.model)>\n")
        for entity in title.model.entities { try write(entity, contents) }
        for join in title.model.joins { try write(join, contents.pairs(of: join.name)) }
        buffer.append("</\(XMLNames.store)>\n")
        try drain(all: true)
    }

    private mutating func write(metadata: [String: String]) throws {
        guard !metadata.isEmpty else { return }
        buffer.append("  <\(XMLNames.metadata)>\n")
        for (key, text) in metadata.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            let isPlain = !Self.needsBase64(key)
            buffer.append("    <\(XMLNames.entry) \(XMLNames.key)=\"")
            XMLText.writeAttribute(isPlain ? key : Self.base64(key), to: &buffer)
            buffer.append(isPlain ? "\"" : "\" \(XMLNames.keyForm)=\"\(XMLNames.base64)\"")
            write(value: text)
            buffer.append("</\(XMLNames.entry)>\n")
            try drain()
        }
        buffer.append("  </\(XMLNames.metadata)>\n")
    }

    // MARK: Texts

    private static func needsBase64(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { XMLText.needsBase64($0) }
    }

    private static func base64(_ text: String) -> String {
        var bytes: [UInt8] = []
        BinaryText.append(Data(text.utf8), to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private mutating func write(text: String) {
        var text = text
        text.withUTF8 { XMLText.write($0, to: &buffer) }
    }

    /// Writes the rest of a start tag, and a text.
    private mutating func write(value text: String) {
        if Self.needsBase64(text) {
            buffer.append(" \(XMLNames.form)=\"\(XMLNames.base64)\">")
            buffer.append(Self.base64(text))
        } else {
            buffer.append(UInt8(ascii: ">"))
            write(text: text)
        }
    }

    // MARK: Rows and join rows

    private mutating func write(_ entity: EntityDescription, _ contents: InMemoryContents) throws {
        let columns = entity.columns.map(StoredColumn.init)
        let rows = contents.rows(of: entity.name)
        let next = contents.nextIdentifier(of: entity.name)
        buffer.append("  <\(XMLNames.entity) \(XMLNames.name)=\"\(entity.name)\" \(XMLNames.next)=\"\(next)\"")
        guard !rows.isEmpty else { return buffer.append("/>\n") }
        buffer.append(">\n")
        for row in rows {
            try write(row, columns, of: entity.name)
            try drain()
        }
        buffer.append("  </\(XMLNames.entity)>\n")
    }

    private mutating func write(_ row: StoredRow, _ columns: [StoredColumn], of entity: String) throws {
        buffer.append("    <\(XMLNames.row) \(XMLNames.id)=\"\(row.id)\" \(XMLNames.version)=\"\(row.version)\"")
        var isEmpty = true
        for (column, value) in zip(columns, row.values) {
            let value = try column.written(value, of: entity, id: row.id)
            if value.isNull { continue }
            buffer.append(isEmpty ? ">\n      <" : "      <")
            isEmpty = false
            buffer.append(column.name)
            try write(value, column)
            buffer.append("</")
            buffer.append(column.name)
            buffer.append(">\n")
        }
        buffer.append(isEmpty ? "/>\n" : "    </\(XMLNames.row)>\n")
    }

    /// Writes the rest of a start tag, and a value as text.
    private mutating func write(_ value: StoredValue, _ column: StoredColumn) throws {
        if case .string(let text) = value { return write(value: text) }
        let start = buffer.count
        buffer.append(UInt8(ascii: ">"))
        do { try column.coding.write(value, to: &buffer) } catch {
            // A date that no text can represent is written in its stored form; all other stored values have a text.
            guard case .date(let date) = value else { throw error }
            buffer.truncate(to: start)
            buffer.append(" \(XMLNames.form)=\"\(XMLNames.seconds)\">")
            try DoubleText.write(date.timeIntervalSinceReferenceDate, to: &buffer)
        }
    }

    private mutating func write(_ join: JoinDescription, _ pairs: [JoinRow]) throws {
        buffer.append("  <\(XMLNames.pairs) \(XMLNames.name)=\"\(join.name)\"")
        guard !pairs.isEmpty else { return buffer.append("/>\n") }
        buffer.append(">\n")
        for row in pairs {
            buffer.append(
                "    <\(XMLNames.pair) \(XMLNames.source)=\"\(row.pair.source)\" \(XMLNames.target)=\"\(row.pair.target)\""
            )
            if let position = row.sourcePosition, join.isSourceOrdered {
                buffer.append(" \(XMLNames.sourcePosition)=\"\(position)\"")
            }
            if let position = row.targetPosition, join.isTargetOrdered {
                buffer.append(" \(XMLNames.targetPosition)=\"\(position)\"")
            }
            buffer.append("/>\n")
            try drain()
        }
        buffer.append("  </\(XMLNames.pairs)>\n")
    }
}
