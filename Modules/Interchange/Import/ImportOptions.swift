public import StrataCore

/// How datasets are brought into a store.
public struct ImportOptions {
    /// What happens to a record that breaks a rule.
    public enum ErrorAction: String, Sendable, Hashable, CaseIterable {
        /// It ends the import, and nothing is stored.
        case stop
        /// It is left out and told to ``ImportOptions/onProblem``; the others are stored.
        case reject
    }

    /// How a dataset is read that does not say otherwise.
    public var reading: ReadingOptions
    /// What happens to records that break rules.
    public var onError = ErrorAction.stop
    /// More rejected records than this end the import, and nothing is stored; `nil` is no bound.
    public var maximumErrors: Int?
    /// What happens to a record whose identifier or unique value the store has.
    public var onConflict = InsertOptions.ConflictAction.abort
    /// What happens to a reference to what neither the store nor the import has; an error makes its record a bad one, see ``onError``.
    public var onMissingReference = InsertOptions.MissingReferenceAction.error
    /// Whether everything is done but storing.
    public var isDryRun = false
    /// After so many records what is there is stored for good; `nil` stores all of them at the end or none.
    ///
    /// References then have to lead somewhere each time. At least 1.
    public var commitInterval: Int?
    /// Whether an import of the same files with a ``commitInterval`` that was broken off goes on where it was.
    public var resumes = false
    /// Told of every record that is left out, on the calling thread, in the order of its file but for references, which are checked at the end.
    ///
    /// What it throws ends the import. Also told, once, of the record that ends the import.
    public var onProblem: (ImportProblem) throws -> Void = { _ in }
    /// Whether ``ImportProblem/original`` is wanted, which costs the time of a copy.
    public var keepsOriginals = false
    /// Told how far the import has come, after every block of records.
    public var progress: @Sendable (ImportProgress) -> Void = { _ in }
    /// Asked before every block of records, while the input is waited for, and after the last record; true ends the import with
    /// `CancellationError`, and nothing is stored.
    public var isCancelled: @Sendable () -> Bool = { false }
    /// Called before every commit, on the calling thread, with what was done once it is through.
    ///
    /// What ``onProblem`` was told of has to be kept by then, and all of it was told by then. Of the last commit the summary says
    /// ``ImportSummary/isWhole``.
    ///
    /// What it throws ends the import, and nothing is stored that was not before.
    public var beforeCommit: (_ summary: ImportSummary) throws -> Void = { _ in }
    /// Told, once, how far an import came that fails: what was read and left out, and of what was stored what was committed before.
    public var onFailure: (_ summary: ImportSummary) -> Void = { _ in }
    /// Called once after the last record, before the transaction ends; what it throws ends the import, and nothing is stored.
    public var willCommit: @Sendable () throws -> Void = {}

    /// Options for a format.
    public init(format: DatasetFormat) {
        reading = ReadingOptions(format: format)
    }
}
