import StrataCore
public import StrataStoreKit

/// The results of an import.
///
/// ```swift
/// let summary = try importer.run(sources)
/// for file in summary.files {
///     print(file.name, file.counts.inserted, file.counts.updated, file.rejected)
///     for repair in file.repairs { print("  \(repair)") }
/// }
/// ```
///
/// A summary also describes an import that is not complete: ``ImportOptions/beforeCommit`` and
/// ``ImportOptions/onFailure`` receive one.
///
/// ## Topics
///
/// ### All datasets
///
/// - ``count``
/// - ``read``
/// - ``rejected``
/// - ``rejectedBefore``
/// - ``ignoredColumns``
/// - ``isWhole``
///
/// ### Each dataset
///
/// - ``files``
/// - ``File``
/// - ``ChangedCells``
public struct ImportSummary: Sendable, Hashable {
    /// The cells of a column that an export writes differently than in the file, because of the column's type.
    ///
    /// For example, `01.50` in a decimal column with two digits is written as `1.50`. The value is the same; only its
    /// text changes. Show these counts to a user who expects an export to equal the imported file.
    public struct ChangedCells: Sendable, Hashable, Encodable {
        /// The name of the column in the file.
        public var column: String
        /// The number of changed cells, including those of skipped records.
        public var count: Int
        /// The line of the first changed cell, from 1.
        public var line: Int
        /// The text of the first changed cell.
        ///
        /// It has at most 40 characters of the cell.
        public var text: String
        /// The text that an export writes for the first changed cell; `nil` if the cell is null.
        public var written: String?
    }

    /// The results of one dataset.
    ///
    /// Each record that was read is inserted, updated, ignored or rejected; a join row may also be dropped.
    ///
    /// ## Topics
    ///
    /// ### Identity
    ///
    /// - ``name``
    /// - ``entity``
    ///
    /// ### Counts
    ///
    /// - ``read``
    /// - ``bytes``
    /// - ``counts``
    /// - ``rejected``
    /// - ``roundedDates``
    ///
    /// ### Resumed imports
    ///
    /// - ``resumed``
    /// - ``rejectedBefore``
    ///
    /// ### Information about the file
    ///
    /// - ``recognized``
    /// - ``ignoredColumns``
    /// - ``repairs``
    /// - ``changedCells``
    public struct File: Sendable, Hashable {
        /// The name of the dataset's input.
        public var name: String
        /// The name of the entity or join table whose rows the dataset contains.
        public var entity: String
        /// The count of records of the dataset that were read.
        ///
        /// It includes rejected records, but not the records in ``resumed``.
        public var read = 0
        /// The count of bytes of the dataset that were read.
        public var bytes = 0
        /// The count of records that were skipped because an earlier import had stored them.
        public var resumed = 0
        /// The counts of inserted, updated and ignored rows in the store.
        ///
        /// The counts are those of committed transactions. In the summary for ``ImportOptions/beforeCommit``, they
        /// include the rows that are about to be committed.
        public var counts = InsertCounts()
        /// The count of records of the dataset that were rejected.
        ///
        /// It includes records that are rejected at the end because of a reference.
        public var rejected = 0
        /// The count of records that were rejected by the earlier import that this one resumes.
        public var rejectedBefore = 0
        /// The columns of the file that were ignored, in the order of occurrence; at most 4,096 keys of a JSON
        /// document.
        public var ignoredColumns: [String] = []
        /// The properties of the file that were detected, such as its delimiter.
        ///
        /// Each entry is a phrase, such as `fields separated by semicolons` or `UTF-16`. Properties that the options
        /// set are not listed.
        public var recognized: [String] = []
        /// The syntax errors in the file that were accepted, with their counts.
        ///
        /// The list is empty unless ``CSVDialect/isLenient`` is set; see ``CSVReader/repairs``. It also has notes about
        /// columns without a unique name.
        public var repairs: [String] = []
        /// Notes about a sheet of a workbook, such as `3 hidden rows`; empty for other files.
        package var notes: [String] = []
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
    ///
    /// It is `false` in the summary of every commit except for the last one, and usually in the summary of a failed
    /// import.
    public var isWhole = false

    /// The number of rows in all datasets that were inserted or updated.
    ///
    /// Rows that exist already and are skipped do not count.
    public var count: Int { files.reduce(0) { $0 + $1.counts.inserted + $1.counts.updated } }
    /// The count of records in all datasets that were read.
    public var read: Int { files.reduce(0) { $0 + $1.read } }
    /// The count of records in all datasets that were rejected.
    public var rejected: Int { files.reduce(0) { $0 + $1.rejected } }
    /// The count of records in all datasets that were rejected by earlier imports that this one resumes.
    public var rejectedBefore: Int { files.reduce(0) { $0 + $1.rejectedBefore } }
    /// The columns in all datasets that were ignored.
    ///
    /// A name is repeated if several datasets have a column with it.
    public var ignoredColumns: [String] { files.flatMap(\.ignoredColumns) }

    init() {}
}
