import Foundation
import StrataInterchange
import StrataPersistence
import StrataStoreKit

/// One import or validation of the command-line tool: store, files for rejects and report, progress and summary.
struct ImportJob {
    private let description: PersistentStoreDescription
    private let model: ManagedObjectModel
    private let sources: [ImportSource]
    private let job: JobArguments
    /// The name of the store as it was given, or `nil` if there is none.
    private let store: String?

    init(
        _ description: PersistentStoreDescription, _ opened: Models.Opened, sources: [ImportSource],
        job: JobArguments,
        store: String?
    ) {
        self.description = description
        model = opened.model
        self.sources = sources
        self.job = job
        self.store = store
    }

    /// Runs the import and prints the result.
    ///
    /// - Throws: ``RejectedRecords`` if records were rejected, and the error that ends the import otherwise.
    func run(_ given: ImportOptions) throws {
        var options = given
        let interruption = Interruption()
        options.onError = job.onError
        options.onConflict = job.onConflict
        options.onMissingReference = job.onMissingReference
        options.maximumErrors = job.maximumErrors
        options.isCancelled = interruption.isCancelled
        options.willCommit = interruption.finish
        let path = store == nil ? nil : description.url?.path
        let outputs = try ImportOutputs(job, sources: sources, options: options, store: path)
        outputs.attach(to: &options, ProblemNotes(isQuiet: job.isQuiet))
        let bar = ProgressBar(sources.count == 1 ? nil : sources.map(\.input.name), isQuiet: job.isQuiet)
        options.progress = { bar.show($0) }
        let isNew = try store != nil && !Stores.exists(description)
        var done: ImportSummary?
        do {
            try withTarget(isTriedOut: options.isDryRun && store != nil && !isNew) { target in
                done = try DatasetImporter(container: target, options: options).run(sources)
            }
        } catch {
            bar.end()
            if let done { return try conclude(done, outputs, isDryRun: options.isDryRun, error: error) }
            if isNew { removeEmptyStore() }
            outputs.fail()
            throw explained(error, options, isNew: isNew)
        }
        bar.end()
        if isNew, options.isDryRun { removeEmptyStore() }
        if isNew, !options.isDryRun, !job.isQuiet { noteColumnsOfRowNumbers() }
        if let done { try conclude(done, outputs, isDryRun: options.isDryRun) }
    }

    /// Prints a note about columns that have the same name as the column of row numbers, if the import creates the
    /// store.
    private func noteColumnsOfRowNumbers() {
        for entity in model.entities where entity.external.idColumn == nil {
            guard model.externalColumns(of: entity).contains(where: { $0.name == FileName.rowNumber }) else { continue }
            Console.note(
                "\(entity.name) has a column _row: write it as `_row`, in backticks; _row is the number of the row")
        }
    }

    private func withTarget(isTriedOut: Bool, _ body: (any BulkWriting) throws -> Void) throws {
        if isTriedOut {
            try DryRunStore.run(description, model, body)
        } else {
            try Stores.withContainer(description, model, body)
        }
    }

    /// Prints which records are stored, and throws the error that ended the import, if there is one.
    private func conclude(
        _ summary: ImportSummary, _ outputs: ImportOutputs, isDryRun: Bool, error: (any Error)? = nil
    ) throws {
        var late = error
        do {
            try outputs.finish(summary)
        } catch {
            late = late ?? error
        }
        ImportSummaryText(summary, sources: sources, store: store, isDryRun: isDryRun, job: job)
            .print(outputs.rejects, isNeeded: late != nil)
        if let late { throw late }
        if summary.rejected + summary.rejectedBefore > 0 { throw RejectedRecords() }
    }

    /// Returns an error to which a note is added: which records are already stored, and how to resume the import.
    private func explained(_ error: any Error, _ options: ImportOptions, isNew: Bool) -> any Error {
        guard options.commitInterval != nil else { return hinted(error, isNew: isNew) }
        if error is CancellationError {
            return Interrupted(message: "interrupted; committed records are stored, and --resume continues after them")
        }
        Console.note("committed records are stored; correct the input, and continue with --resume")
        return hinted(error, isNew: isNew)
    }

    /// Removes the new store after a failed import.
    ///
    /// A store that another process uses already, or that contains rows, is not removed.
    private func removeEmptyStore() {
        // The import's own error takes precedence; a store that cannot be removed is empty and causes no harm.
        try? PersistentContainer.destroyPersistentStore(description, onlyIfEmpty: true)
    }

    /// Returns an error to which a hint is added: the option that resolves a header mismatch, or that accepts the file
    /// or record.
    private func hinted(_ error: any Error, isNew: Bool) -> any Error {
        if var error = error as? InterchangeError, error.code == .notAsListed {
            error.message += "; use --ignore-digests to import files that were edited on purpose"
            return error
        }
        if var error = error as? InterchangeError, error.code == .conflict, job.onConflict == .abort {
            error.message += "; use --on-conflict ignore, update or replace to import such records"
            return error
        }
        if var error = error as? InterchangeError, error.code == .invalidValue, let store, !isNew,
            // Foundation's contains(_:) would bring ICU into the tool.
            error.message.firstRange(of: "is mandatory") != nil, let column = error.column
        {
            let source = sources.first { $0.input.name == error.source }
            let entity = source.flatMap { model[$0.entity] }
            let attribute = source?.reading?.mapping[column] ?? column
            let name = entity.map { $0.external.name ?? $0.name } ?? ""
            error.message +=
                "; to allow null: --infer, or strata migrate --store \(ShellWord.quoted(store)) "
                + "--allow-null \(ShellWord.quoted("\(name).\(attribute)"))"
            return error
        }
        // The hint about names does not apply to errors about the spelling of values.
        guard var error = error as? InterchangeError, !error.nameFaults.isEmpty,
            let source = sources.first(where: { $0.input.name == error.source }),
            let entity = model.entities.first(where: { $0.name == source.entity })
        else { return error }
        let what = source.reading?.format.isTable == true ? "column" : "key"
        let columns = model.datasetColumns(of: entity).joined(separator: ", ")
        error.message += "\n\(entity.name) has \(columns.isEmpty ? "no columns" : columns);"
        error.message += " rename a \(what) with --map \(what.uppercased())=ATTRIBUTE"
        if error.nameFaults.contains(.repeated) {
            error.message += ", leave one out with --map \(what.uppercased())=-"
        }
        if error.nameFaults.contains(.unknown) {
            error.message += ", drop unknown ones with --ignore-unknown-columns"
            if store != nil, !isNew { error.message += ", add them with --infer" }
        }
        return error
    }
}
