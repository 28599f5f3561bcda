/// The formats in which a dataset is read and written.
public enum DatasetFormat: String, Sendable, Hashable, CaseIterable {
    /// Comma-separated values according to RFC 4180, with a header.
    case csv
    /// The same as CSV with tabs between the fields, and with the same quotes.
    case tsv
    /// One JSON array of objects.
    case json
    /// One JSON object per line, without an enclosing array.
    case ndjson

    /// Creates the format of a file name's extension, whatever its case; `nil` if the extension is unknown.
    ///
    /// An extension of compressed files (`.gz`, `.zst`, `.zstd`) is ignored: `rows.csv.gz` is CSV.
    public init?(fileName: String) {
        var name = fileName[...]
        if let (rest, ending) = Self.divided(name), Self.compressions.contains(ending) { name = rest }
        guard let (_, ending) = Self.divided(name),
            let format = Self.allCases.first(where: { $0.fileEndings.contains(ending) })
        else { return nil }
        self = format
    }

    /// The extensions of files in this format, without the dot; the first one is used for writing.
    public var fileEndings: [String] {
        switch self {
        case .csv: ["csv"]
        case .tsv: ["tsv", "tab"]
        case .json: ["json"]
        case .ndjson: ["ndjson", "jsonl"]
        }
    }

    /// The extension of written files, without the dot.
    var fileEnding: String { rawValue }

    /// A Boolean value that indicates whether the format is a table of separated fields.
    public var isTable: Bool {
        switch self {
        case .csv, .tsv: true
        case .json, .ndjson: false
        }
    }

    private static let compressions: Set<String> = ["gz", "zst", "zstd"]

    /// Returns a name and its extension in lowercase; `nil` for a name without an extension or with nothing else.
    private static func divided(_ name: Substring) -> (rest: Substring, ending: String)? {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
        return (name[..<dot], name[name.index(after: dot)...].lowercased())
    }
}
