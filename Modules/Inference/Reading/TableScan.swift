import StrataCore
import StrataInterchange

/// The statistics of the records of a dataset that were read so far.
///
/// A dataset can consist of several files. Each file is read once, from beginning to end, and its columns are matched
/// by name with those of the earlier files. A column that a file does not have is null in all records of that file.
/// After the last file, ``settled`` contains the final statistics.
struct TableScan {
    /// The name of the dataset.
    let name: String
    /// The path of the dataset's first file, for the report and for errors.
    let path: String
    /// The count of records in all files, without those that were rejected.
    private(set) var records = 0
    /// The statistics of the columns, in the order in which they were found.
    private(set) var columns: [ColumnScan] = []
    /// The check for repeated pairs of values; it is used only if the dataset has exactly two columns.
    private(set) var pairs = PairScan()
    /// The count of the texts that mean null, if the user specified words for null.
    private(set) var missing: MissingTexts
    /// The indices of the columns, by the columns' names.
    private var places: [String: Int] = [:]
    private let memory: KeyMemory
    private let names: NamedTables
    /// The options with which the first file is read.
    let reading: ReadingOptions

    /// A Boolean value that indicates whether the dataset consists only of keys that a store contains.
    let isStored: Bool
    /// The kind of the keys in the store; `nil` for a dataset that is not from a store.
    private(set) var storedKind: CellKind?
    /// The types that the user specified, by column name.
    private let given: [String: GivenType]
    /// The columns that a file of the dataset does not have, if the dataset consists of several files.
    private(set) var missingColumns: [(column: String, file: String)] = []
    /// Notes for the report about column names that were generated.
    private(set) var namedColumns: [String] = []
    /// The names of the files that were read to the end.
    private(set) var files: [String] = []
    /// The maximum count of columns that a store supports; `nil` if there is no limit.
    var maximumColumns: Int?
    /// A Boolean value that indicates whether a decimal column may write numbers with other counts of digits.
    var permitsOtherDigits = false
    /// A Boolean value that indicates whether numbers are the doubles in the cells of a sheet.
    var numbersAreDoubles = false
    /// The count of invalid records that were skipped.
    private(set) var rejects = 0

    init(
        name: String, path: String, reading: ReadingOptions, given: [String: GivenType], _ names: NamedTables,
        _ memory: KeyMemory, isStored: Bool = false
    ) {
        self.isStored = isStored
        (self.name, self.path, self.reading, self.names, self.memory) = (name, path, reading, names, memory)
        self.given = given
        missing = MissingTexts(reading.dialect.nullTokens)
    }

    /// Returns the index of a column, which is added if no earlier record has it.
    ///
    /// - Parameters:
    ///   - name: The name of the column in the model.
    ///   - fileName: The name of the column in the file, which options use.
    ///   - kinds: The kinds that the column's cells may match.
    ///   - reading: The options for reading the file.
    ///   - before: The count of records before the first record that has the column.
    /// - Returns: The index of the column.
    private mutating func place(
        of name: String, fileName: String, _ kinds: CellKinds, _ reading: ReadingOptions, before: Int
    ) -> Int {
        if let place = places[name] { return place }
        places[name] = columns.count
        var column = ColumnScan(
            name, of: kinds, reading.spelling(ofColumn: fileName, or: name), given: given[name],
            key: KeyScan(isKept: names.mayRefer(name), memory), permitsOtherDigits: permitsOtherDigits,
            numbersAreDoubles: numbersAreDoubles)
        column.noteMissing(before)
        columns.append(column)
        if before > 0 { for file in files { missingColumns.append((name, file)) } }
        return columns.count - 1
    }

    /// Notes the end of a file, and the columns that the file does not have.
    private mutating func end(_ file: String, without missing: [Int]) {
        for place in missing { missingColumns.append((columns[place].name, file)) }
        for place in columns.indices { columns[place].noteFile(file) }
        files.append(file)
    }

    private mutating func noteConstants(_ constants: [(place: Int, text: [UInt8])], line: Int) {
        for (place, text) in constants { columns[place].note(text.span, line: line) }
    }

    /// The name of the dataset's file, or the name of the first file and the count of further files.
    var sourceText: String {
        files.count < 2 ? path : "\(path) and \(files.count - 1) more \(files.count == 2 ? "file" : "files")"
    }

    /// Returns the columns with constant values for all records of a file, which options define.
    private mutating func constants(_ reading: ReadingOptions) -> [(place: Int, text: [UInt8])] {
        reading.constants.sorted { $0.key < $1.key }.map { name, text in
            (place(of: name, fileName: name, .ofTables, reading, before: records), Array(text.utf8))
        }
    }

    /// The statistics of the whole dataset, after its last file was read.
    var settled: TableScan {
        var table = self
        let quotesAll = columns.contains(where: \.hasNeedlessQuotes) && !columns.contains(where: \.hasUnquoted)
        for place in columns.indices { table.columns[place] = columns[place].settled(quotesAll: quotesAll) }
        return table
    }

    // MARK: Keys of a store

    /// Begins reading the keys that a store contains.
    ///
    /// - Parameters:
    ///   - column: The name of the key column in files.
    ///   - kind: The kind of the keys.
    mutating func beginKey(_ column: String, _ kind: CellKind) {
        storedKind = kind
        var key = KeyScan(isKept: true, memory)
        if kind != .integer { key.keepTexts() }
        columns = [ColumnScan(column, of: .ofTables, ValueSpelling(), given: nil, key: key)]
    }

    /// Adds the text of a key in a store.
    mutating func noteKey(_ text: Span<UInt8>) {
        records += 1
        columns[0].note(text, line: records)
    }

    // MARK: Tables

    /// Reads a CSV or TSV file of the dataset.
    ///
    /// The columns of several files are matched by name.
    ///
    /// - Parameters:
    ///   - input: The file.
    ///   - reading: The options for reading the file.
    ///   - most: The maximum count of records to read for the dataset.
    ///   - rejects: A Boolean value that indicates whether invalid records are skipped instead of being errors.
    ///   - isCancelled: A closure that is called every few thousand records; if it returns `true`, this method throws
    ///     `CancellationError`.
    /// - Throws: `InterchangeError` if the file cannot be read, `CancellationError`.
    mutating func readTable(
        _ input: ByteInput, _ reading: ReadingOptions, atMost most: Int, rejects: Bool, isCancelled: () -> Bool
    ) throws {
        var reader = try CSVReader(input, dialect: reading.tableDialect, recordLimit: reading.maximumRecordBytes)
        try check(reader.header, reading, in: input.name, line: reader.headerLine)
        try checkCount(
            reader.header.count { !reading.omittedColumns.contains($0) }, in: input.name, line: reader.headerLine)
        if files.isEmpty { namedColumns = reader.namedColumns }
        let isFirst = columns.isEmpty
        let before = records
        var fields: [(field: Int, place: Int)] = []
        for (field, name) in reader.header.enumerated() where !reading.omittedColumns.contains(name) {
            fields.append(
                (field, place(of: reading.mapping[name] ?? name, fileName: name, .ofTables, reading, before: before)))
        }
        try check(reading, among: reader.header, in: input.name, line: reader.headerLine)
        let constants = constants(reading)
        // Objects and arrays in columns of another file are texts in a table.
        let allowed: CellKinds? = files.isEmpty ? nil : .ofTables
        let isPair = columns.count == 2 && fields.count == 2
        if isPair { fields.sort { $0.place < $1.place } }
        if !isFirst, !isPair { pairs.end(memory) }
        while records < most {
            do throws(InterchangeError) {
                guard try reader.next() else { break }
                try reader.checkFieldCount()
            } catch {
                guard rejects, error.code == .malformed else { throw error }
                try reader.recover()
                self.rejects += 1
                continue
            }
            records += 1
            if records % 4096 == 0, isCancelled() { throw CancellationError() }
            if input.hasTypedCells {
                noteTyped(reader, fields)
            } else {
                note(reader, fields, allowed: allowed)
            }
            noteConstants(constants, line: reader.line)
            if isPair, !pairs.isOver {
                pairs.note(
                    reader.text(ofField: fields[0].field), reader.text(ofField: fields[1].field), line: reader.line,
                    memory)
            }
        }
        let known = Set(fields.map(\.place) + constants.map(\.place))
        let missing = columns.indices.filter { !known.contains($0) }
        for place in missing { columns[place].noteMissing(records - before) }
        end(input.name, without: missing)
    }

    /// Counts the values of a record.
    ///
    /// The reader is a borrowed parameter, because a closure that captures it would copy it for every field.
    private mutating func note(
        _ reader: borrowing CSVReader, _ fields: [(field: Int, place: Int)], allowed: CellKinds?
    ) {
        let line = reader.line
        let isWatched = missing.isWatched
        for (field, place) in fields {
            if reader.isNull(field: field) {
                columns[place].noteNull()
                if isWatched { missing.note(reader.text(ofField: field)) }
            } else if reader.isEmpty(field: field) {
                // An empty unquoted field would be null.
                columns[place].noteQuotedEmpty(line: line)
                if isWatched { missing.noteQuoted("") }
            } else {
                if !columns[place].hasUnquoted { noteQuotes(reader, field, place) }
                reader.withField(field) { columns[place].note($0, line: line, allowed: allowed) }
                if isWatched, reader.isQuoted(field: field) {
                    missing.noteQuoted(reader.text(ofField: field))
                }
            }
        }
    }

    /// Counts the values of a row of a sheet, in which quotes distinguish texts from numbers and dates.
    private mutating func noteTyped(_ reader: borrowing CSVReader, _ fields: [(field: Int, place: Int)]) {
        let line = reader.line
        for (field, place) in fields {
            if reader.isNull(field: field) {
                columns[place].noteNull()
                if missing.isWatched { missing.note(reader.text(ofField: field)) }
            } else if reader.isEmpty(field: field) {
                columns[place].noteQuotedEmpty(line: line)
                columns[place].noteNeedlessQuotes()
            } else {
                let allowed: CellKinds? = reader.isQuoted(field: field) ? .ofTexts : nil
                reader.withField(field) { columns[place].note($0, line: line, allowed: allowed) }
            }
        }
    }

    /// Notes whether a value is quoted, if this is not already known for the value's column.
    private mutating func noteQuotes(_ reader: borrowing CSVReader, _ field: Int, _ place: Int) {
        if !reader.isQuoted(field: field) {
            columns[place].noteUnquoted()
        } else if !columns[place].hasNeedlessQuotes, !reader.needsQuotes(field: field) {
            columns[place].noteNeedlessQuotes()
        }
    }

    /// Throws an error if there are more columns than the store supports, before the rest of the file is read.
    private func checkCount(_ count: Int, in source: String, line: Int) throws(InterchangeError) {
        // The key may become the identifier, which does not count as a column of the store.
        guard let maximumColumns, count > maximumColumns + 1 else { return }
        throw InterchangeError(
            .columns, source: source, line: line,
            message:
                "\(count) columns, but such a store can have at most \(maximumColumns); omit some with --map COLUMN=-, "
                + "or name an XML or binary store (.stxml, .stbin), which has no limit")
    }

    /// Throws an error if options map several columns to the same name.
    private func check(
        _ header: [String], _ reading: ReadingOptions, in source: String, line: Int
    ) throws(InterchangeError) {
        var problems: [String] = []
        var first: [String: Int] = [:]
        for (place, fileName) in header.enumerated() where !reading.omittedColumns.contains(fileName) {
            let name = reading.mapping[fileName] ?? fileName
            if let other = first[name] {
                problems.append(
                    "columns \(other + 1) and \(place + 1) both have the name \(PrintableText.quoted(name))")
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

    /// Throws an error if options name a column that the header does not contain.
    private func check(
        _ reading: ReadingOptions, among header: [String], in source: String, line: Int
    ) throws(InterchangeError) {
        for (names, what) in [(Array(reading.mapping.keys), "renamed"), (Array(reading.omittedColumns), "left out")] {
            guard let name = names.sorted().first(where: { !header.contains($0) }) else { continue }
            let nearest = NameMatching.nearest(to: name, among: header).map { " (did you mean \"\($0)\"?)" } ?? ""
            throw InterchangeError(
                .columns, source: source, line: line,
                message: "there is no column \(PrintableText.quoted(name)) to be \(what)\(nearest)")
        }
    }

    // MARK: Documents

    /// Reads a JSON or NDJSON file of the dataset; the parameters are those of `readTable`.
    mutating func readDocument(
        _ input: ByteInput, _ reading: ReadingOptions, atMost most: Int, rejects: Bool, isCancelled: () -> Bool
    ) throws {
        let layout = JSONRecordLayout(reading)
        var reader = try JSONRecordReader(
            input, layout: layout, recordLimit: reading.maximumRecordBytes, encoding: reading.encoding)
        let (before, constants) = (records, constants(reading))
        let counts = columns.map(\.valueCount)
        // A string is a number or a Boolean only in a spelling that the user specified.
        let spelled = reading.hasSpelledWordsOrNumbers ? CellKinds([.words, .spelledNumber]) : CellKinds([])
        let kinds = (files.isEmpty ? CellKinds.ofDocuments : .ofTables.union(.ofDocuments)).union(spelled)
        while records < most {
            do throws(InterchangeError) {
                guard try reader.next() else { break }
            } catch {
                guard rejects, error.code == .malformed, try reader.recover() else { throw error }
                self.rejects += 1
                continue
            }
            records += 1
            if records % 4096 == 0, isCancelled() { throw CancellationError() }
            for member in 0..<reader.memberCount {
                let key = reader.key(ofMember: member)
                if reading.omittedColumns.contains(key) || layout.leadsInto(key) { continue }
                let place = place(of: reading.mapping[key] ?? key, fileName: key, kinds, reading, before: before)
                let line = reader.line(ofMember: member)
                let kind = reader.kind(ofMember: member)
                guard kind != .null else { continue }
                reader.withText(ofMember: member) { text in
                    columns[place].note(
                        text, kind: kind.group,
                        allowed: CellKinds.of(kind).union(kind == .string ? spelled : .init([])), line: line)
                }
            }
            try checkCount(columns.count, in: input.name, line: reader.line)
            noteConstants(constants, line: reader.line)
        }
        // A missing key equals null.
        var missing: [Int] = []
        for place in columns.indices {
            let read = columns[place].valueCount - (counts.indices.contains(place) ? counts[place] : 0)
            columns[place].noteMissing(records - before - read)
            if read == 0, counts.indices.contains(place) { missing.append(place) }
        }
        end(input.name, without: missing)
    }
}

extension CellKinds {
    private static let strings = CellKinds([
        .uuid, .day, .time, .date, .spelledDay, .spelledDate, .spelledTime, .localDateTime, .offsetDateTime, .yearMonth,
    ])
    private static let numbers = CellKinds([.integer, .decimal, .double])

    static let ofDocuments = CellKinds(CellKind.allCases.filter { ![.text, .words, .spelledNumber].contains($0) })

    /// Returns the kinds that a value of a document may match; a string of digits matches only text.
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
    /// The name of the JSON kind by which reports count values; `true` and `false` have the same name.
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
