import StrataCore

/// The data files that were written for a data package, which its descriptor describes.
///
/// Write the data files first, because the descriptor contains their sizes and digests. Then pass this value to
/// ``ModelFile/text(of:package:)``. An entity or join table without an entry in ``files`` is described with a derived
/// file name, and without a size and a digest.
///
/// ## Topics
///
/// ### Creating a description
///
/// - ``init(title:files:)``
/// - ``name``
///
/// ### Describing the data files
///
/// - ``files``
/// - ``File``
/// - ``missingValues``
/// - ``delimiter``
/// - ``endsLinesWithCR``
public struct WrittenPackage: Sendable, Hashable {
    /// A data file of the package.
    public struct File: Sendable, Hashable {
        /// The path of the file, relative to the descriptor.
        ///
        /// Use `/` between folders. A path that leaves the folder of the descriptor would be rejected by readers.
        public var path: String
        /// The size of the file in bytes.
        public var byteCount: Int
        /// The SHA-256 digest of the file in hexadecimal digits.
        public var sha256: String

        /// Creates the description of a data file.
        ///
        /// - Parameters:
        ///   - path: The path of the file, relative to the descriptor.
        ///   - byteCount: The size of the file in bytes; if the file is compressed, the size of the compressed file.
        ///   - sha256: The SHA-256 digest of the file in hexadecimal digits.
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
    ///
    /// The names are those in the model. The model itself is not changed; only the descriptor contains these texts.
    public var missingValues: [String: [String: [String]]] = [:]
    /// The ASCII character between two fields of a record (default: a comma).
    ///
    /// With a tab, the files are described as TSV. All files of a package have the same delimiter.
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
    /// The name of the package contains the title in lowercase, with a hyphen in place of each byte that is not
    /// allowed. If no letter, digit or underscore remains, the name is `data`.
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
