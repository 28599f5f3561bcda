import StrataCore

/// One dataset of an import: its reader, its inserter, and what became of its records.
final class ImportFile {
    let number: Int
    let entity: EntityDescription
    /// The join table whose pairs the dataset holds, where it is no entity's.
    let join: JoinDescription?
    var rejected = 0

    private let input: ByteInput
    private let expectedRecords: Int?
    private let expectedDigest: FileDigest?
    private let plan: ColumnPlan
    private let reading: ReadingOptions
    private let options: ImportOptions
    private var decoder: (any RowDecoder)?
    private var readAhead: ReadAhead?
    private var inserter: BatchInserter?
    /// Takes the pairs of a dataset of pairs.
    private var pairInserter: BatchPairInserter?
    /// Take the pairs of the entity's lists.
    private var listInserters: [BatchPairInserter] = []
    private var insertion = InsertOptions()
    private let storage: RecordStorage
    private var used: RowBatch?
    private var counts = InsertCounts()
    private var names: [String: String] = [:]
    private var records = 0
    private var findings = FileFindings()
    private var header: [UInt8] = []
    private var lastRecord: UInt64 = 0
    private var resumption: ImportResumption
    private var circumstances: ImportCircumstances?
    private let model: ManagedObjectModel
    private var isClosed = false
    private let stop = StopFlag()

    init(
        _ number: Int, source: ImportSource, occurrence: Int, model: ManagedObjectModel, options: ImportOptions,
        resolver: KeyResolver
    ) throws {
        self.number = number
        self.options = options
        self.model = model
        input = source.input
        expectedRecords = source.expectedRecords
        expectedDigest = source.expectedDigest
        reading = source.reading ?? options.reading
        join = model.joins.first { $0.name == source.entity }
        entity = try join.map(EntityDescription.init(pairsOf:)) ?? model.entity(named: source.entity)
        resumption = ImportResumption(input, entity, occurrence: occurrence)
        storage = RecordStorage(shape: DatasetShape(entity, in: model), resolver: resolver)
        plan = try ColumnPlan(storage.shape, reading: reading, isPartial: options.onConflict == .update)
        let (stop, given, asked) = (stop, input.isCancelled, options.isCancelled)
        // Who waits for a pipe has to learn that nobody wants its bytes any more.
        input.isCancelled = { stop.isRaised || given?() ?? asked() }
    }

    var totalBytes: Int? { input.byteCount }
    var rejectedBefore: Int { resumption.rejected }
    var name: String { input.name }
    /// The entities that lists of the file name objects of.
    var listed: [String] { storage.shape.lists.map(\.destination) }

    /// Reads the header.
    func open() throws {
        guard decoder == nil, !isClosed else { return }
        if expectedDigest != nil { input.beginDigest() }
        if let compression = Compression(beginning: try input.peek(4)) {
            throw InterchangeError(
                .unsupported, source: input.name,
                message: "is compressed by \(compression.rawValue); name the file itself, or pipe it through "
                    + "\(compression.rawValue) -dc")
        }
        var opened = try makeDecoder()
        if resumption.records > 0 {
            opened = try resumed(opened)
            (records, lastRecord) = (resumption.records, opened.lastRecord.fingerprint)
        }
        decoder = opened
        header = opened.header
        circumstances = try circumstances(opened)
        readAhead = ReadAhead(
            opened, plan.entity, behind: records, interval: options.isDryRun ? nil : options.commitInterval)
    }

    /// The decoder behind the records that were dealt with before.
    private func resumed(_ decoder: any RowDecoder) throws -> any RowDecoder {
        let current = try circumstances(decoder)
        if !resumption.wasWhole, let current { try resumption.check(current, input) }
        try decoder.skip(resumption.records)
        guard resumption.matches(decoder.lastRecord) else {
            // Another file of the same name as one that was imported whole is a new one.
            guard resumption.wasWhole, input.rewind() else { throw resumption.error(input) }
            resumption.forget()
            return try makeDecoder()
        }
        if let current { try resumption.check(current, input) }
        return decoder
    }

    /// What is kept of an import that commits on the way.
    private func circumstances(_ decoder: any RowDecoder) throws -> ImportCircumstances? {
        guard options.commitInterval != nil, !options.isDryRun else { return nil }
        let ends = join.map { join in
            model.entities.filter { [join.sourceEntity, join.targetEntity].contains($0.name) }
        }
        return try ImportCircumstances(
            reading, options, entities: ends ?? [entity], model: model, header: decoder.header)
    }

    private func makeDecoder() throws -> any RowDecoder {
        let decoding = RowDecoding(number, plan: plan, options: options, reading: reading)
        if reading.format.isTable {
            return RecordDecoder(try CSVRecords(input, decoding: decoding, reading: reading), input: input)
        }
        return RecordDecoder(try JSONRecords(input, decoding: decoding, reading: reading), input: input)
    }

    /// Prepares for a transaction.
    func begin(_ writer: BatchWriter, _ refuse: @escaping (ImportProblem) throws -> Void) throws {
        guard inserter == nil, pairInserter == nil else { return }
        insertion = InsertOptions(
            onConflict: options.onConflict, onMissingReference: missingReferenceAction,
            buildsIndexesLast: options.commitInterval == nil)
        if options.onError == .reject || options.onMissingReference == .reject {
            insertion.onFailure = { [unowned self, unowned writer] failure in
                // Without leave to reject any record, only references may be wrong.
                guard options.onError == .reject || errors.isMissingReference(failure.error) else {
                    throw failure.error
                }
                if let row = failure.row { storage.resolver.noteLeftOut(row, of: entity) }
                let problem = ImportProblem(
                    error: try errors.located(failure.error, failure.location, names: names, in: writer),
                    source: number,
                    original: failure.note, header: header)
                if isStoring { waiting.append(problem) } else { try refuse(problem) }
            }
        }
        if let join {
            pairInserter = try writer.pairInserter(of: join, insertion)
        } else {
            let inserter = try writer.inserter(of: entity.name, insertion)
            self.inserter = inserter
            readAhead?.resize(RowBatch.Size(records: inserter.rowsAtOnce))
            listInserters = try storage.shape.lists.map { list in
                try writer.pairInserter(of: list.join, insertion, owners: (inserter, list.isSource))
            }
        }
    }

    /// A reference that leads nowhere makes its record a bad one, and those are left out where that is asked for.
    private var missingReferenceAction: InsertOptions.MissingReferenceAction {
        options.onError == .reject && options.onMissingReference == .error ? .reject : options.onMissingReference
    }

    /// Whether a batch is being stored, whose problems are then told in their order.
    private var isStoring = false
    private var waiting: [ImportProblem] = []

    /// The next batch; `nil` behind the last.
    func nextBatch() -> RowBatch? {
        let batch = readAhead?.next(after: used)
        used = batch
        return batch
    }

    /// Stores a batch's records, and tells the problems it has.
    func store(_ batch: RowBatch, writer: BatchWriter, _ refuse: (ImportProblem) throws -> Void) throws {
        names.merge(batch.names) { $1 }
        isStoring = true
        defer { isStoring = false }
        waiting = batch.problems
        if let pairInserter {
            try storage.store(batch.block, pairInserter, writer)
        } else if batch.block.count > 0, let inserter {
            try storage.store(&batch.block, inserter, lists: listInserters, insertion, writer)
        }
        records = batch.records
        lastRecord = batch.lastRecord
        waiting.sort { ($0.error.record ?? 0) < ($1.error.record ?? 0) }
        for problem in waiting { try refuse(problem) }
        waiting = []
        if batch.isLast, batch.error == nil { try checkWhole() }
    }

    /// Makes sure that a file which a manifest lists is the one that was meant.
    private func checkWhole() throws(InterchangeError) {
        // The reading is over, so that the digest belongs to this thread.
        let digest = input.endDigest()
        let difference: String
        if let expectedRecords, expectedRecords != records {
            difference = "it has \(records.counted("record")) instead of \(expectedRecords)"
        } else if let expectedDigest, let digest, digest != expectedDigest {
            difference =
                digest.bytes == expectedDigest.bytes
                ? "its SHA-256 is another" : "it has \(digest.bytes.counted("byte")) instead of \(expectedDigest.bytes)"
        } else {
            return
        }
        throw InterchangeError(
            .notAsListed, source: input.name,
            message:
                "is not the file that the manifest lists: \(difference); it was edited, or an export was broken off")
    }

    /// Adds up what a transaction did.
    func takeCounts() {
        counts = countsAfterCommit
        forgetInserters()
    }

    private var countsAfterCommit: InsertCounts {
        var sum = counts
        if let inserter { sum = sum + inserter.counts }
        if let pairInserter { sum = sum + pairInserter.counts }
        // Of pairs in a record's column the record is counted.
        for list in listInserters { sum.droppedPairs += list.counts.droppedPairs }
        return sum
    }

    private func forgetInserters() {
        (inserter, pairInserter, listInserters) = (nil, nil, [])
        // What is to be done with a bad record leads back to the import.
        insertion = InsertOptions()
    }

    /// Ends the reading and forgets the inserter: it refers to the import, and would keep it and the store open.
    func abandon() {
        close()
        forgetInserters()
    }

    /// Ends the reading.
    func close() {
        guard !isClosed else { return }
        stop.raise()
        readAhead?.stop()
        if let decoder { findings = decoder.findings }
        readAhead = nil
        decoder = nil
        used = nil
        isClosed = true
    }

    /// What is done once the transaction is through.
    func summaryAfterCommit() -> ImportSummary.File {
        var summary = summary()
        summary.counts = countsAfterCommit
        return summary
    }

    /// What is done by now.
    func summary() -> ImportSummary.File {
        var summary = ImportSummary.File(name: input.name, entity: entity.name)
        summary.read = records - resumption.records
        summary.bytes = input.bytesRead
        summary.resumed = resumption.records
        summary.counts = counts
        summary.rejected = rejected
        summary.rejectedBefore = resumption.rejected
        summary.ignoredColumns = findings.ignoredColumns
        summary.recognized = findings.recognized
        summary.mended = findings.mended
        summary.roundedDates = findings.roundedDates
        summary.changedCells = findings.changedCells
        return summary
    }

    // MARK: - Resumption

    func findResumption(_ store: any BulkWriting) throws {
        guard options.commitInterval != nil, !options.isDryRun else { return }
        try resumption.find(store)
    }

    func noteResumption(_ writer: BatchWriter, isEnd: Bool) throws {
        // A file that was not opened yet has nothing to be noted.
        guard let circumstances, records > resumption.records || isEnd else { return }
        try resumption.note(
            records, lastRecord: lastRecord, rejected: rejected, circumstances: circumstances, isEnd: isEnd,
            writer: writer)
    }

    // MARK: - Errors

    private var errors: RecordErrors {
        RecordErrors(source: input.name, shape: storage.shape, resolver: storage.resolver, join: join)
    }

    /// A row's error as one that names the place in the file.
    func located(_ error: PersistenceError, _ location: RowLocation) throws -> InterchangeError {
        try errors.located(error, location, names: names, in: nil)
    }
}
