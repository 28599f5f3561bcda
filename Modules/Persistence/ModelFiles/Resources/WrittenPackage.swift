import StrataCore

/// The files of a data package that was written, for its descriptor.
public struct WrittenPackage: Sendable, Hashable {
    /// A file of the package.
    public struct File: Sendable, Hashable {
        /// The path, relative to the descriptor.
        public var path: String
        /// The size in bytes.
        public var byteCount: Int
        /// The SHA-256 digest in hexadecimal digits.
        public var sha256: String

        /// Creates a file.
        public init(path: String, byteCount: Int, sha256: String) {
            (self.path, self.byteCount, self.sha256) = (path, byteCount, sha256)
        }
    }

    /// The name of the package: lowercase letters, digits, `.`, `_` and `-`.
    public let name: String
    /// The files by the names of their entities and join tables in the model.
    public var files: [String: File]
    /// The texts for null in columns whose model contains other ones, by the names of entities and attributes.
    public var missingValues: [String: [String: [String]]] = [:]
    /// The ASCII character between two fields.
    public var delimiter = UInt8(ascii: ",")
    /// A Boolean value that indicates whether a record ends with a carriage return alone.
    public var endsLinesWithCR = false

    /// Returns an attribute with its texts for null in these files.
    func spelled(_ attribute: AttributeDescription, of entity: String) -> AttributeDescription {
        guard let texts = missingValues[entity]?[attribute.name] else { return attribute }
        var attribute = attribute
        attribute.spelling.missingValues = texts
        return attribute
    }

    /// Creates a package of files.
    ///
    /// - Parameters:
    ///   - title: The text from which the name of the package is derived.
    ///   - files: The files by the names of their entities and join tables in the model.
    public init(title: String, files: [String: File]) {
        let letters = title.lowercased().utf8.map { byte -> UInt8 in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."),
                UInt8(ascii: "_"):
                byte
            default: UInt8(ascii: "-")
            }
        }
        let isWord = letters.contains { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: ".") }
        name = isWord ? String(decoding: letters, as: UTF8.self) : "data"
        self.files = files
    }
}
