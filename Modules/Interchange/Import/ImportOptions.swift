public import StrataCore
public import StrataStoreKit

/// The options for importing datasets into a store.
public struct ImportOptions {
    /// The action for a record that violates a rule of the model or of its format.
    public enum ErrorAction: String, Sendable, Hashable, CaseIterable {
        /// The import is aborted, and nothing is stored.
        case stop
        /// The record is skipped and reported to ``ImportOptions/onProblem``; the other records are stored.
        case reject
    }

    /// The options for reading datasets that have no reading options of their own.
    public var reading: ReadingOptions
    /// The action for records that violate rules.
    public var onError = ErrorAction.stop
    /// The maximum count of rejected records; `nil` for no limit.
    ///
    /// If there are more, the import is aborted and nothing is stored.
    public var maximumErrors: Int?
    /// The action for a record whose identifier or unique value exists in the store.
    public var onConflict = InsertOptions.ConflictAction.abort
    /// The action for a dangling reference: the referenced object is neither in the store nor in the import.
    ///
    /// If it is `.error`, the record with the reference is invalid, and ``onError`` determines the action.
    public var onMissingReference = InsertOptions.MissingReferenceAction.error
    /// A Boolean value that indicates whether the import only checks the records and stores nothing.
    public var isDryRun = false
    /// The count of records after which the import commits; `nil` to store all records at the end or none.
    ///
    /// If a commit interval is set, which must be at least 1, no reference may be dangling at a commit.
    public var commitInterval: Int?
    /// A Boolean value that indicates whether an interrupted import of the same files is resumed.
    ///
    /// An import can be resumed only if it has a ``commitInterval``.
    public var resumes = false
    /// A closure that is called for every record that is skipped, on the calling thread.
    ///
    /// The calls are in the order of the records in their file, except for records with references that are checked at
    /// the end. If the closure throws an error, the import is aborted. The closure is also called once for a record
    /// that aborts the import.
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
    /// All problems of records before the commit were reported to ``onProblem``; save them in this closure. For the
    /// last commit, ``ImportSummary/isWhole`` of the summary is `true`. If the closure throws an error, the import is
    /// aborted, and only earlier commits are stored.
    public var beforeCommit: (_ summary: ImportSummary) throws -> Void = { _ in }
    /// A closure that is called once with the summary of a failed import.
    ///
    /// The summary counts all records that were read and rejected, but only those stored records that were committed.
    public var onFailure: (_ summary: ImportSummary) -> Void = { _ in }
    /// A closure that is called once after the last record was stored and before the transaction is committed.
    ///
    /// If it throws an error, the import is aborted and nothing is stored.
    public var willCommit: @Sendable () throws -> Void = {}

    /// Creates options for a format.
    public init(format: DatasetFormat) {
        reading = ReadingOptions(format: format)
    }
}
