/// The formats in which a dataset is read and written.
public enum DatasetFormat: String, Sendable, Hashable, CaseIterable {
    /// Comma-separated values by RFC 4180, with a header.
    case csv
    /// One JSON array of objects.
    case json

    /// The format that a file's name ends with, whatever its case; `nil` when it says nothing.
    public init?(fileName: String) {
        guard let dot = fileName.lastIndex(of: "."), dot != fileName.startIndex else { return nil }
        let ending = fileName[fileName.index(after: dot)...]
        guard let format = Self.allCases.first(where: { $0.rawValue == ending.lowercased() }) else { return nil }
        self = format
    }
}
