import StrataPersistence

/// Reads the records of a CSV file into blocks of rows.
final class CSVRowDecoder: RowDecoder {
    private var records: CSVRecords
    private let names: [String: String]
    private let input: ByteInput
    private let options: ImportOptions

    /// Reads the header.
    ///
    /// - Throws: ``InterchangeError/Code/columns`` with everything that is wrong with it.
    init(_ source: Int, input: ByteInput, plan: ColumnPlan, reading: ReadingOptions, options: ImportOptions)
        throws(InterchangeError)
    {
        self.input = input
        self.options = options
        var dialect = reading.dialect
        if reading.format == .tsv, dialect.separator == nil { dialect.separator = .tab }
        let reader = try CSVReader(input, dialect: dialect) { plan.target(of: $0) != nil }
        let targets = try Self.targets(reader, plan: plan, reading: reading, source: input.name)
        var names: [String: String] = [:]
        for (name, target) in zip(reader.header, targets) { names[plan.name(of: target)] = name }
        self.names = names
        records = CSVRecords(
            reader, targets: targets, decoding: RowDecoding(source, plan: plan, options: options), options: options)
    }

    var header: [UInt8] { records.header }
    var findings: FileFindings { records.findings }
    var lastRecord: (record: Int, fingerprint: UInt64) { (records.record, records.lastRecord) }

    func fill(_ batch: RowBatch) throws {
        if options.isCancelled() { throw CancellationError() }
        batch.names = names
        defer {
            batch.records = records.record
            batch.bytes = input.bytesRead
        }
        defer { if options.commitInterval != nil { batch.lastRecord = records.lastRecord } }
        batch.isLast = try records.fill(&batch.block, &batch.problems, limit: batch.limit)
    }

    func skip(_ count: Int) throws { try records.skip(count) }

    /// What each column is.
    private static func targets(
        _ reader: borrowing CSVReader, plan: ColumnPlan, reading: ReadingOptions, source: String
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

/// The records of a CSV file, read into rows.
///
/// A value of its own, so that decoding a batch is one access to it.
private struct CSVRecords: ~Copyable {
    private var reader: CSVReader
    private let targets: [ColumnPlan.Target]
    private let decoding: RowDecoding
    private let options: ImportOptions

    init(
        _ reader: consuming CSVReader, targets: [ColumnPlan.Target], decoding: RowDecoding, options: ImportOptions
    ) {
        self.reader = reader
        self.targets = targets
        self.decoding = decoding
        self.options = options
    }

    var record: Int { reader.record }
    var header: [UInt8] { reader.headerOriginal }
    /// The fingerprint of the record that was read last, where imports may be resumed.
    private(set) var lastRecord: UInt64 = 0

    var findings: FileFindings {
        var findings = FileFindings()
        findings.ignoredColumns = zip(reader.header, targets).filter { $0.1 == .ignored }.map(\.0)
        if reader.dialect.separator == nil {
            findings.recognized.append("fields separated by \(reader.separatorFound.name)")
        }
        let encoding = reader.window.input.encodingName
        if reader.dialect.encoding == nil, encoding != "UTF-8" { findings.recognized.append(encoding) }
        findings.mended = reader.mended
        return findings
    }

    /// Reads rows until a batch is full; true at the end of the file.
    mutating func fill(
        _ block: inout RowBlock, _ problems: inout [ImportProblem], limit: Int
    ) throws(InterchangeError) -> Bool {
        while block.count + problems.count < limit, block.byteCount < RowBatch.maximumBytes {
            do throws(InterchangeError) {
                guard try reader.next() else { return true }
                try reader.checkFieldCount()
                try fillRow(&block)
            } catch {
                guard options.onError == .reject, error.code == .malformed || error.code == .invalidValue else {
                    throw error
                }
                if error.code == .malformed { try reader.recover() }
                problems.append(problem(error))
            }
            if options.commitInterval != nil { noteRecord() }
        }
        return false
    }

    mutating func skip(_ count: Int) throws(InterchangeError) {
        while reader.record < count {
            do throws(InterchangeError) {
                guard try reader.next() else { return }
            } catch {
                guard options.onError == .reject, error.code == .malformed else { throw error }
                try reader.recover()
            }
            if reader.record == count { noteRecord() }
        }
    }

    private mutating func noteRecord() {
        lastRecord = reader.withOriginal { ImportResumption.fingerprint($0) }
    }

    private func problem(_ error: InterchangeError) -> ImportProblem {
        var original: [UInt8] = []
        if options.keepsOriginals { original = reader.withOriginal { $0.withUnsafeBufferPointer { Array($0) } } }
        return ImportProblem(error: error, source: decoding.source, original: original, header: header)
    }

    private func fillRow(_ block: inout RowBlock) throws(InterchangeError) {
        block.beginRow(location: RowLocation(source: decoding.source, line: reader.line, record: reader.record))
        for field in targets.indices {
            do throws(InvalidText) {
                try set(field, &block)
            } catch {
                block.removeLastRow()
                let message = reader.withField(field) { AttributeText.message($0, error) }
                throw reader.error(.invalidValue, field: field, message: message)
            }
        }
        let failures = decoding.problems(in: &block)
        if let failure = failures.first {
            block.removeLastRow()
            let field = targets.firstIndex { decoding.plan.name(of: $0) == failure.attribute }
            var error = reader.error(.invalidValue, field: field, message: RowDecoding.message(failure))
            if field == nil { error.column = failure.attribute }
            throw error
        }
        if options.keepsOriginals { reader.withOriginal { block.setNote($0) } }
    }

    @inline(__always)
    private func set(_ field: Int, _ block: inout RowBlock) throws(InvalidText) {
        switch targets[field] {
        case .ignored: return
        case .id:
            guard !reader.isNull(field: field) else { throw InvalidText("not a whole number") }
            try reader.withField(field) { bytes throws(InvalidText) in try decoding.setID(bytes, &block) }
        case .column(let column):
            guard !reader.isNull(field: field) else { return block.setNull(column: column) }
            let type = decoding.types[column]
            try reader.withField(field) { bytes throws(InvalidText) in
                try CellText.set(bytes, as: type, column: column, into: &block)
            }
        }
    }
}
