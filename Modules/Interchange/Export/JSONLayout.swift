/// What is around the objects of a JSON file, and between their values.
enum JSONLayout: Sendable {
    /// One array, one object a line.
    case array
    /// Nothing: one object a line (NDJSON, JSON Lines).
    case lines
    /// One array, one value a line, indented: for people.
    case pretty
}
