import StrataCore

/// One import: datasets, their readers, and how far each has come.
final class ImportRun {
    private let container: any BulkWriting
    private let options: ImportOptions
    private var files: [ImportFile]
    /// The places of the files in the order in which they are read: those that others refer to come first.
    private let order: [Int]
    private let resolver = KeyResolver()
    private var position = 0
    private var rejectedCount = 0

    /// Ends the transaction of a dry run.
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

    /// Reads and stores everything.
    func run() throws -> ImportSummary {
        do {
            if options.resumes { for index in order { try files[index].findResumption(container) } }
            // What is wrong with any header is found before anything is stored.
            if files.count <= Self.mostOpenFiles { for index in order { try files[index].open() } }
            repeat {
                try runTransaction()
            } while position < order.count
        } catch {
            for file in files { file.abandon() }
            options.onFailure(summary { $0.summary() })
            let error = try located(error)
            // Who keeps a record of problems is told what ended the import, unless it was told before.
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

    /// Errors that are the datasets' own: the last of too many was told before, and a failing output has nobody to be told to.
    private static let codesOfDatasets: Set<InterchangeError.Code> = [
        .malformed, .invalidValue, .header, .columns, .inputNotFound, .unreadable, .unsupported, .changed, .notAsListed,
        .conflict,
    ]

    /// More files than this are opened one after the other, as their blocks take memory.
    private static let mostOpenFiles = 16

    private func runTransaction() throws {
        do {
            try container.batchWrite { writer in
                let isEnd = try storeUntilCommit(writer)
                try resolver.finish(writer)
                // What references leave out belongs to what is kept before the commit.
                try writer.rows.checkReferences()
                writer.willCommit = { [self, unowned writer] in try willCommit(writer, isEnd: isEnd) }
            }
        } catch is DryRunEnded {
            position = order.count
        }
        for file in files { file.takeCounts() }
    }

    /// Ends a transaction whose rows are all checked.
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

    /// Stores batches until it is time to commit; true at the end of the last file.
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
            // Later files refer to the rows by their keys; those of the same entity may exchange unique values with them.
            if position < order.count, files[order[position]].entity.name != file.entity.name {
                try writer.rows.writeWaitingRows()
            }
        }
        return true
    }

    /// A record is left out.
    private func refuse(_ problem: ImportProblem, by file: ImportFile) throws {
        rejectedCount += 1
        file.rejected += 1
        try options.onProblem(problem)
        // Of an import that goes on all of it counts.
        if let most = options.maximumErrors, files.reduce(rejectedCount, { $0 + $1.rejectedBefore }) > most {
            throw InterchangeError(
                .tooManyErrors, source: problem.error.source, line: problem.error.line, record: problem.error.record,
                message: "more than \(most.counted("record")) rejected; the last for: \(problem.error.message)")
        }
    }

    /// An error that a row caused, with the place in its file.
    private func located(_ error: any Error) throws -> any Error {
        guard let error = error as? PersistenceError else { return error }
        if let location = error.location, files.indices.contains(location.source) {
            return try files[location.source].located(error, location)
        }
        return error.failures.first.map { leading($0, of: error.failures.count) } ?? error
    }

    /// What objects lead to is known at the end only, of objects: a stored one has no line, and of the others all lines would have to be remembered.
    private func leading(_ failure: ValidationFailure, of count: Int) -> InterchangeError {
        let others = count > 1 ? "; \((count - 1).counted("rule")) more broken like this" : ""
        return InterchangeError(.invalidValue, message: "\(failure) (found \(failure.value))\(others)")
    }

    /// Files whose entities others refer to come before those, where there is no circle.
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
