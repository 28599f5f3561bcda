/// A record that was not stored, and why.
public struct ImportProblem: Sendable {
    /// The error, with file, line, record and column.
    public var error: InterchangeError
    /// The number of the dataset, from 0.
    public var source: Int
    /// The record's bytes as they stand in the file, with the line break that ended it where there was one; empty unless they are kept.
    public var original: [UInt8]
    /// The line that names the columns as it stands in the file, with its line break; empty where there is none.
    public var header: [UInt8] = []
    /// Whether the record was not left out but ends the import.
    public var isFatal = false
}
