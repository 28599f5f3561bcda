import StrataCore
public import StrataStoreKit

/// The options for importing datasets into a store.
///
/// By default, an import accepts only valid new records, and stores all of them or none. This example skips invalid
/// records, writes them to a file, and updates records that exist:
///
/// ```swift
/// let rejects = RejectsFile(path: "rejects.csv", source: "colors.csv")
/// var options = ImportOptions(format: .csv)
/// options.onError = .reject
/// options.maximumErrors = 100
/// options.onConflict = .update
/// options.keepsOriginals = true
/// options.onProblem = { problem in
///     if !problem.isFatal { try rejects.append(problem) }
/// }
/// options.beforeCommit = { _ in try rejects.commit() }
/// let importer = try DatasetImporter(entity: "Color", container: container, options: options)
/// let summary = try importer.run(ByteInput(path: "colors.csv"))
/// ```
///
/// The closures are called in this order: ``onProblem`` and ``progress`` while records are stored, then ``willCommit``
/// and ``beforeCommit``. If the import fails, ``onFailure`` is called, and then ``onProblem`` for the record that
/// caused the failure.
///
/// ## Topics
///
/// ### Creating options
///
/// - ``init(format:)``
/// - ``reading``
///
/// ### Invalid records
///
/// - ``onError``
/// - ``ErrorAction``
/// - ``maximumErrors``
/// - ``onProblem``
/// - ``keepsOriginals``
///
/// ### Existing records and references
///
/// - ``onConflict``
/// - ``onMissingReference``
///
/// ### Commits
///
/// - ``isDryRun``
/// - ``commitInterval``
/// - ``resumes``
/// - ``willCommit``
/// - ``beforeCommit``
/// - ``onFailure``
///
/// ### Progress and cancellation
///
/// - ``progress``
/// - ``isCancelled``
public struct ImportOptions {
    /// The action for a record that violates a rule of the model or of its format.
    ///
    /// An error of the file itself, such as an unknown column, always aborts the import. So does an error after which
    /// the next record cannot be found.
    public enum ErrorAction: String, Sendable, Hashable, CaseIterable {
        /// The import is aborted, and nothing is stored.
        ///
        /// Records that an earlier commit stored remain; see ``ImportOptions/commitInterval``.
        case stop
        /// The record is skipped and reported to ``ImportOptions/onProblem``; the other records are stored.
        ///
        /// A record that references a skipped record has a dangling reference; ``ImportOptions/onMissingReference``
        /// determines what happens to it. With the default action, it is skipped too.
        case reject
    }

    /// The options for reading datasets that have no reading options of their own.
    public var reading: ReadingOptions
    /// The action for records that violate rules.
    public var onError = ErrorAction.stop
    /// The maximum count of rejected records; `nil` for no limit.
    ///
    /// If there are more, the import is aborted and nothing is stored.
    ///
    /// The error has the code ``InterchangeError/Code/tooManyErrors``. If an import is resumed, records that were
    /// rejected before count too. With 0, the first rejected record aborts the import. The property has no effect if no
    /// records are rejected.
    public var maximumErrors: Int?
    /// The action for a record whose identifier or unique value exists in the store.
    ///
    /// | action | effect on a record that exists |
    /// |---|---|
    /// | `.abort` | the record is invalid, and ``onError`` determines the action |
    /// | `.ignore` | the record is skipped and counted, and the stored row is unchanged |
    /// | `.replace` | the stored row gets all values of the record; other columns get the default or null |
    /// | `.update` | the stored row gets the values of the record, and keeps its other values |
    ///
    /// With `.update`, a file may lack mandatory columns, because its records may exist. A stored row keeps its
    /// identifier.
    public var onConflict = InsertOptions.ConflictAction.abort
    /// The action for a dangling reference: the referenced object is neither in the store nor in the import.
    ///
    /// If it is `.error`, the record with the reference is invalid, and ``onError`` determines the action.
    ///
    /// If it is `.null`, the reference becomes null, and a dangling join row or list element is dropped; a mandatory
    /// reference is an error. If it is `.reject`, the record is skipped, even if ``onError`` is `.stop`, and so are the
    /// records that reference it.
    public var onMissingReference = InsertOptions.MissingReferenceAction.error
    /// A Boolean value that indicates whether the import only checks the records and stores nothing.
    ///
    /// All rows are written in a transaction that is rolled back, so all rules of the store are checked. The summary
    /// has the counts of the import. ``commitInterval``, ``willCommit`` and ``beforeCommit`` have no effect.
    public var isDryRun = false
    /// The count of records after which the import commits; `nil` to store all records at the end or none.
    ///
    /// If a commit interval is set, which must be at least 1, no reference may be dangling at a commit.
    ///
    /// Use it for very large files whose import must not begin again after an interruption. Each commit also stores the
    /// count of processed records under a key with the entity and the file name. The records are counted separately for
    /// each dataset, and the end of a dataset needs no commit of its own.
    public var commitInterval: Int?
    /// A Boolean value that indicates whether an interrupted import of the same files is resumed.
    ///
    /// An import can be resumed only if it has a ``commitInterval``.
    ///
    /// An earlier import is found by the entity and the name of the file without its folder. The last committed record
    /// of an interrupted import must be unchanged, and so must all settings that affect values; otherwise the import
    /// throws ``InterchangeError/Code/changed``. If there is no earlier import, the import begins with the first
    /// record. A complete import of the same file is not repeated. Without a commit interval, the property has no
    /// effect.
    public var resumes = false
    /// A closure that is called for every record that is skipped, on the calling thread.
    ///
    /// The calls are in the order of the records in their file, except for records with references that are checked at
    /// the end. If the closure throws an error, the import is aborted. The closure is also called once for a record
    /// that aborts the import.
    ///
    /// The problem of a record that aborts the import has ``ImportProblem/isFatal``.
    public var onProblem: (ImportProblem) throws -> Void = { _ in }
    /// A Boolean value that indicates whether ``ImportProblem/original`` is provided, which costs the time of a copy.
    ///
    /// Set it if ``onProblem`` writes a ``RejectsFile``. It reduces the maximum size of a record in its file from 340
    /// MiB to 255 MiB.
    public var keepsOriginals = false
    /// A closure that is called with the progress of the import after every block of records.
    ///
    /// The calls are on the calling thread. The counts are those of the current dataset, not of all.
    public var progress: @Sendable (ImportProgress) -> Void = { _ in }
    /// A closure that returns `true` to cancel the import.
    ///
    /// It is called before every block of records, while the reader waits for input, and after the last record. If it
    /// returns `true`, the import throws `CancellationError` and nothing is stored.
    ///
    /// It is called on the calling thread and on the thread that reads, possibly at the same time. It must return
    /// quickly.
    public var isCancelled: @Sendable () -> Bool = { false }
    /// A closure that is called before every commit, on the calling thread, with the summary after the commit.
    ///
    /// All problems of records before the commit were reported to ``onProblem``; save them in this closure. For the
    /// last commit, ``ImportSummary/isWhole`` of the summary is `true`. If the closure throws an error, the import is
    /// aborted, and only earlier commits are stored.
    ///
    /// A dry run does not call it. Changes of the closure outside the store are not rolled back if the commit itself
    /// fails; ``onFailure`` is then called.
    public var beforeCommit: (_ summary: ImportSummary) throws -> Void = { _ in }
    /// A closure that is called once with the summary of a failed import.
    ///
    /// The summary counts all records that were read and rejected, but only those stored records that were committed.
    ///
    /// It is called before the import throws its error. It is not called if the import fails before the first dataset
    /// is opened, for example because of an unknown entity.
    public var onFailure: (_ summary: ImportSummary) -> Void = { _ in }
    /// A closure that is called once after the last record was stored and before the transaction is committed.
    ///
    /// If it throws an error, the import is aborted and nothing is stored.
    ///
    /// Use it as the last point at which the import can be canceled, for example to ignore signals from then on. It is
    /// called before ``beforeCommit`` of the last commit, on the calling thread. A dry run does not call it.
    public var willCommit: @Sendable () throws -> Void = {}

    /// Creates options for a format.
    ///
    /// All other options have their default values: the first invalid record aborts the import.
    ///
    /// - Parameter format: The format of datasets that have no reading options of their own.
    public init(format: DatasetFormat) {
        reading = ReadingOptions(format: format)
    }
}
