import StrataCore

/// A document whose records hold objects and arrays, as tables: what objects hold are columns by their paths, and the elements of arrays are records of
/// tables of their own, which refer to their owners.
///
/// The tables are NDJSON, kept in temporary files, in which every record stands on the line that it has in the document. An array without elements
/// and one that is not there are one, as are an object without members and none.
///
/// Takes the memory of one record. Not to be used from several threads at once.
package final class FlattenedDocument {
    /// More tables than this are no dataset: keys that are data make one for each of them.
    static let mostTables = 200
    private static let layout = JSONTreeLayout(padsBraces: false, escapesDelete: false) { _ in true }

    /// The document's own records first, every owner before its parts.
    package private(set) var tables: [FlattenedTable]

    private let source: String
    private let links: [FlattenedLinks.Link]?
    private var files: [KeptFile] = []
    private var lines: [Int] = []
    private var partPlaces: [String: Int] = [:]

    /// Reads a document to its end.
    ///
    /// - Parameters:
    ///   - input: The document.
    ///   - name: The name of the table of its own records.
    ///   - reading: How it is read.
    ///   - most: The most records that are read.
    ///   - links: The columns that are made, of the same document flattened without them; `nil` for none.
    /// - Throws: ``InterchangeError`` with the line where it cannot be read, or two members have one name, and where there is no room for the tables.
    package init(
        _ input: ByteInput, name: String, reading: ReadingOptions, atMost most: Int = .max,
        links: FlattenedLinks? = nil
    ) throws(InterchangeError) {
        tables = []
        source = input.name
        self.links = links?.links
        _ = try add(FlattenedTable(name: name, owner: nil))
        var layout = JSONRecordLayout(reading)
        // The columns of the tables are named by their paths, and mapped where the tables are read.
        layout.paths = []
        let isKeyed = layout.shape == .members
        var reader = try JSONRecordReader(
            input, layout: layout, recordLimit: reading.maximumRecordBytes, encoding: reading.encoding)
        while tables[0].records < most, try reader.next() {
            let line = reader.line
            let bytes = reader.withOriginal { text in text.withUnsafeBufferPointer { Array($0) } }
            let value = try Self.value(
                isKeyed ? [UInt8(ascii: "{")] + bytes + [UInt8(ascii: "}")] : bytes, line: line, in: source)
            try write(isKeyed ? Self.record(ofMember: value, layout) : value, to: 0, part: nil, from: line)
        }
        for file in files { try file.append([UInt8(ascii: "\n")]) }
    }

    /// Returns the record of a member of a document: its key, and its value or what its value holds.
    private static func record(ofMember document: JSONValue, _ layout: JSONRecordLayout) -> JSONValue {
        guard case .object(let members) = document.content, let member = members.first else { return document }
        let key = JSONValue.Member(name: layout.keyName, value: .string(member.name))
        guard case .object(let values) = member.value.content else {
            return .object([key, .init(name: layout.valueName, value: member.value)])
        }
        return .object([key] + values)
    }

    /// The records of a table, from the first; one that was given before is not to be used any more.
    ///
    /// - Parameter table: The place among the tables.
    /// - Returns: NDJSON.
    /// - Throws: ``InterchangeError`` where it cannot be written.
    package func input(of table: Int) throws(InterchangeError) -> ByteInput {
        try files[table].input(
            named: tables[table].owner == nil ? source : "\(source) (\(tables[table].name))")
    }

    // MARK: Records

    /// Where an element stands: its owner's value, and its place in the array, from 1.
    private struct Part {
        let owner: JSONValue
        let position: Int
    }

    private func write(
        _ value: JSONValue, to table: Int, part: Part?, from start: Int
    ) throws(InterchangeError) {
        var record = FlattenedRecord(value)
        let line = start + (value.place?.line ?? 1) - 1
        if let name = record.repeated {
            throw InterchangeError(
                .malformed, source: source, line: line,
                message: "\(PrintableText.quoted(name)) is there twice, as a key and as the path of one")
        }
        for member in record.members where tables[table].places.insert(member.name).inserted {
            tables[table].columns.append(member.name)
        }
        tables[table].records += 1
        if let link = links?[table] {
            if let number = link.number {
                record.insert(number, .number(link.lastNumber + tables[table].records), atEnd: false)
            }
            if let part, let owner = link.owner { record.insert(owner, part.owner, atEnd: false) }
            if let part, let position = link.position { record.insert(position, .number(part.position), atEnd: true) }
        }
        try append(.object(record.members), to: table, line: line)
        for array in record.parts {
            let place = try self.part(array.path, of: table, line)
            let key = links?[place].key.flatMap { record[$0] } ?? .null
            for (index, element) in array.elements.enumerated() {
                try write(element, to: place, part: Part(owner: key, position: index + 1), from: start)
            }
        }
    }

    private func append(_ record: JSONValue, to table: Int, line: Int) throws(InterchangeError) {
        // Several records may stand on a line; their own lines say where something is wrong.
        let gap = line > lines[table] ? [UInt8](repeating: UInt8(ascii: "\n"), count: line - lines[table]) : [0x20]
        lines[table] = max(line, lines[table])
        try files[table].append(gap + Array(JSONTreeWriter.line(record, Self.layout).utf8))
    }

    private static func value(
        _ bytes: [UInt8], line: Int, in source: String
    ) throws(InterchangeError) -> JSONValue {
        do throws(JSONSyntaxError) {
            return try JSONTreeReader.read(bytes, deepest: JSONRecordReader.maximumDepth)
        } catch {
            var what = "the record cannot be taken apart"
            if case .repeatedName(let name) = error.reason {
                what = "the key \(PrintableText.quoted(name)) is there twice"
            }
            throw InterchangeError(.malformed, source: source, line: line + error.place.line - 1, message: what)
        }
    }

    // MARK: Tables

    /// The table of an array's elements, which is made when the array is met first.
    private func part(_ path: String, of owner: Int, _ line: Int) throws(InterchangeError) -> Int {
        let key = "\(owner) \(path)"
        if let place = partPlaces[key] { return place }
        guard tables.count < Self.mostTables else {
            throw InterchangeError(
                .columns, source: source, line: line,
                message: "the arrays would be more than \(Self.mostTables) tables; "
                    + "keys that are data are not taken apart")
        }
        // A table's name is a file's too.
        let stem =
            tables[owner].name + "_"
            + String(path.map { $0.isLetter || $0.isNumber || $0 == "-" || $0 == " " ? $0 : "_" })
        let taken = Set(tables.map { NameMatching.folded($0.name) })
        var name = stem
        var number = 2
        while taken.contains(NameMatching.folded(name)) {
            name = stem + String(number)
            number += 1
        }
        let place = try add(FlattenedTable(name: name, owner: .init(table: owner, path: path)))
        partPlaces[key] = place
        return place
    }

    private func add(_ table: FlattenedTable) throws(InterchangeError) -> Int {
        tables.append(table)
        // Of many tables each has little to keep in memory.
        files.append(try KeptFile(blockSize: 16 * 1024))
        lines.append(1)
        return tables.count - 1
    }
}
