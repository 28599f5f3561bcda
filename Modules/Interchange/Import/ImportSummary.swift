public import StrataCore
public import StrataStoreKit

/// The results of an import.
public struct ImportSummary: Sendable, Hashable {
    /// The cells of a column that an export writes differently than in the file, because of the column's type.
    public struct ChangedCells: Sendable, Hashable, Encodable {
        /// The name of the column in the file.
        public var column: String
        /// The number of changed cells, including those of skipped records.
        public var count: Int
        /// The line of the first changed cell, from 1.
        public var line: Int
        /// The text of the first changed cell.
        public var text: String
        /// The text that an export writes for the first changed cell; `nil` if the cell is null.
        public var written: String?
    }

    /// The results of one dataset.
    public struct File: Sendable, Hashable {
        /// The name of the dataset's input.
        public var name: String
        /// The name of the entity or join table whose rows the dataset contains.
        public var entity: String
        /// The count of records of the dataset that were read.
        public var read = 0
        /// The count of bytes of the dataset that were read.
        public var bytes = 0
        /// The count of records that were skipped because an earlier import had stored them.
        public var resumed = 0
        /// The counts of inserted, updated and ignored rows in the store.
        public var counts = InsertCounts()
        /// The count of records of the dataset that were rejected.
        public var rejected = 0
        /// The count of records that were rejected by the earlier import that this one resumes.
        public var rejectedBefore = 0
        /// The columns of the file that were ignored, in the order of occurrence; at most 4,096 keys of a JSON
        /// document.
        public var ignoredColumns: [String] = []
        /// The properties of the file that were detected, such as its delimiter.
        public var recognized: [String] = []
        /// The syntax errors in the file that were accepted, with their counts.
        public var repairs: [String] = []
        /// The count of dates that were rounded, because a `Date` does not hold all their digits.
        ///
        /// It is 0 unless ``ReadingOptions/roundsDates`` is set. Dates are counted when they are read, including those
        /// of records that are rejected later.
        public var roundedDates = 0
        /// The cells that an export writes differently; only cells of CSV and TSV files in columns with the default
        /// spelling.
        public var changedCells: [ChangedCells] = []
    }

    /// The results of the datasets, in the order of their sources.
    public var files: [File] = []
    /// A Boolean value that indicates whether all datasets were read to their ends.
    public var isWhole = false

    /// The number of rows in all datasets that were inserted or updated.
    public var count: Int { files.reduce(0) { $0 + $1.counts.inserted + $1.counts.updated } }
    /// The count of records in all datasets that were read.
    public var read: Int { files.reduce(0) { $0 + $1.read } }
    /// The count of records in all datasets that were rejected.
    public var rejected: Int { files.reduce(0) { $0 + $1.rejected } }
    /// The count of records in all datasets that were rejected by earlier imports that this one resumes.
    public var rejectedBefore: Int { files.reduce(0) { $0 + $1.rejectedBefore } }
    /// The columns in all datasets that were ignored.
    public var ignoredColumns: [String] { files.flatMap(\.ignoredColumns) }

    init() {}
}
