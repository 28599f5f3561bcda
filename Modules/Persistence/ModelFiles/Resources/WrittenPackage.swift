import StrataCore

/// The data files that were written for a data package, which its descriptor describes.
public struct WrittenPackage: Sendable, Hashable {
    /// A data file of the package.
    public struct File: Sendable, Hashable {
        /// The path of the file, relative to the descriptor.
        public var path: String
        /// The size of the file in bytes.
        public var byteCount: Int
        /// The SHA-256 digest of the file in hexadecimal digits.
        public var sha256: String

        /// Creates the description of a data file.
        public init(path: String, byteCount: Int, sha256: String) {
            (self.path, self.byteCount, self.sha256) = (path, byteCount, sha256)
        }
    }

    /// The name of the package: lowercase letters, digits, `.`, `_` and `-`.
    public let name: String
    /// The data files, by the names that their entities and join tables have in the model.
    public var files: [String: File]
    /// The texts that represent null in the files where they differ from those in the model, by the names of entities
    /// and attributes.
    public var missingValues: [String: [String: [String]]] = [:]
    /// The ASCII character between two fields of a record.
    public var delimiter = UInt8(ascii: ",")
    /// A Boolean value that indicates whether each record ends with a carriage return without a line feed.
    public var endsLinesWithCR = false

    /// Returns a copy of an attribute with the texts that represent null in these files.
    func spelled(_ attribute: AttributeDescription, of entity: String) -> AttributeDescription {
        guard let texts = missingValues[entity]?[attribute.name] else { return attribute }
        var attribute = attribute
        attribute.spelling.missingValues = texts
        return attribute
    }

    /// Creates the description of a package.
    ///
    /// - Parameters:
    ///   - title: The text from which the name of the package is derived.
    ///   - files: The data files, by the names that their entities and join tables have in the model.
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
