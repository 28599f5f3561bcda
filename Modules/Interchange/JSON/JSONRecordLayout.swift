/// Where in a JSON document the records are.
public struct JSONRecordLayout: Sendable, Hashable {
    /// What the records are in.
    public enum Shape: Sendable, Hashable {
        /// An array of objects.
        case array
        /// Objects one after the other, as in NDJSON; an object may also take several lines.
        case lines
        /// An object whose members are the records: the key is one value, the member's object the others, or its value another one.
        case members
    }

    /// What the records are in.
    public var shape: Shape
    /// The keys that lead to the records from the outside in; empty when the document is the array or object itself.
    public var root: [String]
    /// Paths into objects of a record whose members are read with the record's own, as in `address.city`.
    public var paths: Set<String> = []
    /// The name of the value that a member's key is.
    public var keyName = "key"
    /// The name of the value that a member's value is where it is no object.
    public var valueName = "value"

    /// An array that is the document, or is found under keys divided by points.
    ///
    /// - Parameters:
    ///   - shape: What the records are in.
    ///   - root: The keys, as in `data.colors`; nil when the document is the array or object itself.
    public init(_ shape: Shape = .array, root: String? = nil) {
        self.shape = shape
        self.root = root.map { $0.split(separator: ".", omittingEmptySubsequences: false).map(String.init) } ?? []
    }

    /// What the records' array or object begins with.
    var opening: UInt8 { shape == .members ? UInt8(ascii: "{") : UInt8(ascii: "[") }

    /// What the records are in, for messages.
    var documentExpectation: String {
        shape == .members ? "an object whose members are the records" : "an array of objects"
    }

    var expectation: String {
        shape == .members ? "a JSON object whose members are the records" : "a JSON array of objects"
    }

    /// Whether a path leads into the object that a key has.
    package func leadsInto(_ path: String) -> Bool {
        let start = path + "."
        return paths.contains { $0.hasPrefix(start) }
    }
}
