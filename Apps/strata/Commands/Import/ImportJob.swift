import Foundation
import StrataInterchange
import StrataPersistence

/// One import or validation as the tool does it: the store, the files for rejects and the report, progress and summary.
struct ImportJob {
    private let description: PersistentStoreDescription
    private let sources: [ImportSource]
    private let job: JobArguments
    /// The store as it was given; nil when there is none.
    private let store: String?

    init(
        _ description: PersistentStoreDescription, sources: [ImportSource], job: JobArguments, store: String?
    ) {
        self.description = description
        self.sources = sources
        self.job = job
        self.store = store
    }

    /// Runs it, and says what was done.
    ///
    /// - Throws: ``RejectedRecords`` when records were left out; what hinders it otherwise.
    func run(_ given: ImportOptions) throws {
        var options = given
        let interruption = Interruption()
        options.onError = job.onError
        options.onConflict = job.onConflict
        options.onMissingReference = job.onMissingReference
        options.maximumErrors = job.maximumErrors
        options.isCancelled = interruption.isCancelled
        options.willCommit = interruption.finish
        options.keepsOriginals = job.rejects != nil
        var guarding = OutputGuard(
            store: store == nil ? nil : description.url?.path, inputs: sources.map(\.input.name))
        if let report = job.report { try guarding.claim(report) }
        let rejects = try job.rejects.map {
            try RejectsFiles($0, sources: sources, writing: Self.writing(given), guarding: &guarding)
        }
        options.beforeCommit = { try rejects?.synchronize() }
        let report = try job.report.map { try ImportReport(path: $0) }
        let problems = ProblemNotes(isQuiet: job.isQuiet)
        options.onProblem = { problem in
            try report?.append(problem.error)
            guard !problem.isFatal else { return }
            try rejects?.append(problem)
            problems.note(problem.error)
        }
        let bar = ProgressBar(sources.count == 1 ? nil : sources.map(\.input.name), isQuiet: job.isQuiet)
        options.progress = { bar.show($0) }
        let path = description.url?.path ?? ""
        let isNew = store != nil && !FileManager.default.fileExists(atPath: path)
        do {
            let summary = try Stores.withContainer(description) { container in
                try DatasetImporter(container: container, options: options).run(sources)
            }
            bar.end()
            try rejects?.commit()
            try report?.finish(summary, options.isDryRun ? .dryRun : .stored)
            ImportSummaryText(summary, sources: sources, store: store, isDryRun: options.isDryRun, job: job).print(
                rejects)
            if summary.rejected > 0 { throw RejectedRecords() }
            if isNew, options.isDryRun { removeEmptyStore() }
        } catch let error as RejectedRecords {
            if isNew, options.isDryRun { removeEmptyStore() }
            throw error
        } catch {
            bar.end()
            if isNew { removeEmptyStore() }
            // The first error says what matters; what cannot be written beside it is not another one.
            try? rejects?.commit()
            try? report?.finish(nil, .failed)
            if options.commitInterval != nil, error is CancellationError {
                throw Interrupted(message: "interrupted; what was committed is stored, and --resume goes on behind it")
            }
            if options.commitInterval != nil {
                Console.note("what was committed before is stored; mend what is wrong, and go on with --resume")
            }
            throw hinted(error)
        }
    }

    /// What is committed on the way has its rejects on the disk before.
    private static func writing(_ options: ImportOptions) -> RejectsFile.Writing {
        guard options.commitInterval != nil, !options.isDryRun else { return .atomically }
        return options.resumes ? .behind : .gradually
    }

    /// A failed import into a new store leaves none.
    ///
    /// Where another process uses the store already, or has put rows in it, it stays.
    private func removeEmptyStore() {
        // The import's own error is under way; a store that cannot be removed is empty and does no harm.
        try? PersistentContainer.destroyPersistentStore(description, onlyIfEmpty: true)
    }

    /// Says with which option a header that does not match can be made to, or a file that was edited taken.
    private func hinted(_ error: any Error) -> any Error {
        if var error = error as? InterchangeError, error.code == .changed,
            sources.contains(where: { $0.input.name == error.source && $0.expectedDigest != nil })
        {
            error.message += "; --ignore-digests imports files that were edited on purpose"
            return error
        }
        // Without the model there is only no hint; the error itself is told all the same.
        guard var error = error as? InterchangeError, error.code == .columns,
            let source = sources.first(where: { $0.input.name == error.source }),
            let model = try? Stores.model(), let entity = model.entities.first(where: { $0.name == source.entity })
        else { return error }
        let what = source.reading?.format.isTable == true ? "column" : "key"
        error.message += "\n\(entity.name) has \(entity.datasetColumns.joined(separator: ", "));"
        error.message += " rename a \(what) with --map \(what.uppercased())=ATTRIBUTE"
        if source.reading?.ignoresUnknownColumns != true {
            error.message += ", drop unknown ones with --ignore-unknown-columns"
        }
        return error
    }
}
