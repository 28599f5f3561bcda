/// The location of the records in a JSON document.
public struct JSONRecordLayout: Sendable, Hashable {
    /// The containers of records.
    public enum Shape: Sendable, Hashable {
        /// An array of objects.
        case array
        /// Consecutive objects, as in NDJSON; an object may also span several lines.
        case lines
        /// An object whose members are the records.
        ///
        /// The key of a member is one value of the record. The other values are the members of its object, or its value
        /// is the only other one.
        case members
    }

    /// The container of the records.
    public var shape: Shape
    /// The keys on the path to the records, outermost first; empty if the document itself is the array or object.
    public var root: [String]
    /// Paths into objects of a record whose members are read as the record's own members, as in `address.city`.
    public var paths: Set<String> = []
    /// The column name for a member's key.
    public var keyName = "key"
    /// The column name for a member's value if it is not an object.
    public var valueName = "value"

    /// Creates a layout.
    ///
    /// - Parameters:
    ///   - shape: The container of the records.
    ///   - root: The keys on the path to the container, separated by points, as in `data.colors`; `nil` if the document
    ///     itself is the array or object.
    public init(_ shape: Shape = .array, root: String? = nil) {
        self.shape = shape
        self.root = root.map { $0.split(separator: ".", omittingEmptySubsequences: false).map(String.init) } ?? []
    }

    /// The first byte of the records' array or object.
    var opening: UInt8 { shape == .members ? UInt8(ascii: "{") : UInt8(ascii: "[") }

    /// The expected container, for messages.
    var documentExpectation: String {
        shape == .members ? "an object whose members are the records" : "an array of objects"
    }

    var expectation: String {
        shape == .members ? "a JSON object whose members are the records" : "a JSON array of objects"
    }

    /// Returns a Boolean value that indicates whether a path leads into the object of a key.
    package func leadsInto(_ path: String) -> Bool {
        let start = path + "."
        return paths.contains { $0.hasPrefix(start) }
    }
}
