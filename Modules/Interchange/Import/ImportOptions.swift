public import StrataCore

/// The options for importing datasets into a store.
public struct ImportOptions {
    /// The actions for a record that violates a rule.
    public enum ErrorAction: String, Sendable, Hashable, CaseIterable {
        /// The import is aborted, and nothing is stored.
        case stop
        /// The record is skipped and reported to ``ImportOptions/onProblem``; the other records are stored.
        case reject
    }

    /// The reading options for datasets without their own options.
    public var reading: ReadingOptions
    /// The action for records that violate rules.
    public var onError = ErrorAction.stop
    /// The maximum count of rejected records; `nil` for no limit.
    ///
    /// If there are more, the import is aborted and nothing is stored.
    public var maximumErrors: Int?
    /// The action for a record whose identifier or unique value exists in the store.
    public var onConflict = InsertOptions.ConflictAction.abort
    /// The action for a dangling reference, whose object is neither in the store nor in the import.
    ///
    /// With `.error`, the record is invalid, see ``onError``.
    public var onMissingReference = InsertOptions.MissingReferenceAction.error
    /// A Boolean value that indicates whether the import does everything except storing.
    public var isDryRun = false
    /// The count of records after which the import commits; `nil` to store all records at the end or none.
    ///
    /// References must not be dangling at each commit. At least 1.
    public var commitInterval: Int?
    /// A Boolean value that indicates whether an interrupted import of the same files is resumed.
    ///
    /// Only imports with a ``commitInterval`` can be resumed.
    public var resumes = false
    /// A closure that is called for every record that is skipped, on the calling thread.
    ///
    /// The calls are in the order of the records in their file, except for references that are checked at the end. If
    /// the closure throws, the import is aborted. The closure is also called once for the record that aborts the
    /// import.
    public var onProblem: (ImportProblem) throws -> Void = { _ in }
    /// A Boolean value that indicates whether ``ImportProblem/original`` is provided, which costs the time of a copy.
    public var keepsOriginals = false
    /// A closure that is called with the progress of the import after every block of records.
    public var progress: @Sendable (ImportProgress) -> Void = { _ in }
    /// A closure that returns `true` to cancel the import.
    ///
    /// It is called before every block of records, while the reader waits for input, and after the last record. If it
    /// returns `true`, the import throws `CancellationError` and nothing is stored.
    public var isCancelled: @Sendable () -> Bool = { false }
    /// A closure that is called before every commit, on the calling thread, with the summary after the commit.
    ///
    /// All problems up to the commit were reported to ``onProblem`` before; save them in this closure. For the last
    /// commit, the summary has ``ImportSummary/isWhole`` set. If the closure throws, the import is aborted, and only
    /// earlier commits are stored.
    public var beforeCommit: (_ summary: ImportSummary) throws -> Void = { _ in }
    /// A closure that is called once with the summary of a failed import.
    ///
    /// The summary counts the records that were read and skipped, and of stored records only the committed ones.
    public var onFailure: (_ summary: ImportSummary) -> Void = { _ in }
    /// A closure that is called once after the last record and before the transaction ends.
    ///
    /// If it throws, the import is aborted and nothing is stored.
    public var willCommit: @Sendable () throws -> Void = {}

    /// Creates options for a format.
    public init(format: DatasetFormat) {
        reading = ReadingOptions(format: format)
    }
}
