import StrataPersistence

/// One dataset of an import: its reader, its inserter, and what became of its records.
final class ImportFile {
    let number: Int
    let entity: EntityDescription
    /// The link whose pairs the dataset holds, where it is no entity's.
    let link: LinkDescription?
    var rejected = 0

    private let input: ByteInput
    private let expectedRecords: Int?
    private let plan: ColumnPlan
    private let reading: ReadingOptions
    private let options: ImportOptions
    private var filler: (any RecordFiller)?
    private var readAhead: ReadAhead?
    private var inserter: BatchInserter?
    private var used: Portion?
    private var counts = InsertCounts()
    private var pairCount = 0
    private var names: [String: String] = [:]
    private var records = 0
    private var findings = FileFindings()
    private var header: [UInt8] = []
    private var lastRecord: UInt64 = 0
    private var resumption: ImportResumption
    private var isClosed = false
    private let stop = StopFlag()

    init(
        _ number: Int, source: ImportSource, occurrence: Int, model: ManagedObjectModel, options: ImportOptions
    ) throws {
        self.number = number
        self.options = options
        input = source.input
        expectedRecords = source.expectedRecords
        reading = source.reading ?? options.reading
        link = model.links.first { $0.name == source.entity }
        entity = try link.map(EntityDescription.init(pairsOf:)) ?? model.entity(named: source.entity)
        resumption = ImportResumption(input, entity, occurrence: occurrence)
        plan = try ColumnPlan(entity, mapping: reading.mapping, isPartial: options.onConflict == .update)
        let (stop, given, asked) = (stop, input.isCancelled, options.isCancelled)
        // Who waits for a pipe has to learn that nobody wants its bytes any more.
        input.isCancelled = { stop.isRaised || given?() ?? asked() }
    }

    var totalBytes: Int? { input.byteCount }
    var name: String { input.name }

    /// Reads the header.
    func open() throws {
        guard filler == nil, !isClosed else { return }
        if let compression = Compression(beginning: try input.peek(4)) {
            throw InterchangeError(
                .unsupported, source: input.name,
                message: "is compressed by \(compression.rawValue); name the file itself, or pipe it through "
                    + "\(compression.rawValue) -dc")
        }
        var opened = try makeFiller()
        if resumption.records > 0 {
            try opened.skip(resumption.records)
            if !resumption.matches(opened.lastRecord) {
                // Another file of the same name as one that was imported whole is a new one.
                guard resumption.wasWhole, input.rewind() else { throw resumption.error(input) }
                resumption.forget()
                opened = try makeFiller()
            }
            (records, lastRecord) = (resumption.records, opened.lastRecord.fingerprint)
        }
        filler = opened
        header = opened.header
        readAhead = ReadAhead(opened, entity, interval: options.isDryRun ? nil : options.commitInterval)
    }

    private func makeFiller() throws -> any RecordFiller {
        reading.format.isTable
            ? try CSVFiller(number, input: input, plan: plan, reading: reading, options: options)
            : try JSONFiller(number, input: input, plan: plan, reading: reading, options: options)
    }

    /// Prepares for a transaction.
    func begin(_ writer: BatchWriter, _ refuse: @escaping (ImportProblem) throws -> Void) throws {
        guard inserter == nil, link == nil else { return }
        var insertion = InsertOptions(
            onConflict: options.onConflict, onMissingReference: missingReferenceAction,
            buildsIndexesLast: options.commitInterval == nil)
        if options.onError == .reject || options.onMissingReference == .reject {
            insertion.onFailure = { [unowned self] failure in
                // Without leave to reject any record, only references may be wrong.
                guard options.onError == .reject || failure.error.code == .danglingReference else {
                    throw failure.error
                }
                let problem = ImportProblem(
                    error: located(failure.error, failure.place), source: number, original: failure.note,
                    header: header)
                if isStoring { waiting.append(problem) } else { try refuse(problem) }
            }
        }
        inserter = try writer.inserter(of: entity.name, insertion)
    }

    /// A reference that leads nowhere makes its record a bad one, and those are left out where that is asked for.
    private var missingReferenceAction: InsertOptions.MissingReferenceAction {
        options.onError == .reject && options.onMissingReference == .error ? .reject : options.onMissingReference
    }

    /// Whether a portion is being stored, whose problems are then told in their order.
    private var isStoring = false
    private var waiting: [ImportProblem] = []

    /// The next portion; `nil` behind the last.
    func nextPortion() -> Portion? {
        let portion = readAhead?.next(after: used)
        used = portion
        return portion
    }

    /// Stores a portion's records, and tells the problems it has.
    func store(_ portion: Portion, writer: BatchWriter, _ refuse: (ImportProblem) throws -> Void) throws {
        names.merge(portion.names) { $1 }
        isStoring = true
        defer { isStoring = false }
        waiting = portion.problems
        if let link {
            try store(portion.block, of: link, writer: writer)
        } else if portion.block.count > 0 {
            try inserter?.insertValidated(&portion.block)
        }
        records = portion.records
        lastRecord = portion.lastRecord
        waiting.sort { ($0.error.record ?? 0) < ($1.error.record ?? 0) }
        for problem in waiting { try refuse(problem) }
        waiting = []
        if portion.isLast, portion.error == nil { try checkCount() }
    }

    /// Makes sure that a file which a manifest lists is whole.
    private func checkCount() throws(InterchangeError) {
        guard let expected = expectedRecords, expected != records else { return }
        throw InterchangeError(
            .malformed, source: input.name,
            message: "\(records.counted("record")), but the manifest says \(expected); "
                + "where that is meant, import the file by itself")
    }

    private func store(_ block: RowBlock, of link: LinkDescription, writer: BatchWriter) throws {
        func integer(_ row: Int, _ column: Int) -> Int64? {
            if case .integer(let value) = block.value(row: row, column: column) { value } else { nil }
        }
        for row in 0..<block.count {
            let pair = JoinPair(source: integer(row, 0) ?? 0, target: integer(row, 1) ?? 0)
            try writer.insert(
                LinkRow(pair, sourcePosition: integer(row, 2), targetPosition: integer(row, 3)), of: link.name,
                place: block.place(ofRow: row))
            pairCount += 1
        }
    }

    /// Adds up what a transaction did.
    func takeCounts() {
        if let inserter { counts = counts + inserter.counts }
        counts.inserted += pairCount
        pairCount = 0
        inserter = nil
    }

    /// Ends the reading and forgets the inserter: it refers to the import, and would keep it and the store open.
    func abandon() {
        close()
        inserter = nil
    }

    /// Ends the reading.
    func close() {
        guard !isClosed else { return }
        stop.raise()
        readAhead?.stop()
        if let filler { findings = filler.findings }
        readAhead = nil
        filler = nil
        used = nil
        isClosed = true
    }

    func summary() -> ImportSummary.File {
        var summary = ImportSummary.File(name: input.name, entity: entity.name)
        summary.read = records - resumption.records
        summary.bytes = input.bytesRead
        summary.resumed = resumption.records
        summary.counts = counts
        summary.rejected = rejected
        summary.ignoredColumns = findings.ignoredColumns
        summary.recognized = findings.recognized
        summary.mended = findings.mended
        return summary
    }

    // MARK: - Resumption

    func findResumption(_ store: any PersistentStore) throws {
        guard options.commitInterval != nil, !options.isDryRun else { return }
        try resumption.find(store)
    }

    func noteResumption(_ writer: BatchWriter, isEnd: Bool) throws {
        if records > resumption.records || isEnd { try resumption.note(records, lastRecord: lastRecord, isEnd: isEnd, writer: writer) }
    }

    // MARK: - Errors

    /// A row's error as one that names the place in the file.
    func located(_ error: PersistenceError, _ place: RowPlace) -> InterchangeError {
        let attribute = error.failures.first?.attribute ?? error.attribute
        return InterchangeError(
            .invalidValue, source: input.name, line: place.line, record: place.record,
            column: attribute.map { names[$0] ?? $0 }, message: message(error))
    }

    private func message(_ error: PersistenceError) -> String {
        if let failure = error.failures.first { return RowFilling.message(failure) }
        let value = error.value.map { " (\($0))" } ?? ""
        switch error.code {
        case .danglingReference:
            let index = error.attribute.flatMap { entity.columnIndex($0) }
            let destination =
                index.flatMap { entity.columns[$0].destination }
                ?? (error.attribute == link?.sourceRelationship ? link?.targetEntity : link?.sourceEntity) ?? "object"
            return "there is no \(destination) \(error.value ?? ""), neither in the store nor in this import"
        default: return error.message.replacingTypographicQuotes + value
        }
    }
}

extension EntityDescription {
    /// The pairs of a link as rows of a dataset.
    init(pairsOf link: LinkDescription) {
        let isIdentifier = AttributeRule.minimum(.integer(1))
        self.init(
            link.name,
            [
                .attribute(AttributeDescription("source", .integer64, rules: [isIdentifier])),
                .attribute(AttributeDescription("target", .integer64, rules: [isIdentifier])),
                .attribute(AttributeDescription("sourcePosition", .integer64, isOptional: true)),
                .attribute(AttributeDescription("targetPosition", .integer64, isOptional: true)),
            ])
    }
}
