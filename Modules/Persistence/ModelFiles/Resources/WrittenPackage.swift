import StrataCore

/// The files of a data package that was written, for its descriptor.
public struct WrittenPackage: Sendable, Hashable {
    /// One file.
    public struct File: Sendable, Hashable {
        /// The path, relative to the descriptor.
        public var path: String
        /// The size in bytes.
        public var byteCount: Int
        /// The SHA-256 in hexadecimal digits.
        public var sha256: String

        /// A file.
        public init(path: String, byteCount: Int, sha256: String) {
            (self.path, self.byteCount, self.sha256) = (path, byteCount, sha256)
        }
    }

    /// What the package is called: small letters, digits, `.`, `_` and `-`.
    public let name: String
    /// The files by the names of their entities and join tables in the model.
    public var files: [String: File]
    /// The texts that mean null in columns whose model says otherwise, by the names of entities and attributes.
    public var missingValues: [String: [String: [String]]] = [:]
    /// The ASCII character between two fields.
    public var delimiter = UInt8(ascii: ",")
    /// Whether a record ends with a carriage return alone.
    public var endsLinesWithCR = false

    /// Returns an attribute with its texts for null in these files.
    func spelled(_ attribute: AttributeDescription, of entity: String) -> AttributeDescription {
        guard let texts = missingValues[entity]?[attribute.name] else { return attribute }
        var attribute = attribute
        attribute.spelling.missingValues = texts
        return attribute
    }

    /// A package of files.
    ///
    /// - Parameters:
    ///   - title: What its name is made of.
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
