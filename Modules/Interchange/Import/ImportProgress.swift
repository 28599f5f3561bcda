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
