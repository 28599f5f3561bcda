/// A record that was not stored, and the reason.
public struct ImportProblem: Sendable {
    /// The reason why the record was not stored, with file, line, record and column.
    public var error: InterchangeError
    /// The index of the dataset among the sources of the import, from 0.
    public var source: Int
    /// The verbatim bytes of the record, with its line break if it has one.
    ///
    /// If ``ImportOptions/keepsOriginals`` is `false`, the array is empty.
    public var original: [UInt8]
    /// The verbatim bytes of the header, with its line break; empty if the file has no header.
    public var header: [UInt8] = []
    /// A Boolean value that indicates whether the record aborts the import instead of being skipped.
    public var isFatal = false
}
