import Persistence

/// Reads the records of a CSV file into blocks of rows.
final class CSVFiller: RecordFiller {
    private let filling: RowFilling
    private let options: ImportOptions
    private let reader: CSVRecords
    private let targets: [ColumnPlan.Target]
    private let names: [String: String]
    private let input: ByteInput

    /// A reader, which can be lent only while something owns it.
    private final class CSVRecords {
        var reader: CSVReader

        init(_ reader: consuming CSVReader) {
            self.reader = reader
        }
    }

    /// Reads the header.
    ///
    /// - Throws: ``InterchangeError/Code/columns`` with everything that is wrong with it.
    init(_ source: Int, _ input: ByteInput, _ plan: ColumnPlan, _ reading: ReadingOptions, _ options: ImportOptions)
        throws(InterchangeError)
    {
        self.input = input
        self.options = options
        filling = RowFilling(source, plan, options)
        var dialect = reading.dialect
        if reading.format == .tsv, dialect.separator == nil { dialect.separator = .tab }
        let reader = try CSVReader(input, dialect: dialect) { plan.target(of: $0) != nil }
        targets = try Self.targets(reader, plan, reading, input.name)
        var names: [String: String] = [:]
        for (name, target) in zip(reader.header, targets) { names[plan.name(of: target)] = name }
        self.names = names
        self.reader = CSVRecords(reader)
    }

    var findings: FileFindings {
        var findings = FileFindings()
        findings.ignoredColumns = zip(reader.reader.header, targets).filter { $0.1 == .ignored }.map(\.0)
        if reader.reader.dialect.separator == nil {
            findings.recognized.append("fields separated by \(reader.reader.separatorFound.name)")
        }
        let encoding = reader.reader.window.input.encodingName
        if reader.reader.dialect.encoding == nil, encoding != "UTF-8" { findings.recognized.append(encoding) }
        findings.mended = reader.reader.mended
        return findings
    }

    func fill(_ portion: Portion) throws {
        if options.isCancelled() { throw CancellationError() }
        portion.names = names
        defer {
            portion.records = reader.reader.record
            portion.bytes = input.bytesRead
        }
        while !portion.isFull {
            do throws(InterchangeError) {
                guard try reader.reader.next() else {
                    portion.isLast = true
                    return
                }
                try reader.reader.checkFieldCount()
                try fillRow(&portion.block)
            } catch {
                guard options.onError == .reject, error.code == .malformed || error.code == .invalidValue else {
                    throw error
                }
                if error.code == .malformed { try reader.reader.recover() }
                portion.problems.append(problem(error))
            }
        }
    }

    func skip(_ records: Int) throws {
        while reader.reader.record < records {
            do throws(InterchangeError) {
                guard try reader.reader.next() else { return }
            } catch {
                guard options.onError == .reject, error.code == .malformed else { throw error }
                try reader.reader.recover()
            }
        }
    }

    private func problem(_ error: InterchangeError) -> ImportProblem {
        var original: [UInt8] = []
        if options.keepsOriginals {
            original = reader.reader.withOriginal { $0.withUnsafeBufferPointer { Array($0) } }
        }
        return ImportProblem(error: error, source: filling.source, original: original)
    }

    private func fillRow(_ block: inout RowBlock) throws(InterchangeError) {
        block.beginRow(place: RowPlace(source: filling.source, line: reader.reader.line, record: reader.reader.record))
        for field in targets.indices {
            do throws(InvalidText) {
                try set(field, &block)
            } catch {
                block.removeLastRow()
                let message = reader.reader.withField(field) { TextValue.message($0, error) }
                throw reader.reader.error(.invalidValue, field: field, message: message)
            }
        }
        let failures = filling.problems(in: &block)
        if let failure = failures.first {
            block.removeLastRow()
            let field = targets.firstIndex { filling.plan.name(of: $0) == failure.attribute }
            var error = reader.reader.error(.invalidValue, field: field, message: RowFilling.message(failure))
            if field == nil { error.column = failure.attribute }
            throw error
        }
        if options.keepsOriginals { reader.reader.withOriginal { block.setNote($0) } }
    }

    @inline(__always)
    private func set(_ field: Int, _ block: inout RowBlock) throws(InvalidText) {
        switch targets[field] {
        case .ignored: return
        case .id:
            guard !reader.reader.isNull(field: field) else { throw InvalidText("not a whole number") }
            try reader.reader.withField(field) { bytes throws(InvalidText) in try filling.setID(bytes, &block) }
        case .column(let column):
            guard !reader.reader.isNull(field: field) else { return block.setNull(column: column) }
            let type = filling.types[column]
            try reader.reader.withField(field) { bytes throws(InvalidText) in
                try CellText.set(bytes, as: type, column, &block)
            }
        }
    }

    /// What each column is.
    private static func targets(
        _ reader: borrowing CSVReader, _ plan: ColumnPlan, _ reading: ReadingOptions, _ source: String
    ) throws(InterchangeError) -> [ColumnPlan.Target] {
        let header = reader.header
        var problems = plan.problems(header, ignoringUnknown: reading.ignoresUnknownColumns)
        for name in reading.mapping.keys.sorted() where !header.contains(name) {
            let nearest = NameMatching.nearest(to: name, among: header).map { " (did you mean \"\($0)\"?)" } ?? ""
            problems.insert("there is no column \(PrintableText.quoted(name)) to be renamed\(nearest)", at: 0)
        }
        guard problems.isEmpty else {
            throw InterchangeError(
                .columns, source: source, line: reader.headerLine, message: PrintableText.listed(problems))
        }
        return header.map { plan.target(of: $0) ?? .ignored }
    }
}
