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
