/// The text around the objects of a JSON file, and between their values.
enum JSONLayout: Sendable {
    /// An array with one object per line.
    case array
    /// One object per line, without an array (NDJSON, JSON Lines).
    case lines
    /// An indented array with one value per line, for human readers.
    case pretty
}
