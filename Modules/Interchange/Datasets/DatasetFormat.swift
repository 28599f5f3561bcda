/// The formats in which a dataset is read and written.
///
/// The raw value is the name on command lines and in manifests.
///
/// ## Topics
///
/// ### Tables
///
/// - ``csv``
/// - ``tsv``
/// - ``isTable``
///
/// ### Documents
///
/// - ``json``
/// - ``ndjson``
///
/// ### Names of files
///
/// - ``init(fileName:)``
/// - ``fileEndings``
public enum DatasetFormat: String, Sendable, Hashable, CaseIterable {
    /// Comma-separated values according to RFC 4180, with a header.
    case csv
    /// Fields separated by tabs; otherwise the same as CSV, including the quotes.
    case tsv
    /// One JSON array of objects.
    ///
    /// A reader also accepts consecutive objects, and an object with an array below a key.
    case json
    /// One JSON object per line, without an enclosing array.
    ///
    /// A reader also accepts objects that span several lines.
    case ndjson

    /// Creates the format that the extension of a file name indicates, in any case; returns `nil` if the extension is
    /// unknown.
    ///
    /// An extension of compressed files (`.gz`, `.zst`, `.zstd`) is ignored: `rows.csv.gz` is CSV.
    ///
    /// The content of the file is not read. `colors.csv`, `COLORS.TSV` and `rows.jsonl.zst` have a format; `colors`,
    /// `.csv` and `colors.txt` have none.
    ///
    /// - Parameter fileName: The name of a file, with or without its folder.
    public init?(fileName: String) {
        var name = fileName[...]
        if let (rest, ending) = Self.divided(name), Self.compressions.contains(ending) { name = rest }
        guard let (_, ending) = Self.divided(name),
            let format = Self.allCases.first(where: { $0.fileEndings.contains(ending) })
        else { return nil }
        self = format
    }

    /// The file name extensions of this format, without the dot; the first one is used for written files.
    public var fileEndings: [String] {
        switch self {
        case .csv: ["csv"]
        case .tsv: ["tsv", "tab"]
        case .json: ["json"]
        case .ndjson: ["ndjson", "jsonl"]
        }
    }

    /// The file name extension of written files, without the dot.
    var fileEnding: String { rawValue }

    /// A Boolean value that indicates whether the format is a table of separated fields (CSV or TSV).
    public var isTable: Bool {
        switch self {
        case .csv, .tsv: true
        case .json, .ndjson: false
        }
    }

    private static let compressions: Set<String> = ["gz", "zst", "zstd"]

    /// Returns the name before the extension and the extension in lowercase; `nil` if one of them is empty.
    private static func divided(_ name: Substring) -> (rest: Substring, ending: String)? {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
        return (name[..<dot], name[name.index(after: dot)...].lowercased())
    }
}
