import StrataCore
import StrataInterchange

/// One dataset as far as it was read.
struct TableScan {
    let name: String
    let path: String
    private(set) var records = 0
    private(set) var columns: [ColumnScan] = []
    /// The records that have a value in two columns, and whether no two of them are the same; only where there are no other columns.
    private(set) var pairs = PairScan()
    /// What stood where there was no value, where a word may stand there.
    private(set) var missing: MissingTexts
    /// Where a column of a document is.
    private var places: [String: Int] = [:]
    private let memory: KeyMemory
    private let names: NamedTables
    let reading: ReadingOptions

    init(name: String, path: String, reading: ReadingOptions, _ names: NamedTables, _ memory: KeyMemory) {
        (self.name, self.path, self.reading, self.names, self.memory) = (name, path, reading, names, memory)
        missing = MissingTexts(reading.dialect.nullTokens)
    }

    private func column(_ name: String, _ kinds: CellKinds) -> ColumnScan {
        ColumnScan(name, kinds, key: KeyScan(isKept: names.mayRefer(name), memory))
    }

    // MARK: Tables

    /// Reads a CSV or TSV file.
    mutating func readTable(
        _ input: ByteInput, atMost most: Int, isCancelled: () -> Bool
    ) throws {
        var reader = try CSVReader(input, dialect: reading.tableDialect, recordLimit: reading.maximumRecordBytes)
        try check(reader.header, in: input.name, line: reader.headerLine)
        columns = reader.header.map { column($0, .ofTables) }
        let isPair = columns.count == 2
        while records < most, try reader.next() {
            try reader.checkFieldCount()
            records += 1
            if records % 4096 == 0, isCancelled() { throw CancellationError() }
            note(reader)
            if isPair, !pairs.isOver {
                pairs.note(reader.text(ofField: 0), reader.text(ofField: 1), line: reader.line, memory)
            }
        }
    }

    /// Notes a record; the reader is lent, as a closure that has it would copy it for every field.
    private mutating func note(_ reader: borrowing CSVReader) {
        let line = reader.line
        let isWatched = missing.isWatched
        for field in columns.indices {
            if reader.isNull(field: field) {
                columns[field].noteNull()
                if isWatched { missing.note(reader.text(ofField: field)) }
            } else {
                reader.withField(field) { columns[field].note($0, line: line) }
                if isWatched, reader.isQuoted(field: field) {
                    missing.noteQuoted(reader.text(ofField: field))
                }
            }
        }
    }

    /// Columns that cannot be told apart, or have no name.
    private func check(_ header: [String], in source: String, line: Int) throws(InterchangeError) {
        var problems: [String] = []
        var first: [String: Int] = [:]
        for (place, name) in header.enumerated() {
            if name.isEmpty {
                problems.append("column \(place + 1) has no name")
            } else if let other = first[name] {
                problems.append("columns \(other + 1) and \(place + 1) are both called \(PrintableText.quoted(name))")
            } else {
                first[name] = place
            }
        }
        guard problems.isEmpty else {
            throw InterchangeError(
                .columns, source: source, line: line,
                message: problems.joined(separator: "; ") + "; give the columns names with --columns")
        }
    }

    // MARK: Documents

    /// Reads a JSON or NDJSON file.
    mutating func readDocument(_ input: ByteInput, atMost most: Int, isCancelled: () -> Bool) throws {
        let layout = JSONRecordLayout(reading.format == .ndjson ? .lines : .array, root: reading.root)
        var reader = try JSONRecordReader(
            input, layout: layout, recordLimit: reading.maximumRecordBytes, encoding: reading.encoding)
        while records < most, try reader.next() {
            records += 1
            if records % 4096 == 0, isCancelled() { throw CancellationError() }
            for member in 0..<reader.memberCount {
                let place = place(reader.key(ofMember: member))
                let line = reader.line(ofMember: member)
                let kind = reader.kind(ofMember: member)
                guard kind != .null else { continue }
                reader.withText(ofMember: member) { text in
                    columns[place].note(kind: kind.group, only: CellKinds.of(kind), text, line: line)
                    columns[place].note(text, line: line)
                }
            }
        }
        // A key that is missing and null are one.
        for place in columns.indices {
            for _ in columns[place].valueCount..<records { columns[place].noteNull() }
        }
    }

    private mutating func place(_ key: String) -> Int {
        if let place = places[key] { return place }
        places[key] = columns.count
        columns.append(column(key, .ofDocuments))
        return columns.count - 1
    }
}

extension CellKinds {
    private static let strings = CellKinds([
        .uuid, .day, .time, .date, .spelledDay, .localDateTime, .offsetDateTime, .yearMonth,
    ])
    private static let numbers = CellKinds([.integer, .decimal, .double])

    static let ofDocuments = CellKinds(CellKind.allCases.filter { ![.text, .words, .spelledNumber].contains($0) })

    /// What a value of a document may be, by its kind: a string of digits is a text, and a number is a number.
    static func of(_ kind: JSONKind) -> CellKinds {
        switch kind {
        case .null: .ofDocuments
        case .boolean: CellKinds([.boolean])
        case .number: numbers
        case .string: strings
        case .array: CellKinds([.array])
        case .object: CellKinds([.object])
        }
    }
}

extension JSONKind {
    /// The kind without its value, as reports count it.
    var group: String {
        switch self {
        case .null: "null"
        case .boolean: "boolean"
        case .number: "number"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }
}
