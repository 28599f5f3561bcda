/// The progress of an import.
///
/// An import passes it to ``ImportOptions/progress``. The datasets may be imported in another order than that of the
/// sources.
public struct ImportProgress: Sendable, Hashable {
    /// The index of the dataset that is being imported among the sources of the import, from 0.
    public var source: Int
    /// The count of records of this dataset that were read.
    ///
    /// Rejected records and records that an earlier import stored are included.
    public var records: Int
    /// The count of bytes of this dataset that were read.
    ///
    /// For a compressed file, it is the count of decompressed bytes. Reading is ahead of storing, so it may include
    /// bytes of later records.
    public var bytes: Int
    /// The size of this dataset in bytes; `nil` if it is unknown.
    public var totalBytes: Int?
}
