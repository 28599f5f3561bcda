/// The formats in which a dataset is read and written.
public enum DatasetFormat: String, Sendable, Hashable, CaseIterable {
    /// Comma-separated values by RFC 4180, with a header.
    case csv
    /// The same with tabs between the fields, and with the same quotes.
    case tsv
    /// One JSON array of objects.
    case json
    /// One JSON object a line, without anything around them.
    case ndjson

    /// The format that a file's name ends with, whatever its case; `nil` when it says nothing.
    ///
    /// What a compressed file's name ends with (`.gz`, `.zst`, `.zstd`) is looked through: `rows.csv.gz` is CSV.
    public init?(fileName: String) {
        var name = fileName[...]
        if let (rest, ending) = Self.divided(name), Self.compressions.contains(ending) { name = rest }
        guard let (_, ending) = Self.divided(name),
            let format = Self.allCases.first(where: { $0.fileEndings.contains(ending) })
        else { return nil }
        self = format
    }

    /// What the names of such files end with, without the dot; the first is the one that is written.
    public var fileEndings: [String] {
        switch self {
        case .csv: ["csv"]
        case .tsv: ["tsv", "tab"]
        case .json: ["json"]
        case .ndjson: ["ndjson", "jsonl"]
        }
    }

    /// What the names of written files end with, without the dot.
    var fileEnding: String { rawValue }

    /// Whether the format is a table of separated fields.
    public var isTable: Bool {
        switch self {
        case .csv, .tsv: true
        case .json, .ndjson: false
        }
    }

    private static let compressions: Set<String> = ["gz", "zst", "zstd"]

    /// A name and its ending in small letters; `nil` where there is none, and for names that are nothing but an ending.
    private static func divided(_ name: Substring) -> (rest: Substring, ending: String)? {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
        return (name[..<dot], name[name.index(after: dot)...].lowercased())
    }
}
