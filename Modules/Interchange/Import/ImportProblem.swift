/// A record that was not stored, and the reason.
public struct ImportProblem: Sendable {
    /// The error, with file, line, record and column.
    public var error: InterchangeError
    /// The number of the dataset, from 0.
    public var source: Int
    /// The verbatim bytes of the record, with its line break if it has one.
    ///
    /// Empty unless ``ImportOptions/keepsOriginals`` is set.
    public var original: [UInt8]
    /// The verbatim header line, with its line break; empty if there is none.
    public var header: [UInt8] = []
    /// A Boolean value that indicates whether the record aborts the import instead of being skipped.
    public var isFatal = false
}
