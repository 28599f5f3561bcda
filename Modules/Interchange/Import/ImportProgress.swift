/// The progress of an import.
public struct ImportProgress: Sendable, Hashable {
    /// The number of the dataset, from 0.
    public var source: Int
    /// The count of its records that were read.
    public var records: Int
    /// The count of its bytes that were read.
    public var bytes: Int
    /// The count of all its bytes; `nil` if unknown.
    public var totalBytes: Int?
}
