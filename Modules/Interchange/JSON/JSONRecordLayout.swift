/// The location of the records in a JSON document.
///
/// | document | layout |
/// |---|---|
/// | `[{"hex": "#ff0000"}, …]` | `JSONRecordLayout()` |
/// | `{"data": {"colors": [{"hex": "#ff0000"}, …]}}` | `JSONRecordLayout(root: "data.colors")` |
/// | one object per line | `JSONRecordLayout(.lines)` |
/// | `{"#ff0000": "red", …}` | `JSONRecordLayout(.members)` |
///
/// The names of columns for an object whose members are records can be set:
///
/// ```swift
/// var layout = JSONRecordLayout(.members)
/// layout.keyName = "hex"
/// layout.valueName = "name"
/// ```
///
/// An importer derives the layout from ``ReadingOptions``.
///
/// ## Topics
///
/// ### Creating a layout
///
/// - ``init(_:root:)``
///
/// ### The location of the records
///
/// - ``shape``
/// - ``Shape``
/// - ``root``
///
/// ### The members of a record
///
/// - ``paths``
/// - ``keyName``
/// - ``valueName``
public struct JSONRecordLayout: Sendable, Hashable {
    /// A container of records in a JSON document.
    public enum Shape: Sendable, Hashable {
        /// An array of objects.
        case array
        /// Consecutive objects, as in NDJSON; an object may span several lines.
        case lines
        /// An object whose members are the records.
        ///
        /// The key of a member is one value of the record. If the member's value is an object, the other values are the
        /// members of this object. Otherwise the member's value is the only other value.
        case members
    }

    /// The container of the records.
    public var shape: Shape
    /// The keys on the path to the container of the records, outermost first; empty if the container is the document
    /// itself.
    ///
    /// A key may contain points here, unlike in the initializer. The layout for consecutive objects ignores the path.
    public var root: [String]
    /// The paths into objects of a record whose members are read as members of the record, such as `address.city`.
    ///
    /// The key of such a member is the path. The objects on the path are not members of the record. If the value on the
    /// path is not an object, it is an ordinary member with its own key. Other objects are validated, and are members
    /// of the kind ``JSONKind/object``.
    public var paths: Set<String> = []
    /// The name of the column for the keys, if the records are members of an object.
    ///
    /// It is the key of the first member of each record.
    public var keyName = "key"
    /// The name of the column for values that are not objects, if the records are members of an object.
    ///
    /// If the value of a member is an object, this name is not used.
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

    /// The first byte of the array or object that contains the records.
    var opening: UInt8 { shape == .members ? UInt8(ascii: "{") : UInt8(ascii: "[") }

    /// The expected container, for messages.
    var documentExpectation: String {
        shape == .members ? "an object whose members are the records" : "an array of objects"
    }

    /// The expected content of the file, for the message about an empty file.
    var expectation: String {
        shape == .members ? "a JSON object whose members are the records" : "a JSON array of objects"
    }

    /// Returns a Boolean value that indicates whether one of the paths begins with a key, so that it continues in the
    /// key's object.
    package func leadsInto(_ path: String) -> Bool {
        let start = path + "."
        return paths.contains { $0.hasPrefix(start) }
    }
}
