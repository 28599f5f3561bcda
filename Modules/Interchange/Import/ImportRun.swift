import StrataCore
import StrataStoreKit

/// One import: the datasets, their readers, and the progress.
///
/// A run consists of one transaction, or of several if there is a commit interval. ``position`` is the file that is
/// being read. A transaction ends at the end of the last file, or at a multiple of the interval in any file.
final class ImportRun {
    private let container: any BulkWriting
    private let options: ImportOptions
    private var files: [ImportFile]
    /// The indices of the files in the order of reading: files that others reference come first.
    private let order: [Int]
    private let resolver = KeyResolver()
    private var position = 0
    private var rejectedCount = 0

    /// The error that ends the transaction of a dry run.
    ///
    /// Throwing it is the only way to roll the transaction back after all checks of the store.
    private struct DryRunEnded: Error {}

    init(_ sources: [ImportSource], container: any BulkWriting, options: ImportOptions) throws {
        self.container = container
        self.options = options
        files = try sources.enumerated().map { [resolver] number, source in
            let same = sources[...number].count {
                $0.entity == source.entity
                    && ImportResumption.name(of: $0.input) == ImportResumption.name(of: source.input)
            }
            return try ImportFile(
                number, source: source, occurrence: same, model: container.model, options: options,
                resolver: resolver)
        }
        order = Self.order(files)
    }

    /// Reads and stores all datasets.
    ///
    /// If an error occurs, all files are closed before the closures of the options are called, because the closures may
    /// take long.
    ///
    /// - Throws: The error that ended the import, with the location in the file if a row caused it.
    func run() throws -> ImportSummary {
        do {
            if options.resumes { for index in order { try files[index].findResumption(container) } }
            // All headers are validated before anything is stored.
            if files.count <= Self.mostOpenFiles { for index in order { try files[index].open() } }
            repeat {
                try runTransaction()
            } while position < order.count
        } catch {
            for file in files { file.abandon() }
            options.onFailure(summary { $0.summary() })
            let error = try located(error)
            // Report the error that ended the import, unless it was reported before.
            if let error = error as? InterchangeError, Self.codesOfDatasets.contains(error.code) {
                let source = files.firstIndex { $0.name == error.source } ?? 0
                try options.onProblem(ImportProblem(error: error, source: source, original: [], isFatal: true))
            }
            throw error
        }
        return summary { $0.summary() }
    }

    private func summary(_ file: (ImportFile) -> ImportSummary.File) -> ImportSummary {
        var summary = ImportSummary()
        summary.files = files.map(file)
        summary.isWhole = position == order.count
        return summary
    }

    /// The codes of errors in the datasets.
    ///
    /// The last of too many errors was reported before, and a failing output cannot be reported to itself.
    private static let codesOfDatasets: Set<InterchangeError.Code> = [
        .malformed, .invalidValue, .header, .columns, .inputNotFound, .unreadable, .unsupported, .changed, .notAsListed,
        .conflict,
    ]

    /// The maximum count of files that are opened at the same time, because each open file needs memory for its blocks.
    private static let mostOpenFiles = 16

    /// Runs one transaction: stores batches, resolves keyed references, checks all references, and calls the closures.
    private func runTransaction() throws {
        do {
            try container.batchWrite { writer in
                let isEnd = try storeUntilCommit(writer)
                try resolver.finish(writer)
                // Records that are rejected because of their references must be reported before the commit.
                try writer.rows.checkReferences()
                writer.willCommit = { [self, unowned writer] in try willCommit(writer, isEnd: isEnd) }
            }
        } catch is DryRunEnded {
            position = order.count
        }
        for file in files { file.takeCounts() }
    }

    /// Completes a transaction whose rows are all validated.
    private func willCommit(_ writer: BatchWriter, isEnd: Bool) throws {
        if isEnd {
            if options.isCancelled() { throw CancellationError() }
            if !options.isDryRun { try options.willCommit() }
        }
        if options.commitInterval != nil, !options.isDryRun {
            for index in order { try files[index].noteResumption(writer, isEnd: isEnd) }
        }
        if options.isDryRun { throw DryRunEnded() }
        try options.beforeCommit(summary { $0.summaryAfterCommit() })
    }

    /// Stores batches until the next commit is due; returns `true` at the end of the last file.
    private func storeUntilCommit(_ writer: BatchWriter) throws -> Bool {
        while position < order.count {
            let file = files[order[position]]
            try file.open()
            try file.begin(writer) { [self] problem in try refuse(problem, by: file) }
            while let batch = file.nextBatch() {
                if options.isCancelled() { throw CancellationError() }
                try file.store(batch, writer: writer) { [self] problem in try refuse(problem, by: file) }
                options.progress(
                    ImportProgress(
                        source: file.number, records: batch.records, bytes: batch.bytes,
                        totalBytes: file.totalBytes))
                if let error = batch.error { throw error }
                if let interval = options.commitInterval, !options.isDryRun, !batch.isLast,
                    batch.records % max(1, interval) == 0
                {
                    return false
                }
            }
            file.close()
            position += 1
            // Later files reference the rows by their keys, so waiting rows are written. Files of the same entity may
            // exchange unique values, so rows keep waiting between them.
            if position < order.count, files[order[position]].entity.name != file.entity.name {
                try writer.rows.writeWaitingRows()
            }
        }
        return true
    }

    /// Counts and reports a rejected record.
    private func refuse(_ problem: ImportProblem, by file: ImportFile) throws {
        rejectedCount += 1
        file.rejected += 1
        try options.onProblem(problem)
        // A resumed import also counts the records that were rejected before.
        if let most = options.maximumErrors, files.reduce(rejectedCount, { $0 + $1.rejectedBefore }) > most {
            var error = InterchangeError(
                .tooManyErrors, source: problem.error.source, line: problem.error.line, record: problem.error.record,
                message: "more than \(most.counted("record")) rejected; the last for: \(problem.error.message)")
            error.address = problem.error.address
            throw error
        }
    }

    /// Converts an error of a row to an error with the location in its file.
    private func located(_ error: any Error) throws -> any Error {
        guard let error = error as? PersistenceError else { return error }
        if let location = error.location, files.indices.contains(location.source) {
            return try files[location.source].located(error, location)
        }
        return error.failures.first.map { leading($0, of: error.failures.count) } ?? error
    }

    /// Returns the error of an object whose references violate a rule, which is detected only at the end.
    ///
    /// The error has no line: stored objects have none, and for the others all lines would have to be retained.
    private func leading(_ failure: ValidationFailure, of count: Int) -> InterchangeError {
        let others = count > 1 ? "; \((count - 1).counted("rule")) more broken in the same way" : ""
        return InterchangeError(.invalidValue, message: "\(failure) (found \(failure.value))\(others)")
    }

    /// Returns the order of the files: files whose entities others reference come first, unless there is a cycle.
    private static func order(_ files: [ImportFile]) -> [Int] {
        var waiting = Array(files.indices)
        var ordered: [Int] = []
        while !waiting.isEmpty {
            let names = Set(waiting.map { files[$0].entity.name })
            let next =
                waiting.first { index in
                    let entity = files[index].entity
                    return entity.columns.allSatisfy { column in
                        column.destination.map { $0 == entity.name || !names.contains($0) } ?? true
                    } && files[index].listed.allSatisfy { $0 == entity.name || !names.contains($0) }
                        && (files[index].join == nil || waiting.allSatisfy { files[$0].join != nil })
                } ?? waiting[0]
            ordered.append(next)
            waiting.removeAll { $0 == next }
        }
        return ordered
    }
}
