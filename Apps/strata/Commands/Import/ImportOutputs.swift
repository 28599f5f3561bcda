import StrataInterchange
import StrataPersistence

/// The files for rejects and the report of one import: in their places before the records are stored, or nothing is.
final class ImportOutputs {
    let rejects: RejectsFiles?
    private let report: ImportReport?
    private let isDryRun: Bool
    /// How far an import came that failed.
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

    /// What is committed on the way has its rejects on the disk before.
    private static func writing(_ options: ImportOptions) -> RejectsFile.Writing {
        guard options.commitInterval != nil, !options.isDryRun else { return .atomically }
        return options.resumes ? .behind : .gradually
    }

    /// Has the import tell them, and a person, of what it leaves out, and wait for them before it commits.
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

    /// Puts the files of an import that did everything in their places, as far as they are not.
    func finish(_ summary: ImportSummary) throws {
        if isDryRun { try rejects?.commit() }
        try report?.finish(summary, isDryRun ? .dryRun : .stored)
    }

    /// The same of an import that failed.
    func fail() {
        // The first error says what matters; what cannot be written beside it is not another one.
        try? rejects?.commit()
        try? report?.finish(failed, .failed)
    }
}
