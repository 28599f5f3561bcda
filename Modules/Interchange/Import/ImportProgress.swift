/// The progress of an import.
public struct ImportProgress: Sendable, Hashable {
    /// The index of the dataset that is being imported among the sources of the import, from 0.
    public var source: Int
    /// The count of records of this dataset that were read.
    public var records: Int
    /// The count of bytes of this dataset that were read.
    public var bytes: Int
    /// The size of this dataset in bytes; `nil` if it is unknown.
    public var totalBytes: Int?
}
