import StrataCore

/// A document whose records contain objects and arrays, converted to tables without them.
///
/// The members of a nested object become columns that are named by their paths. The elements of an array become records
/// of a separate table, which reference the records that contain the array, their owners. The tables are NDJSON in
/// temporary files; each record has the line number that it has in the document. An empty array or object equals a
/// missing one. In addition to its own members, a record has values that may link it to other records, under names in
/// parentheses. ``FlattenedLinks`` determines which of them are columns of a table, and the names of these columns.
///
/// Creating the tables needs the memory of one record. Do not use one instance from several threads at once.
package final class FlattenedDocument {
    /// The numbering of a table's records.
    package struct Numbering {
        /// The greatest number of a record that a store already contains; records of the document have greater numbers.
        package var last = 0
        /// The numbers of those array elements that a store already contains.
        package var known: [FlattenedLinks.PartIdentity: Int] = [:]
        /// The column with the owner's key that identifies elements; `nil` if the owner's number identifies them.
        package var ownerKey: String?

        /// Creates a numbering that starts at 1.
        package init() {}
    }

    /// The maximum count of tables of one document.
    ///
    /// A document that needs more tables is probably not a dataset: if data is used as keys, each key results in a
    /// table.
    static let mostTables = 200
    private static let layout = JSONTreeLayout(padsBraces: false, escapesDelete: false) { _ in true }

    /// The tables, beginning with that of the document's own records; the table of an owner precedes those of its
    /// elements.
    package private(set) var tables: [FlattenedTable]

    private let source: String
    /// Returns a Boolean value that indicates whether a column of a table may be its key.
    private let mayBeKey: (_ column: String, _ table: String) -> Bool
    private let numbering: ([FlattenedTable]) throws -> Numbering
    private var numberings: [Numbering] = []
    private var files: [KeptFile] = []
    private var lines: [Int] = []
    private var partPlaces: [String: Int] = [:]

    /// Reads a document to its end.
    ///
    /// If a document has no records, only the first table exists, without columns.
    ///
    /// - Parameters:
    ///   - input: The document.
    ///   - name: The name of the table of the document's own records.
    ///   - reading: The options for reading the document.
    ///   - most: The maximum count of records to read.
    ///   - mayBeKey: A closure that returns whether a column of a table may be its key, by which parts reference its
    ///     records.
    ///   - numbering: A closure that returns the numbering of the last table in its argument, called when the table's
    ///     first record is read.
    /// - Throws: ``InterchangeError`` with the line that cannot be read or has two members with the same name, or if
    ///   the disk is full; the errors of `numbering`.
    package init(
        _ input: ByteInput, name: String, reading: ReadingOptions, atMost most: Int = .max,
        mayBeKey: @escaping (_ column: String, _ table: String) -> Bool,
        numbering: @escaping ([FlattenedTable]) throws -> Numbering = { _ in Numbering() }
    ) throws {
        tables = []
        source = input.name
        (self.mayBeKey, self.numbering) = (mayBeKey, numbering)
        _ = try add(FlattenedTable(name: name, owner: nil))
        var layout = JSONRecordLayout(reading)
        // The columns of the tables are named by their paths, and mapped when the tables are read.
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

    /// Returns the record of a document's member: its key, and its value or the members of its value.
    private static func record(ofMember document: JSONValue, _ layout: JSONRecordLayout) -> JSONValue {
        guard case .object(let members) = document.content, let member = members.first else { return document }
        let key = JSONValue.Member(name: layout.keyName, value: .string(member.name))
        guard case .object(let values) = member.value.content else {
            return .object([key, .init(name: layout.valueName, value: member.value)])
        }
        return .object([key] + values)
    }

    /// Returns an input with the records of a table, from the first record on.
    ///
    /// An input that an earlier call returned for the same table must not be used any more.
    ///
    /// - Parameter table: The index of the table.
    /// - Returns: An input with the records as NDJSON.
    /// - Throws: ``InterchangeError`` if the records cannot be written.
    package func input(of table: Int) throws(InterchangeError) -> ByteInput {
        try files[table].input(
            named: tables[table].owner == nil ? source : "\(source) (\(tables[table].name))")
    }

    // MARK: Records

    /// The position of an array element: the values that may link it to its owner, and its index in the array from 1.
    private struct Part {
        let links: [JSONValue.Member]
        let position: Int
    }

    /// Writes a record to its table, and then the elements of its arrays to theirs.
    private func write(
        _ value: JSONValue, to table: Int, part: Part?, from start: Int
    ) throws {
        let record = FlattenedRecord(value)
        let line = start + (value.place?.line ?? 1) - 1
        if let name = record.repeated {
            throw InterchangeError(
                .malformed, source: source, line: line,
                message: "\(PrintableText.quoted(name)) occurs twice, as a key and as the path of a nested key")
        }
        for member in record.members where tables[table].places.insert(member.name).inserted {
            tables[table].add(member.name, mayBeKey: mayBeKey(member.name, tables[table].name))
        }
        tables[table].records += 1
        let number = number(of: part, in: table)
        var members = part?.links ?? []
        members.append(.init(name: FlattenedLinks.number, value: .number(number)))
        members += record.members
        if let part { members.append(.init(name: FlattenedLinks.place, value: .number(part.position))) }
        if tables[table].records == 1 {
            tables[table].links = part == nil ? [FlattenedLinks.number] : [FlattenedLinks.number, FlattenedLinks.place]
        }
        for link in part?.links ?? [] where !tables[table].links.contains(link.name) {
            tables[table].links.insert(link.name)
        }
        try append(.object(members), to: table, line: line)
        guard !record.parts.isEmpty else { return }
        var links = [JSONValue.Member(name: FlattenedLinks.ownerNumber, value: .number(number))]
        for key in tables[table].keys {
            links.append(.init(name: FlattenedLinks.owner(key), value: record[key] ?? .null))
        }
        for array in record.parts {
            let place = try self.part(array.path, of: table, line)
            for (index, element) in array.elements.enumerated() {
                try write(
                    element, to: place, part: Part(links: links, position: index + 1), from: start)
            }
        }
    }

    /// Returns the number of a record: that of the stored element at the same position, or the next number.
    private func number(of part: Part?, in table: Int) -> Int {
        let numbering = numberings[table]
        if let part, !numbering.known.isEmpty {
            let link = numbering.ownerKey.map(FlattenedLinks.owner) ?? FlattenedLinks.ownerNumber
            let owner = part.links.first { $0.name == link }?.value.keyText ?? ""
            if let known = numbering.known[.init(owner: owner, position: part.position)] { return known }
        }
        return numbering.last + tables[table].records
    }

    /// Appends a record on the line that it has in the document, so that errors of an import have the right line.
    private func append(_ record: JSONValue, to table: Int, line: Int) throws(InterchangeError) {
        // Several records may start on the same line; the line numbers of their own parts locate errors.
        let gap = line > lines[table] ? [UInt8](repeating: UInt8(ascii: "\n"), count: line - lines[table]) : [0x20]
        lines[table] = max(line, lines[table])
        try files[table].append(gap + Array(JSONTreeWriter.line(record, Self.layout).utf8))
    }

    /// Returns a record as a tree of values; the record is in memory as a whole.
    private static func value(
        _ bytes: [UInt8], line: Int, in source: String
    ) throws(InterchangeError) -> JSONValue {
        do throws(JSONSyntaxError) {
            return try JSONTreeReader.read(bytes, deepest: JSONRecordReader.maximumDepth)
        } catch {
            var what = "the record cannot be flattened"
            if case .repeatedName(let name) = error.reason {
                what = "the key \(PrintableText.quoted(name)) occurs twice"
            }
            throw InterchangeError(.malformed, source: source, line: line + error.place.line - 1, message: what)
        }
    }

    // MARK: Tables

    /// Returns the index of the table for an array's elements, which is created for the first element.
    private func part(_ path: String, of owner: Int, _ line: Int) throws -> Int {
        let key = "\(owner) \(path)"
        if let place = partPlaces[key] { return place }
        guard tables.count < Self.mostTables else {
            throw InterchangeError(
                .columns, source: source, line: line,
                message: "the arrays would require more than \(Self.mostTables) tables; keys that are data cannot be "
                    + "flattened")
        }
        // A table's name is also used as a file name.
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

    private func add(_ table: FlattenedTable) throws -> Int {
        tables.append(table)
        numberings.append(try numbering(tables))
        // There may be many tables, so each gets a small buffer.
        files.append(try KeptFile(blockSize: 16 * 1024))
        lines.append(1)
        return tables.count - 1
    }
}

extension JSONValue {
    /// The text of a key: a string, or a number as it is written; `nil` for other values.
    fileprivate var keyText: String? {
        switch content {
        case .string(let text), .number(let text): text
        default: nil
        }
    }
}
