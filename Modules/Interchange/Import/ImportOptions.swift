public import StrataPersistence

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
    /// Called before every commit, also the last, on the calling thread: what ``onProblem`` was told of has to be kept by then.
    ///
    /// What it throws ends the import.
    public var beforeCommit: () throws -> Void = {}
    /// Called once after the last record, before the transaction ends; what it throws ends the import, and nothing is stored.
    public var willCommit: @Sendable () throws -> Void = {}

    /// Options for a format.
    public init(format: DatasetFormat) {
        reading = ReadingOptions(format: format)
    }
}

/// A dataset to be imported.
public struct ImportSource {
    /// The entity whose records it holds.
    public var entity: String
    /// Where its bytes come from.
    public var input: ByteInput
    /// How it is read; `nil` is as the import's options say.
    public var reading: ReadingOptions?
    /// How many records it must have, as a manifest says; `nil` where nobody knows.
    ///
    /// Another number is an error: the file was cut off or replaced.
    public var expectedRecords: Int?

    /// A dataset.
    public init(entity: String, input: ByteInput, reading: ReadingOptions? = nil) {
        self.entity = entity
        self.input = input
        self.reading = reading
    }
}

/// A record that was not stored, and why.
public struct ImportProblem: Sendable {
    /// The error, with file, line, record and column.
    public var error: InterchangeError
    /// The number of the dataset, from 0.
    public var source: Int
    /// The record's bytes as they stand in the file, without the line break; empty unless they are kept.
    public var original: [UInt8]
    /// The line that names the columns as it stands in the file; empty where there is none.
    public var header: [UInt8] = []
    /// Whether the record was not left out but ends the import.
    public var isFatal = false
}

/// How far an import has come.
public struct ImportProgress: Sendable, Hashable {
    /// The number of the dataset, from 0.
    public var source: Int
    /// Records of it that were read.
    public var records: Int
    /// Bytes of it that were read.
    public var bytes: Int
    /// All its bytes, where they are known.
    public var totalBytes: Int?
}

/// What an import did.
public struct ImportSummary: Sendable, Hashable {
    /// What became of one dataset's records.
    public struct File: Sendable, Hashable {
        /// The dataset's name.
        public var name: String
        /// The entity.
        public var entity: String
        /// Records read.
        public var read = 0
        /// Bytes read.
        public var bytes = 0
        /// Records that were skipped because an earlier import had stored them.
        public var resumed = 0
        /// What became of the records in the store.
        public var counts = InsertCounts()
        /// Records that were left out.
        public var rejected = 0
        /// The columns that were dropped, in the order in which they were met; of a JSON document's keys at most 4,096.
        public var ignoredColumns: [String] = []
        /// What was found out about the file by itself, such as its delimiter.
        public var recognized: [String] = []
        /// What was accepted though it breaks the format's rules, and how often.
        public var mended: [String] = []
    }

    /// The datasets, in the order in which they were read.
    public var files: [File] = []

    /// The number of rows stored, new and changed.
    public var count: Int { files.reduce(0) { $0 + $1.counts.inserted + $1.counts.updated } }
    /// Records read.
    public var read: Int { files.reduce(0) { $0 + $1.read } }
    /// Records that were left out.
    public var rejected: Int { files.reduce(0) { $0 + $1.rejected } }
    /// The columns that were dropped.
    public var ignoredColumns: [String] { files.flatMap(\.ignoredColumns) }

    init() {}
}
