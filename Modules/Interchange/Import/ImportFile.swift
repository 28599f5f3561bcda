import StrataCore
import StrataStoreKit

/// One dataset of an import: its reader, its inserter, and the counts of its records.
///
/// The object lives for the whole import, and over several transactions if there is a commit interval. Only the calling
/// thread uses it; the reading thread uses the decoder. Its life has this order: ``open()`` once; for each transaction
/// ``begin(_:_:)`` and ``takeCounts()``; for each batch ``nextBatch()`` and ``store(_:writer:_:)``; ``close()`` once,
/// or ``abandon()`` after an error.
final class ImportFile {
    let number: Int
    let entity: EntityDescription
    /// The join table whose join rows the dataset contains; `nil` for a dataset of an entity.
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
    /// The inserter for a dataset of join rows.
    private var pairInserter: BatchPairInserter?
    /// The inserters for the join rows of the entity's list columns.
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
    private var circumstances: ImportFingerprint?
    private let model: ManagedObjectModel
    private var isClosed = false
    private let stop = StopFlag()

    /// The parameter `occurrence` numbers the sources with the same entity and file name, from 1.
    ///
    /// - Throws: `PersistenceError` if the entity is unknown, ``InterchangeError/Code/columns`` if the mapping names
    ///   unknown attributes.
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
        // When the import stops, it must cancel a reader that waits for a pipe.
        input.isCancelled = { stop.isRaised || given?() ?? asked() }
    }

    var totalBytes: Int? { input.byteCount }
    var rejectedBefore: Int { resumption.rejected }
    var name: String { input.name }
    /// The entities that the list columns of the file reference.
    var listed: [String] { storage.shape.lists.map(\.destination) }

    /// Reads the header.
    ///
    /// The first batch is not read yet. The method does nothing if the file is open or was closed.
    ///
    /// - Throws: ``InterchangeError/Code/columns`` with all problems of the header,
    ///   ``InterchangeError/Code/unsupported`` for compressed bytes, ``InterchangeError/Code/changed`` if the import
    ///   cannot be resumed.
    func open() throws {
        guard decoder == nil, !isClosed else { return }
        if expectedDigest != nil { input.beginDigest() }
        if let compression = Compression(beginning: try input.peek(4)) {
            throw InterchangeError(
                .unsupported, source: input.name,
                message: "the input is compressed by \(compression.rawValue); name the file itself, or pipe the input "
                    + "through \(compression.rawValue) -dc")
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

    /// Returns the decoder, positioned after the records that an earlier import processed.
    private func resumed(_ decoder: any RowDecoder) throws -> any RowDecoder {
        let current = try circumstances(decoder)
        if !resumption.wasWhole, let current { try resumption.check(current, input) }
        try decoder.skip(resumption.records)
        guard resumption.matches(decoder.lastRecord) else {
            // The earlier import was complete, so another file with the same name is a new file.
            guard resumption.wasWhole, input.rewind() else { throw resumption.error(input) }
            resumption.forget()
            return try makeDecoder()
        }
        if let current { try resumption.check(current, input) }
        return decoder
    }

    /// Returns the settings to store for an import with a commit interval.
    private func circumstances(_ decoder: any RowDecoder) throws -> ImportFingerprint? {
        guard options.commitInterval != nil, !options.isDryRun else { return nil }
        let ends = join.map { join in
            model.entities.filter { [join.sourceEntity, join.targetEntity].contains($0.name) }
        }
        return try ImportFingerprint(
            reading, options, entities: ends ?? [entity], model: model, header: decoder.header)
    }

    private func makeDecoder() throws -> any RowDecoder {
        let decoding = RowDecoding(number, plan: plan, options: options, reading: reading)
        if reading.format.isTable {
            return RecordDecoder(try CSVRecords(input, decoding: decoding, reading: reading), input: input)
        }
        return RecordDecoder(try JSONRecords(input, decoding: decoding, reading: reading), input: input)
    }

    /// Prepares the inserters for a transaction.
    ///
    /// An inserter belongs to one transaction. The closure `refuse` receives each record that the store rejects because
    /// of a unique value or a reference.
    func begin(_ writer: BatchWriter, _ refuse: @escaping (ImportProblem) throws -> Void) throws {
        guard inserter == nil, pairInserter == nil else { return }
        insertion = InsertOptions(
            onConflict: options.onConflict, onMissingReference: missingReferenceAction,
            buildsIndexesLast: options.commitInterval == nil)
        if options.onError == .reject || options.onMissingReference == .reject {
            insertion.onFailure = { [unowned self, unowned writer] failure in
                // If other invalid records are not allowed, only dangling references may be rejected.
                guard options.onError == .reject || errors.isMissingReference(failure.error) else {
                    throw failure.error
                }
                if let row = failure.row { storage.resolver.noteLeftOut(row, of: entity) }
                let problem = ImportProblem(
                    error: try errors.located(failure.error, failure.location, names: names, in: writer)
                        .located(in: input),
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

    /// The action for dangling references; `.reject` if invalid records are rejected and the default is used.
    private var missingReferenceAction: InsertOptions.MissingReferenceAction {
        options.onError == .reject && options.onMissingReference == .error ? .reject : options.onMissingReference
    }

    /// A Boolean value that indicates whether a batch is being stored; its problems are then reported in order.
    ///
    /// Problems that the reader found are merged with those of the store by record number. Problems that are found at
    /// the end of a transaction are reported at once.
    private var isStoring = false
    private var waiting: [ImportProblem] = []

    /// Returns the next batch; `nil` after the last one.
    func nextBatch() -> RowBatch? {
        let batch = readAhead?.next(after: used)
        used = batch
        return batch
    }

    /// Stores a batch's records, and reports its problems.
    ///
    /// Reported problems count as rejected records. After the last batch, the file is compared with the manifest.
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

    /// Throws if the file differs from the file that a manifest lists.
    private func checkWhole() throws(InterchangeError) {
        // The reading thread has finished, so this thread may use the digest.
        let digest = input.endDigest()
        let difference: String
        if let expectedRecords, expectedRecords != records {
            difference = "the file has \(records.counted("record")) instead of \(expectedRecords)"
        } else if let expectedDigest, let digest, digest != expectedDigest {
            difference =
                digest.bytes == expectedDigest.bytes
                ? "SHA-256 mismatch" : "the file has \(digest.bytes.counted("byte")) instead of \(expectedDigest.bytes)"
        } else {
            return
        }
        throw InterchangeError(
            .notAsListed, source: input.name,
            message:
                "the file differs from the manifest: \(difference); the file was edited, or an export was interrupted")
    }

    /// Adds the counts of a transaction.
    ///
    /// Call it after each commit, and also after a dry run, whose counts are those of the rolled back rows.
    func takeCounts() {
        counts = countsAfterCommit
        forgetInserters()
    }

    /// The counts of earlier transactions and of the current one.
    private var countsAfterCommit: InsertCounts {
        var sum = counts
        if let inserter { sum = sum + inserter.counts }
        if let pairInserter { sum = sum + pairInserter.counts }
        // Join rows of a list column are not counted; their record is counted.
        for list in listInserters { sum.droppedPairs += list.counts.droppedPairs }
        return sum
    }

    private func forgetInserters() {
        (inserter, pairInserter, listInserters) = (nil, nil, [])
        // The failure handler in the options captures the import, so it must be released.
        insertion = InsertOptions()
    }

    /// Stops reading and releases the inserter, which references the import and would keep it and the store open.
    func abandon() {
        close()
        forgetInserters()
    }

    /// Stops reading.
    ///
    /// If the reading thread waits for a pipe, it is canceled. The findings about the file are stored before the
    /// decoder is released.
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

    /// Returns the summary after the current transaction is committed.
    func summaryAfterCommit() -> ImportSummary.File {
        var summary = summary()
        summary.counts = countsAfterCommit
        return summary
    }

    /// Returns the current summary.
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
        summary.repairs = findings.repairs
        summary.notes = findings.notes
        summary.roundedDates = findings.roundedDates
        summary.changedCells = findings.changedCells
        return summary
    }

    // MARK: - Resumption

    /// Finds the progress of an earlier import; does nothing without a commit interval.
    func findResumption(_ store: any BulkWriting) throws {
        guard options.commitInterval != nil, !options.isDryRun else { return }
        try resumption.find(store)
    }

    /// Stores the progress in the current transaction, so that the progress and the records are committed together.
    func noteResumption(_ writer: BatchWriter, isEnd: Bool) throws {
        // For a file that was not opened yet there is nothing to store.
        guard let circumstances, records > resumption.records || isEnd else { return }
        try resumption.note(
            records, lastRecord: lastRecord, rejected: rejected, circumstances: circumstances, isEnd: isEnd,
            writer: writer)
    }

    // MARK: - Errors

    private var errors: RecordErrors {
        RecordErrors(source: input.name, shape: storage.shape, resolver: storage.resolver, join: join)
    }

    /// Converts an error of a row to an error with the location in the file.
    func located(_ error: PersistenceError, _ location: RowLocation) throws -> InterchangeError {
        try errors.located(error, location, names: names, in: nil).located(in: input)
    }
}
