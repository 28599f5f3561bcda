/// What is around the objects of a JSON file.
public enum JSONLayout: Sendable, Hashable, CaseIterable {
    /// One array, one object a line.
    case array
    /// Nothing: one object a line (NDJSON, JSON Lines).
    case lines
}
