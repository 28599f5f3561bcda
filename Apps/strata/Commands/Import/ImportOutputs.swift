import StrataInterchange
import StrataPersistence

/// The files of rejected records and the report file of one import, which are complete before the records are
/// committed.
final class ImportOutputs {
    let rejects: RejectsFiles?
    private let report: ImportReport?
    private let isDryRun: Bool
    /// The summary of the import up to its failure; `nil` if it has not failed.
    private var failed: ImportSummary?

    init(_ job: JobArguments, sources: [ImportSource], options: ImportOptions, store: String?) throws {
        isDryRun = options.isDryRun
        var guarding = OutputGuard(store: store, inputs: sources.map(\.input.name))
        if let report = job.report { try guarding.claim(report) }
        rejects = try job.rejects.map {
            try RejectsFiles($0, sources: sources, writing: Self.writing(options), guarding: &guarding)
        }
        report = try job.report.map { try ImportReport(path: $0) }
    }

    /// Returns how the file of rejected records is written: if the import commits several times, the rejected records
    /// are on the disk before each commit.
    private static func writing(_ options: ImportOptions) -> RejectsFile.Writing {
        guard options.commitInterval != nil, !options.isDryRun else { return .atomically }
        return options.resumes ? .behind : .gradually
    }

    /// Configures the import to report rejects to the files and the user, and to write the files before each commit.
    func attach(to options: inout ImportOptions, _ problems: ProblemNotes) {
        options.keepsOriginals = rejects != nil
        options.onProblem = { [rejects, report] problem in
            try report?.append(problem.error)
            guard !problem.isFatal else { return }
            try rejects?.append(problem)
            problems.note(problem.error)
        }
        options.beforeCommit = { [rejects, report] summary in
            guard summary.isWhole else { return try rejects?.synchronize() ?? () }
            try rejects?.commit()
            try report?.prepare(summary)
        }
        options.onFailure = { [self] in failed = $0 }
    }

    /// Finishes the files of a complete import that are not in place yet.
    func finish(_ summary: ImportSummary) throws {
        if isDryRun { try rejects?.commit() }
        try report?.finish(summary, isDryRun ? .dryRun : .stored)
    }

    /// Finishes the files of a failed import.
    func fail() {
        // The import's error takes precedence over an error of writing these files.
        try? rejects?.commit()
        try? report?.finish(failed, .failed)
    }
}
