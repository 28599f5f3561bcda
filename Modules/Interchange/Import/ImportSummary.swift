public import StrataCore

/// What an import did.
public struct ImportSummary: Sendable, Hashable {
    /// The cells of a column that an export writes otherwise than they stood in the file, because of the column's type.
    public struct ChangedCells: Sendable, Hashable, Encodable {
        /// The column, as the file calls it.
        public var column: String
        /// The number of such cells, also of records that were left out.
        public var count: Int
        /// The line of the first, from 1.
        public var line: Int
        /// The text of the first.
        public var text: String
        /// The text that is written for it; `nil` if it is null.
        public var written: String?
    }

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
        /// Records that were left out by the import that this one goes on with.
        public var rejectedBefore = 0
        /// The columns that were dropped, in the order in which they were met; of a JSON document's keys at most 4,096.
        public var ignoredColumns: [String] = []
        /// What was found out about the file by itself, such as its delimiter.
        public var recognized: [String] = []
        /// What was accepted though it breaks the format's rules, and how often.
        public var mended: [String] = []
        /// Dates that were rounded, because a `Date` does not hold all their digits; 0 unless ``ReadingOptions/roundsDates`` allows it.
        ///
        /// Counted where they are read, also of records that are left out afterwards.
        public var roundedDates = 0
        /// The cells that are written otherwise than they were read; of tables, in columns that are spelled as usual.
        public var changedCells: [ChangedCells] = []
    }

    /// The datasets, in the order in which they were read.
    public var files: [File] = []
    /// Whether all datasets were read to their ends.
    public var isWhole = false

    /// The number of rows stored, new and changed.
    public var count: Int { files.reduce(0) { $0 + $1.counts.inserted + $1.counts.updated } }
    /// Records read.
    public var read: Int { files.reduce(0) { $0 + $1.read } }
    /// Records that were left out.
    public var rejected: Int { files.reduce(0) { $0 + $1.rejected } }
    /// Records that were left out by imports that this one goes on with.
    public var rejectedBefore: Int { files.reduce(0) { $0 + $1.rejectedBefore } }
    /// The columns that were dropped.
    public var ignoredColumns: [String] { files.flatMap(\.ignoredColumns) }

    init() {}
}
